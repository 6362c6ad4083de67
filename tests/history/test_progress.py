"""A person's course from game to game, and how it is drawn."""

from __future__ import annotations

import re

import pytest

from companion.history.chart import Band, Course, Line, course_band, plot
from companion.history.renamed_and_hidden import People
from companion.history.results import GameResult
from companion.history.statistics import MIN_GAMES, MOST_MOMENTS, RECENT, played_by, progress, rated


def games(won: str) -> list[GameResult]:
    """Return games of Ann and Bo: Ann has won where there is an A."""
    return [
        GameResult(str(place), 1, "x", ("Ann", "Bo"), "", 0, 0, 0, "", 0, (5, 9), (int(who != "A"),), (), (), {}, 0)
        for place, who in enumerate(won)
    ]


def course_of(won: str) -> tuple[list[int | None], list[float | None]]:
    results, people = games(won), People()
    moments = progress(played_by(results, people)["ann"], "ann", rated(results, people))
    return [each.rating for each in moments], [each.share for each in moments]


def test_the_share_is_the_mean_of_the_latest_games_and_ratings_are_shown_late() -> None:
    ratings, shares = course_of("A" * RECENT + "B" * RECENT)
    wanted = [1 - place / RECENT for place in range(RECENT + 1)]
    assert shares[RECENT - 1 :] == pytest.approx(wanted)
    assert [rating is None for rating in ratings] == [True] * (MIN_GAMES - 1) + [False] * (len(ratings) - MIN_GAMES + 1)


def test_many_games_become_few_moments_with_the_last_one() -> None:
    ratings, shares = course_of("A" * 300 + "B")
    assert len(ratings) == MOST_MOMENTS
    assert shares[-1] == pytest.approx(1 - 1 / RECENT)


def test_a_plot_tells_each_value_and_begins_a_line_where_values_begin() -> None:
    drawn = plot([Band((Line("A & B", (None, 1, 2), ("–", "1", "2")),), ((0, "0"), (2, "2")), 0, 100)], "xyz", "T")
    assert 'data-places="x|y|z"' in drawn
    assert 'data-name="A &amp; B" data-values="–|1|2" points="50,50 100,0"' in drawn


def test_the_fewest_points_are_at_the_top_where_they_win() -> None:
    band = course_band(Course(("A", "B"), ("R1",), ((0, 4), (0, 20)), lowest=True))
    assert band.height_of(4) < band.height_of(20)
    drawn = plot([band], ["start", "R1"], "T", ends=True)
    assert re.findall(r">([AB] \d+)<", drawn) == ["A 4", "B 20"]


def test_a_day_stands_once_below_a_chart() -> None:
    line = Line("Aki", (1, 2, 1, 2, 1), ("1", "2", "1", "2", "1"))
    days = ["4 Sep 2026", "4 Sep 2026", "4 Sep 2026", "11 Sep 2026", "11 Sep 2026"]
    drawn = plot([Band((line,), ((0, "0"), (2, "2")), 0, 100)], days, "T")
    assert re.findall(r">(\d+ Sep 2026)</text>", drawn) == ["4 Sep 2026", "11 Sep 2026"]
