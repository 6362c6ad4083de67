"""Statistics, league and records equal a plain computation on thousands of random games."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from msgspec import structs

from companion.history.days import day_at, day_of
from companion.history.renamed_and_hidden import People
from companion.history.results import EarlierPlayer, GameResult, margin, rank_share, seat_ranks
from companion.history.selection import Selection, counted, select
from companion.history.statistics import (
    ActionTotal,
    PointRecord,
    Ratings,
    Record,
    league,
    longest_run,
    rated,
    records,
    statistics,
)
from tests.history import plain
from tests.history.random_results import PEOPLE, random_results

GAMES = 5000
RENAMINGS = (("Bea", "Beatrice", 2000), ("Cyr", "Cyrus", 3000), ("Beatrice", "Betty", 4000))
HIDDEN = ("Dai", "eve")


def the_people() -> People:
    people = People()
    for old, new, last in RENAMINGS:
        people = people.rename(old, new, last)
    for name in HIDDEN:
        people = people.hide(name, True)
    return people


PEOPLE_NOW = the_people()
NO_RATINGS = Ratings(People())


@pytest.fixture(scope="module")
def results() -> list[GameResult]:
    return random_results(GAMES)


def result(*scores: int, winners: tuple[int, ...] = (), **fields: Any) -> GameResult:
    """Return a result of Ann, Bo, Cyr and Dai."""
    names = ("Ann", "Bo", "Cyr", "Dai")[: len(scores)]
    best = winners or tuple(seat for seat, score in enumerate(scores) if score == max(scores))
    made = GameResult("g1", 1, "gear", names, "{}", 0, 0, 0, "full", None, scores, best, (), (), {}, 10)
    return structs.replace(made, **fields)


@pytest.mark.parametrize("name", ["Aki", "bea", "Betty", "Zoë", "DAI"])
def test_a_persons_figures_equal_a_plain_computation(results: list[GameResult], name: str) -> None:
    told = statistics(results, PEOPLE_NOW, name)
    assert told is not None
    plain.check(told, plain.games_of(results, name.lower(), RENAMINGS))


@pytest.mark.parametrize("name", ["aki", "betty"])
def test_head_to_head_equals_a_plain_computation(results: list[GameResult], name: str) -> None:
    told = statistics(results, PEOPLE_NOW, name)
    assert told is not None
    met = {each.other.lower(): (each.ahead, each.behind, each.level) for each in told.head_to_head}
    everybody = {person for each in results for person in plain.who(each, RENAMINGS)}
    expected = {
        other: plain.head_to_head(results, name, other, RENAMINGS) for other in everybody - {name, "dai", "eve"}
    }
    assert met == {other: games for other, games in expected.items() if sum(map(len, games)) >= 3}
    shared = [each.shared for each in told.head_to_head]
    assert shared == sorted(shared, reverse=True)


def test_the_league_equals_a_plain_computation(results: list[GameResult]) -> None:
    season = select(
        results, Selection(since=day_at(results[1000].ended), until=day_at(results[3000].ended)), PEOPLE_NOW
    )
    rows = league(season, PEOPLE_NOW, NO_RATINGS)
    assert all(row.rating is None for row in rows)
    everybody = {person for each in season for person in plain.who(each, RENAMINGS)} - {"dai", "eve"}
    assert {row.name.lower() for row in rows} == everybody
    for row in rows:
        figures = plain.figures(plain.games_of(season, row.name.lower(), RENAMINGS))
        assert (row.games, row.won) == (figures["games"], figures["won"])
        assert row.rank_share == pytest.approx(figures["rank_share"])
        assert row.win_rate == len(row.won) / len(row.games)
    order = [(-(row.rank_share or 0), -len(row.won), row.name.lower()) for row in rows]
    assert order == sorted(order)


def test_a_place_in_the_league_needs_some_games_if_anybody_has_so_many() -> None:
    guest, games = result(9, 4, players=("Guest", "Bo")), [result(9, 4), result(5, 9), result(9, 4)]
    assert [(row.name, row.place) for row in league([*games, guest], People())] == [
        ("Ann", 1),
        ("Bo", 2),
        ("Guest", None),
    ]
    assert [row.place for row in league([*games, guest], People(), least=1)] == [1, 2, 3]
    assert [(row.name, row.place) for row in league([guest], People())] == [("Guest", 1), ("Bo", 2)]


def test_the_league_shows_ratings_after_the_last_game_of_the_season(results: list[GameResult]) -> None:
    few = [each for each in results[:400] if each.game == "gear"]
    ratings = rated(results[:400], PEOPLE_NOW)
    for row in league(few[:50], PEOPLE_NOW, ratings, one_game=True):
        assert row.rating == ratings.after(row.games[-1], row.name.lower(), one_game=True).displayed


def test_records_equal_a_plain_computation(results: list[GameResult]) -> None:
    games = [each for each in results if each.game == "gear"]
    found = records(games, PEOPLE_NOW)
    assert found.highest is not None
    assert found.lowest is not None
    assert found.longest is not None
    assert found.closest is not None
    scores = [
        (score or 0, each.name)
        for each in games
        for score, person in zip(each.scores, plain.who(each, RENAMINGS), strict=True)
        if person not in ("dai", "eve")
    ]
    assert found.highest.value == max(score for score, _name in scores)
    assert (found.highest.value, found.highest.game) in scores
    assert (found.lowest.value, found.lowest.game) == min(scores, key=lambda each: each[0])
    assert found.longest.value == max(each.seconds for each in games)
    assert found.closest.value == min(points for each in games if (points := margin(each)) is not None)


def test_there_are_no_records_without_games_times_or_people() -> None:
    assert structs.astuple(records([], People())) == (None,) * 4
    tied = result(4, 4)
    assert records([tied], People()).longest is None
    assert records([tied], People()).closest == Record(0, tied.name, ("Ann", "Bo"))
    nobody = People(hidden=("Ann", "Bo"))
    assert structs.astuple(records([result(5, 4, seconds=60.0)], nobody)) == (None,) * 4


def test_hidden_people_hold_no_record() -> None:
    found = records([result(9, 4, 1)], People(hidden=("ann",)))
    assert found.highest is not None
    assert (found.highest.value, found.highest.names) == (4, ("Bo",))
    assert found.closest is None


def test_somebody_who_never_played_has_no_statistics(results: list[GameResult]) -> None:
    assert statistics(results, PEOPLE_NOW, "Nobody") is None
    assert statistics(results, PEOPLE_NOW, "Beatrice") is None  # whose name is Betty now


def test_somebody_who_never_started_has_no_starters_win_rate_and_no_rounds() -> None:
    told = statistics([result(5, 4)], People(), "Ann")
    assert told is not None
    assert told.overall.starter_win_rate is None
    assert told.by_game["gear"].best_round is None
    assert told.by_game["gear"].worst_round is None
    assert told.head_to_head == ()


def test_a_name_is_spelt_as_in_the_latest_game() -> None:
    told = statistics([result(5, 4), result(5, 4, players=("ANN", "Bo"))], People(), "ann")
    assert told is not None
    assert told.name == "ANN"


def test_partners_share_a_rank_and_are_not_compared() -> None:
    pairs = [result(1, 7, 6, 2, winners=(1, 3), rules='{"teams":true}', name=f"g{each}") for each in range(3)]
    assert seat_ranks(pairs[0]) == (2, 1, 2, 1)
    told = statistics(pairs, People(), "Dai")
    assert told is not None
    assert told.overall.rank_share == 1
    assert [(each.other, len(each.ahead)) for each in told.head_to_head] == [("Ann", 3), ("Cyr", 3)]
    assert margin(pairs[0]) == 2


@pytest.mark.parametrize(
    ("scores", "winners", "ranks", "by"),
    [
        ((5, 9, 5), (1,), (2, 1, 2), 4),
        ((9, 9, 5), (0, 1), (1, 1, 3), 0),
        ((9, 9, 5), (1,), (2, 1, 3), 0),
        ((3, 9), (0,), (1, 2), None),
        ((4, 4), (0, 1), (1, 1), 0),
        ((0, 0), (0, 1), (1, 1), None),
    ],
)
def test_ranks_and_margins(
    scores: tuple[int, ...], winners: tuple[int, ...], ranks: tuple[int, ...], by: int | None
) -> None:
    each = result(*scores, winners=winners)
    assert (seat_ranks(each), margin(each)) == (ranks, by)
    assert rank_share(len(scores), 1) == 1
    assert rank_share(len(scores), len(scores)) == 0


def test_the_current_and_the_longest_run() -> None:
    assert longest_run([]) == ((), ())
    assert longest_run([("a", True), ("b", False)]) == ((), ("a",))
    assert longest_run([("a", True), ("b", False), ("c", True)]) == (("c",), ("c",))


# Selections


def at(*moment: int) -> float:
    return datetime(*moment).timestamp()  # type: ignore[arg-type]


def test_a_day_ends_at_five_in_the_morning() -> None:
    late = result(1, 2, begun=at(2026, 11, 21, 4, 59))
    early = result(1, 2, begun=at(2026, 11, 21, 5, 0))
    friday = datetime(2026, 11, 20).date()
    assert select([late, early], Selection(until=friday), People()) == [late]
    assert select([late, early], Selection(since=friday + timedelta(1)), People()) == [early]
    assert select([late, early], Selection(since=friday, until=friday + timedelta(1)), People()) == [late, early]


def test_a_game_that_began_before_the_clock_was_set_is_of_the_day_it_ended() -> None:
    each = result(1, 2, ended=at(2026, 11, 20, 20, 0))
    assert day_of(each) == datetime(2026, 11, 20).date()


def test_a_game_of_an_unknown_day_is_in_no_season() -> None:
    assert day_of(result(1, 2)) is None
    assert day_at(1e18) is None
    assert select([result(1, 2)], Selection(since=datetime(2026, 1, 1).date()), People()) == []
    assert select([result(1, 2)], Selection(), People()) == [result(1, 2)]


def test_games_are_selected_by_kind_and_people(results: list[GameResult]) -> None:
    chosen = select(results, Selection(game="gear", person="betty"), PEOPLE_NOW)
    expected = [each for each in results if each.game == "gear" and "betty" in plain.who(each, RENAMINGS)]
    assert chosen == expected
    assert chosen
    assert len(PEOPLE) == 12


# Ended early, and somebody else in a seat


def test_a_game_that_the_table_ended_early_counts_once_a_round_was_finished() -> None:
    stopped = result(7, 1, name="g2", ended_early=True)
    games = [result(5, 9), structs.replace(stopped, rounds=((7, 1),)), stopped]
    assert counted(games) == games[:2]
    assert counted(games, ended_early=False) == games[:1]


def test_the_points_of_a_game_ended_early_are_no_record_of_a_game() -> None:
    stopped = result(99, -9, name="g2", ended_early=True, rounds=((99, -9),))
    best = records([result(5, 9), stopped], People())
    assert (best.highest, best.lowest) == (Record(9, "g1", ("Bo",)), Record(5, "g1", ("Ann",)))
    close = result(7, 6, name="g3", ended_early=True, rounds=((7, 6),))
    assert records([result(5, 9), close], People()).closest == Record(4, "g1", ("Bo",))
    told = statistics([result(5, 9), stopped], People(), "Ann")
    assert told is not None
    of_gear = told.by_game["gear"]
    assert (len(told.overall.games), len(told.overall.won)) == (2, 1)
    assert of_gear.best_game == of_gear.worst_game == PointRecord(5, "g1")
    assert of_gear.best_round == PointRecord(99, "g2", 1)


def test_a_game_counts_for_who_sits_there_at_the_end_and_a_round_for_who_made_it() -> None:
    left = (EarlierPlayer(1, "Eva", 1, 1, {"revokes": 2}),)
    rounds, counts = ((4, 8), (1, -2)), {"revokes": (0, 3)}
    games = [result(5, 6, name="g1", earlier=left, rounds=rounds, counts=counts), result(3, 2, name="g2")]
    games.append(structs.replace(games[1], name="g3", players=("Ann", "Eva")))
    bo, eva = (statistics(games, People(), name) for name in ("Bo", "Eva"))
    assert bo is not None
    assert eva is not None
    assert (bo.overall.games, bo.overall.won, eva.overall.games, eva.overall.won) == (
        ("g1", "g2"),
        ("g1",),
        ("g3",),
        (),
    )
    of_bo, of_eva = bo.by_game["gear"], eva.by_game["gear"]
    assert of_bo.best_round == of_bo.worst_round == PointRecord(-2, "g1", 2)
    assert of_eva.best_round == of_eva.worst_round == PointRecord(8, "g1", 1)
    assert of_bo.counts == {"revokes": ActionTotal(1, 1.0, ("g1",))}
    assert of_eva.counts == {"revokes": ActionTotal(2, 2.0, ("g1",))}
    renamed = People().rename("Eva", "Evi", 9)
    assert [each.name for each in select(games, Selection(person="Evi"), renamed)] == ["g1", "g3"]
    assert [row.name for row in league(games, People())] == ["Ann", "Bo", "Eva"]


def test_who_only_left_games_has_no_statistics() -> None:
    left = (EarlierPlayer(1, "Eva", 1, 1, {}),)
    assert statistics([result(5, 6, earlier=left, rounds=((5, 6),))], People(), "Eva") is None
