"""The leaders or winners of a game."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Finish, Progress, Standing, standing
from companion.core.games import checked
from companion.core.session import Session, last_round_end
from companion.gamelog import decode_header, decode_line
from tests.core.toy import HEAP
from tests.games.seeds import REFEREES, deal


@pytest.mark.parametrize(
    ("totals", "winners", "found"),
    [
        ((0, 0, 0), None, Standing((), (), False)),
        ((4, 9, 2), None, Standing((1,), (9,), False)),
        ((9, 9, 2), None, Standing((0, 1), (9,), False)),
        ((-3, -1), None, Standing((1,), (-1,), False)),
        ((9, 9, 2), (1,), Standing((1,), (9,), True)),
        ((9, 9, 9), (0, 1, 2), Standing((0, 1, 2), (9,), True)),
        ((9, 3, 5, 10), (0, 2), Standing((0, 2), (9, 5), True)),
    ],
)
def test_who_leads_or_has_won_is_told_with_the_points(totals: Any, winners: Any, found: Standing) -> None:
    game = replace(HEAP, seats=range(2, 5), progress=lambda heap: Progress(totals, winners, round=3))
    assert standing(game, checked(game, ())) == replace(found, totals=totals, round=3)


@pytest.mark.parametrize("finished", [True, False])
def test_that_nobody_has_won_is_told_only_of_a_game_that_was_not_ended_early(finished: bool) -> None:
    game = replace(HEAP, seats=range(2, 5), progress=lambda heap: Progress((1, 1), (), finished=finished))
    assert standing(game, checked(game, ())).won != finished


def test_a_game_that_ends_with_a_loser_tells_who_lost() -> None:
    game = replace(HEAP, seats=range(2, 5), progress=lambda heap: Progress((1, 0, 3), (0, 1)))
    losing = replace(game, optional=replace(game.optional, one_loses=True))
    assert standing(losing, checked(losing, ())) == Standing((2,), (3,), True, True, (1, 0, 3))


@pytest.mark.parametrize("game", REFEREES)
def test_who_leads_is_who_wins_if_the_table_ends_the_game(game: str) -> None:
    for seed in range(8):
        dealt = deal(game, seed, coarse=1.0, most_rounds=4)
        session = Session(decode_header(json.dumps(dealt.header)))
        for written in dealt.lines:
            session = session.add(decode_line(json.dumps(written), session.header))
            progress = session.progress
            if last_round_end(session.header.game, session.head) is session.head and progress.winners is None:
                ended = session.add(Finish()).progress
                ahead = ended.winners if ended.winners and len(ended.winners) < len(ended.totals) else ()
                assert session.standing.seats == ahead
