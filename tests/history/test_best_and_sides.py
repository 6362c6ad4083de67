"""Games in which the fewest points win, in which partners share points, or a declarer plays against the rest."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import pytest
from msgspec import Struct, json
from msgspec.structs import replace

from companion.core.game import Best, Progress, Standing, standing
from companion.core.games import checked
from companion.games import GAMES
from companion.history.bgstats import bgsplay, play_link
from companion.history.days import day_of
from companion.history.evenings import Evening, summary
from companion.history.exports import csv_of, json_of
from companion.history.renamed_and_hidden import People
from companion.history.results import GameResult, by_side, losers, margin, rank_share, seat_ranks, sides
from companion.history.statistics import NEW, league, rated, records, statistics
from docs.examples.race import RACE
from tests.history.made import made

PEOPLE = People()
GOLF = made(
    game="golf", rules="{}", scores=(5, 13, 24, 62), winners=(0,), rounds=((5, 10, 4, 2), (0, 3, 20, 60)), counts={}
)
TENNIS = made(game="tennis", rules="{}", scores=(9, 4, 9, 4), winners=(0, 2), rounds=(), counts={})
SOLO = made(
    game="solo",
    rules="{}",
    scores=(30, -15, -15, 0),
    winners=(0,),
    rounds=((30, -15, -15, 0), (0, 0, 0, 0)),
    declarers=((0,), ()),
    counts={},
)
DURAK = made(game="durak", rules="{}", scores=(0, 0, 1, 0), winners=(0, 1, 3), rounds=(), counts={})


class Direction(Struct, frozen=True):
    """The rule that says which points are the best."""

    wins: str = "lowest"


DECLARED: dict[str, dict[str, Any]] = {
    "golf": {"best": Best.LOWEST},
    "by-rule": {"best": "wins"},
    "tennis": {"sides": lambda _seats, _rules: ((0, 2), (1, 3)), "shared_points": True},
    "pair-and-two": {"sides": lambda _seats, _rules: ((0, 3), (1,), (2,))},
    "solo": {"declarers": lambda _state: ()},
    "durak": {"best": Best.LOWEST, "one_loses": True},
    "all-or-none": {"all_can_win": True},
}


@pytest.fixture(autouse=True)
def _declared(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, parts in DECLARED.items():
        rules = Direction if "wins" in parts.values() else RACE.rules
        game = replace(RACE, name=name, title=name, rules=rules, optional=replace(RACE.optional, **parts))
        monkeypatch.setitem(GAMES, name, game)


def test_the_fewest_points_are_the_first_rank_where_the_lowest_wins() -> None:
    assert seat_ranks(GOLF) == (1, 2, 3, 4)
    assert [rank_share(4, rank) for rank in seat_ranks(GOLF)] == [1, 2 / 3, 1 / 3, 0]
    assert margin(GOLF) == 8


@pytest.mark.parametrize(
    ("rules", "ranks"), [("", (1, 2)), ("{}", (1, 2)), ('{"wins":"highest"}', (2, 1)), ('{"wins":"odd"}', (2, 1))]
)
def test_a_rule_can_say_which_points_are_the_best(rules: str, ranks: tuple[int, ...]) -> None:
    result = replace(
        GOLF, game="by-rule", rules=rules, players=("Ann", "Bo"), scores=(5, 9), winners=(), ended_early=True
    )
    assert seat_ranks(result) == ranks


def test_statistics_league_and_ratings_take_the_fewest_points_for_the_best() -> None:
    told = statistics([GOLF], PEOPLE, "Dai")
    assert told is not None
    figures = told.by_game["golf"]
    assert figures.best_game is not None
    assert (figures.best_game.points, figures.rank_share) == (62, 0)
    assert (figures.best_round, figures.worst_round) == (
        replace(figures.best_game, points=2, round=1),
        replace(figures.best_game, points=60, round=2),
    )
    assert [row.name for row in league([GOLF], PEOPLE)] == ["Aki", "Bea", "Cyr", "Dai"]
    after = rated([GOLF], PEOPLE)
    strengths = [after.after(GOLF.name, person).mu for person in ("aki", "bea", "cyr", "dai")]
    assert strengths == sorted(strengths, reverse=True)


def test_exports_say_that_the_lowest_wins() -> None:
    link, file = play_link(GOLF, PEOPLE), json.decode(bgsplay([GOLF], PEOPLE))
    assert link is not None
    assert '"highestWins":false' in unquote(link)
    assert file["games"][0]["highestWins"] is False
    assert file["plays"][0]["manualWinner"] is False
    rows = [line.split(",") for line in csv_of([GOLF], PEOPLE).decode().splitlines()]
    assert [row[rows[0].index("rank")] for row in rows[1:]] == ["1", "2", "3", "4"]


def test_an_evening_lists_the_fewest_points_first() -> None:
    day = day_of(GOLF)
    assert day is not None
    assert "Aki won by 8 (Aki 5, Bea 13, Cyr 24, Dai 62)" in str(summary(Evening(day, (GOLF,)), PEOPLE)[1])


def test_a_game_with_a_loser_says_who_lost() -> None:
    day = day_of(DURAK)
    assert day is not None
    assert losers(DURAK) == (2,)
    assert losers(GOLF) == ()
    assert seat_ranks(DURAK) == (1, 1, 4, 1)
    assert "Cyr lost (" in str(summary(Evening(day, (DURAK,)), PEOPLE)[1])


def test_an_evening_lists_partners_with_the_points_of_their_side() -> None:
    pairs = GameResult(
        "g", 1, "gear", tuple("ABCD"), '{"teams":true}', 1.8e9, 1.8e9, 0, "", 0, (6, 5, 11, 11), (0, 2), (), (), {}, 0
    )
    assert [(side.seats, side.points, side.won) for side in by_side(pairs)] == [((0, 2), 17, True), ((1, 3), 16, False)]
    day = day_of(pairs)
    assert day is not None
    assert "Gear: A and C won by 1 (A + C 17, B + D 16)" in str(summary(Evening(day, (pairs,)), PEOPLE)[1])


def test_partners_who_share_points_are_ahead_by_the_points_of_their_side() -> None:
    assert seat_ranks(TENNIS) == (1, 2, 1, 2)
    assert seat_ranks(replace(TENNIS, places=(1, 3, 1, 3))) == (1, 2, 1, 2)  # imported: places of four players
    assert margin(TENNIS) == 5


def test_an_imported_play_has_the_teams_of_its_file_and_no_rules() -> None:
    alone = replace(TENNIS, number=0, scores=(125, 100, 40, 80), winners=(0,), places=(1, 2, 4, 3))
    assert (sides(alone), seat_ranks(alone)) == (((0,), (1,), (2,), (3,)), (1, 2, 4, 3))
    assert (margin(alone), margin(replace(alone, scores=(125, 100, None, 80)))) == (25, None)
    pairs = replace(
        alone, game="Codenames", scores=(7, 7, 5, 5), winners=(0, 1), places=(1, 1, 3, 3), teams=(0, 0, 1, 1)
    )
    assert (sides(pairs), seat_ranks(pairs), margin(pairs)) == (((0, 1), (2, 3)), (1, 1, 2, 2), 2)
    assert margin(replace(pairs, scores=(4, 5, 2, 6))) == 1  # each has points of their own
    assert margin(replace(pairs, winners=(1, 3))) is None  # no side wins as one
    fewest = replace(alone, game="Golf", scores=(30, 31, 40, 35), best=Best.LOWEST)
    assert margin(fewest) == 1
    assert losers(replace(alone, game="durak")) == ()


def test_sides_may_differ_in_size() -> None:
    result = replace(TENNIS, game="pair-and-two", scores=(4, 6, 3, 4), winners=(0, 3))
    assert seat_ranks(result) == (1, 2, 3, 1)
    assert seat_ranks(replace(result, places=(1, 4, 3, 1))) == (1, 3, 2, 1)  # imported: what its file says
    scores = json.decode(bgsplay([result], PEOPLE))["plays"][0]["playerScores"]
    assert [score["team"] for score in scores] == ["A", "B", "C", "A"]
    played = [replace(result, name=str(number)) for number in range(3)]
    told = statistics(played, PEOPLE, "Aki")
    assert told is not None
    assert [(each.other, each.shared) for each in told.head_to_head] == [("Bea", 3), ("Cyr", 3)]


def test_the_declarers_of_each_round_are_exported() -> None:
    games = json.decode(json_of([SOLO, GOLF], PEOPLE))["games"]
    assert games[0]["declarers"] == [[0], []]
    assert "declarers" not in games[1]
    assert json.decode(bgsplay([SOLO], PEOPLE))["plays"][0]["comments"] == "Rounds: 30*/-15/-15/0, 0/0/0/0"


@pytest.mark.parametrize(
    ("best", "winners", "found"),
    [
        (Best.LOWEST, None, Standing((1,), (2,), False)),
        (Best.HIGHEST, None, Standing((0,), (7,), False)),
        (Best.LOWEST, (1,), Standing((1,), (2,), True)),
    ],
)
def test_who_leads_follows_from_which_points_are_the_best(best: Best, winners: Any, found: Standing) -> None:
    game = replace(RACE, progress=lambda _state: Progress((7, 2, 4), winners))
    assert standing(game, checked(game, None), best) == replace(found, totals=(7, 2, 4))


def test_a_game_that_nobody_won_is_lost_by_all() -> None:
    lost = replace(GOLF, winners=(), scores=(3, 3, 3, 9))
    assert (seat_ranks(lost), margin(lost), losers(lost)) == ((4, 4, 4, 4), None, ())
    assert seat_ranks(replace(lost, ended_early=True)) == (1, 1, 1, 4)
    assert seat_ranks(replace(TENNIS, winners=(), game="")) == (4, 4, 4, 4)
    assert {(row.place, row.rank_share, row.won) for row in league([lost], PEOPLE)} == {(None, None, ())}
    (play,) = json.decode(bgsplay([lost], PEOPLE))["plays"]
    assert play["manualWinner"]
    assert {(score["winner"], score["rank"]) for score in play["playerScores"]} == {(False, 4)}
    day = day_of(lost)
    assert day is not None
    assert "nobody won (Aki 3, Bea 3, Cyr 3, Dai 9)" in str(summary(Evening(day, (lost,)), PEOPLE)[1])


@pytest.mark.parametrize("winners", [(0, 1, 2, 3), ()])
def test_a_game_that_all_won_or_lost_together_moves_no_rating_rank_share_or_record(winners: tuple[int, ...]) -> None:
    together = replace(GOLF, name="b", game="all-or-none", scores=(1, 1, 1, 1), winners=winners)
    alone, both = (rated(games, PEOPLE) for games in ([GOLF], [GOLF, together]))
    for person in ("aki", "bea", "cyr", "dai"):
        assert both.after("b", person) == alone.after(GOLF.name, person) != NEW
        assert both.after("b", person, one_game=True) == NEW
    shares = [row.rank_share for row in league([together, GOLF], PEOPLE)]
    assert shares == [1, 2 / 3, 1 / 3, 0]
    assert (margin(together), records([together], PEOPLE).closest) == (None, None)
    told = statistics([together], PEOPLE, "Aki")
    assert told is not None
    assert (told.overall.rank_share, len(told.overall.won)) == (None, bool(winners))


def test_a_tie_of_all_is_still_a_tie() -> None:
    tied = replace(GOLF, scores=(5, 5, 5, 5), winners=(0, 1, 2, 3))
    assert (margin(tied), [row.rank_share for row in league([tied], PEOPLE)]) == (0, [1, 1, 1, 1])
    assert rated([tied], PEOPLE).after(tied.name, "aki") != NEW
