"""Evenings and their summaries."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from msgspec import structs

from companion.history.days import date_of, day_with, duration
from companion.history.evenings import Evening, evenings, summary
from companion.history.renamed_and_hidden import People
from companion.history.results import EarlierPlayer, GameResult
from companion.ui.translations import Translator
from tests.history.random_results import random_results

FRIDAY = datetime(2026, 11, 20, 20, 0).timestamp()


def result(*scores: int | None, winners: tuple[int, ...] = (), **fields: Any) -> GameResult:
    names = ("Ann", "Bo", "Cyr", "Dai")[: len(scores)]
    best = winners or tuple(seat for seat, score in enumerate(scores) if score == max(own or 0 for own in scores))
    made = GameResult("g", 1, "gear", names, "{}", FRIDAY, FRIDAY, 2400, "full", 0, scores, best, (), (), {}, 9)
    return structs.replace(made, **fields)


def told(*results: GameResult, people: People | None = None) -> list[str]:
    (evening,) = evenings(results)
    return [*map(str, summary(evening, people or People()))]


def test_an_evening_goes_on_until_five_in_the_morning() -> None:
    hours = (0, 7.9, 8.9, 9, 24)
    games = [result(1, 2, begun=FRIDAY + hour * 3600) for hour in hours]
    found = evenings(games)
    assert [(each.day, len(each.results)) for each in found] == [(date(2026, 11, 20), 3), (date(2026, 11, 21), 2)]


def test_before_the_calendar_begins_there_is_no_day() -> None:
    assert day_with(datetime.min) is None
    assert day_with(datetime(1, 1, 1, 5)) == date(1, 1, 1)


def test_every_game_of_a_known_day_is_in_one_evening() -> None:
    results = random_results(300)
    found = evenings(results)
    assert sorted(each.number for evening in found for each in evening.results) == [
        each.number for each in results if each.begun
    ]
    assert [evening.day for evening in found] == sorted({evening.day for evening in found})


def test_an_evening_is_told_in_a_few_lines() -> None:
    games = [
        result(12, 9, 3, counts={"revokes": (0, 2, 0)}),
        result(7, 7, 1, game="eternity", counts={"revokes": (0, 1, 0)}),
        result(4, 8, game="hipparchus", seconds=6600.0),
    ]
    assert told(*games) == [
        "Friday 20 November: 3 games, 3 h 10 min",
        "Gear: Ann won by 3 (Ann 12, Bo 9, Cyr 3)",
        "Eternity: Ann and Bo won (Ann 7, Bo 7, Cyr 1)",
        "Hipparchus: Bo won by 4 (Bo 8, Ann 4)",
        "Most wins: Ann and Bo, 2 of 3",
        "Closest game: Eternity, a tie",
    ]


def test_points_below_zero_have_a_true_minus_and_names_the_comma_of_the_language() -> None:
    (evening,) = evenings([result(5, 5, 5, -8)])
    lines = "".join(map(Translator("ja"), summary(evening, People())))
    assert "Ann 5、Bo 5、Cyr 5、Dai −8" in lines
    assert "Ann、BoとCyr" in lines


def test_an_evening_of_one_game_without_times_is_short() -> None:
    assert told(result(12, 9, seconds=0)) == ["Friday 20 November: 1 game", "Gear: Ann won by 3 (Ann 12, Bo 9)"]


def test_revokes_are_remarked_on_mildly_where_little_else_is_worth_it() -> None:
    one = result(12, 9, counts={"revokes": (0, 2)})
    assert told(one)[2:] == ["Most revokes: Bo, 2. It happens to the best"]
    assert told(result(12, 9, counts={"revokes": (0, 1)}))[2:] == []


def test_a_game_that_everybody_won_is_the_closest() -> None:
    lines = told(result(5, 5), result(4, 3))[3:]
    assert lines == ["Most wins: Ann, 2 of 2", "Closest game: Gear, a tie"]


def test_hidden_people_are_in_no_remark_and_renamed_ones_have_their_name_of_now() -> None:
    people = People().hide("Ann", True).rename("Bo", "Bob", 5)
    lines = told(result(12, 9), result(12, 9), people=people)
    assert lines[1:] == ["Gear: Ann won by 3 (Ann 12, Bob 9)"] * 2 + ["Closest game: Gear, by 3"]


def test_an_evening_of_hidden_people_has_no_remark_about_them() -> None:
    people = People(hidden=("Ann", "Bo"))
    assert told(result(5, 5), result(4, 4), people=people)[3:] == ["Closest game: Gear, a tie"]


@pytest.mark.parametrize(
    ("seconds", "words"), [(0, "0 min"), (89, "1 min"), (3599, "1 h 0 min"), (7260, "2 h 1 min"), (1740, "29 min")]
)
def test_a_time_in_words(seconds: float, words: str) -> None:
    assert str(duration(seconds)) == words


def test_every_day_has_its_name() -> None:
    first = date(2026, 1, 1)
    assert [str(date_of(first + timedelta(31 * each))) for each in range(12)] == [
        f"{day:%A} {day.day} {day:%B}" for day in (first + timedelta(31 * each) for each in range(12))
    ]


def test_an_evening_is_plain_data() -> None:
    assert Evening(date(2026, 1, 1), ()) == Evening(date(2026, 1, 1), ())


def test_an_imported_play_of_any_game_is_told_by_its_title() -> None:
    assert told(result(1, 0, game="Go {9x9}", places=(1, 2)))[1:] == ["Go {9x9}: Ann won by 1 (Ann 1, Bo 0)"]


def test_unknown_points_are_a_dash() -> None:
    chess = result(None, None, game="Chess", winners=(0,), places=(1, 2))
    assert told(chess)[1:] == ["Chess: Ann won (Ann –, Bo –)"]
    golf = result(None, 55, 42, game="Golf", winners=(2,), places=(3, 2, 1))
    assert told(golf)[1:] == ["Golf: Cyr won (Cyr 42, Bo 55, Ann –)"]


def test_a_game_without_points_is_not_the_closest() -> None:
    chess = result(0, 0, game="Chess", winners=(0,), places=(1, 2))
    assert [line for line in told(chess, chess) if "Closest" in line] == []
    assert told(chess, result(3, 1))[-1] == "Closest game: Gear, by 2"


def test_a_game_that_the_table_ended_early_says_who_was_ahead_and_counts() -> None:
    games = [
        result(12, 9, 3, rounds=((12, 9, 3),), counts={"revokes": (0, 3, 0)}, ended_early=True),
        result(4, 3),
        result(6, 9),
    ]
    assert told(*games) == [
        "Friday 20 November: 3 games, 2 h 0 min",
        "Gear: Ann ahead, ended early (Ann 12, Bo 9, Cyr 3)",
        "Gear: Ann won by 1 (Ann 4, Bo 3)",
        "Gear: Bo won by 3 (Bo 9, Ann 6)",
        "Most wins: Ann, 2 of 3",
        "Closest game: Gear, by 1",
    ]
    level = result(0, 0, 0, ended_early=True)
    for unfinished in (level, structs.replace(level, winners=())):
        assert told(unfinished, games[1])[1] == "Gear: ended early (Ann 0, Bo 0, Cyr 0)"
        assert told(unfinished, games[1], games[1])[-2] == "Most wins: Ann, 2 of 2"


def test_a_remark_names_who_did_it_even_if_they_left_the_seat() -> None:
    left = (EarlierPlayer(1, "Eva", 1, 1, {"revokes": 3}),)
    lines = told(result(4, 3, counts={"revokes": (0, 3)}, rounds=((4, 3),), earlier=left))
    assert lines[-1] == "Most revokes: Eva, 3. It happens to the best"
