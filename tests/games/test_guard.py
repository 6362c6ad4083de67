"""The guard finds nothing wrong in the games that the suite proves, and gives what they give."""

from __future__ import annotations

from itertools import pairwise

import pytest
from msgspec.structs import replace

from companion.core.games import Games
from companion.core.prompt import Prompt
from companion.games import GAMES

from .seeds import deal


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", GAMES)
def test_a_game_under_guard_gives_what_it_gives_without(name: str, seed: int) -> None:
    game, games = GAMES[name], Games()
    games[name] = replace(game)
    guarded, optional = games[name], games[name].optional
    header = deal(name, seed).session().header
    seats, rules = len(header.players), header.rules
    assert guarded.start(seats, rules) == game.start(seats, rules)
    if optional.rules_card is not None:
        assert optional.rules_card(seats, rules)
    steps = [*deal(name, seed).session().steps()][::-1]
    for before, after in pairwise(steps):
        event = after.event
        assert guarded.apply(before.state, event) == after.state
        assert guarded.answers(before.state, event) == game.answers(before.state, event)
        assert guarded.outcome(before.state, event, after.state) == game.outcome(before.state, event, after.state)
        assert guarded.describe(event) == game.describe(event)
        assert [*optional.counted_actions(before.state, event, after.state)] == [
            *game.optional.counted_actions(before.state, event, after.state)
        ]
        if optional.log_likelihood is not None:
            optional.log_likelihood(before.state, event)
    for step in steps[::3]:
        state = step.state
        for function in (
            *(guarded.progress, guarded.view, guarded.score_sheet, guarded.snapshot, guarded.moment, guarded.short),
            *(optional.alerts, optional.finished_rounds),
            *(() if optional.round_points is None else (optional.round_points,)),
        ):
            function(state)
        for tracking in guarded.trackings:
            asked = guarded.ask(state, tracking, ())
            if isinstance(asked, Prompt):
                assert asked == game.ask(state, tracking, ())
    assert not games.aside(name)


def test_a_game_that_is_added_again_is_not_guarded_twice() -> None:
    games = Games()
    games["gear"] = replace(GAMES["gear"])
    guarded = games["gear"]
    games["gear"] = guarded
    assert games["gear"] is guarded
