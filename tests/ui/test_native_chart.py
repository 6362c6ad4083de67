"""The course of a game: running totals of a score sheet, and their chart."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from companion.ui.fonts import GLYPHS
from companion.ui.native_page.chart import Course, course, round_figures, svg
from companion.ui.native_page.content import ScoreTable
from tests.web.native_samples import MOMENTS, sample

NAMES = ("Aki", "Bea")
WON = GLYPHS["winner"]
SHEETS = {moment.name: moment for moment in MOMENTS}


def totals(heads: str, *rows: str) -> tuple[tuple[int, ...], ...] | None:
    """Return the totals of a score sheet written as words."""
    made = course(NAMES, ScoreTable("", tuple(heads.split()), tuple(tuple(row.split()) for row in rows)))
    return None if made is None else made.totals


@pytest.mark.parametrize(
    ("heads", "rows", "expected"),
    [
        ("R1 R2 total", ("3 5 8", "4 0 4"), ((0, 3, 8), (0, 4, 4))),
        ("M1 total", ("+3 3", "−4 −4"), ((0, 3), (0, -4))),
        ("R1 total", ("- 0", "4 4"), ((0, 0), (0, 4))),
        ("R1 coin total", ("3 -2 6", "4 0 9"), ((5, 8), (5, 9))),  # they began with five points
        ("R1 total pair", ("3 8 17", "4 9 17"), ((5, 8), (5, 9))),
        ("R1 R2 won", (f"{WON}7 5 1", f"6 {WON}8 1"), ((0, 1, 1), (0, 0, 1))),
        ("R1 R2 won", (f"{WON}7 5 12", "6 8 14"), ((0, 7, 12), (0, 6, 14))),
        ("R1 odd", ("3 9", "4 9"), ((0, 3), (0, 4))),
    ],
)
def test_points_are_added_up_round_by_round(
    heads: str, rows: tuple[str, ...], expected: tuple[tuple[int, ...], ...]
) -> None:
    assert totals(heads, *rows) == expected


@pytest.mark.parametrize(("heads", "rows"), [("total", ("3", "4")), ("hand 2 total", ("1 2 3", "1 2 3")), ("R1", ())])
def test_without_a_finished_round_there_is_no_course(heads: str, rows: tuple[str, ...]) -> None:
    assert totals(heads, *rows) is None


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
@pytest.mark.parametrize(
    ("moment", "ends"),
    [
        ("eternity-over", (11, 10, 0, 2, 3)),
        ("gear-over", (24, 15, 19)),
        ("hipparchus-over", (1, 2)),
        ("gear-auction", None),
        ("east-rune-over", None),
    ],
)
def test_the_course_of_a_game_ends_with_its_totals(moment: str, ends: tuple[int, ...] | None, language: str) -> None:
    table = sample(SHEETS[moment], language).table
    assert table is not None
    made = course([seat.name for seat in table.seats], table.scores)
    assert (None if made is None else tuple(line[-1] for line in made.totals)) == ends


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 0, (0, 1, 2)),
        (0, 3, (0, 1, 2, 3)),
        (3, 3, (3, 4, 5)),
        (-4, 9, (-5, 0, 5, 10)),
        (0, 23, (0, 5, 10, 15, 20, 25)),
        (12, 470, (0, 100, 200, 300, 400, 500)),
    ],
)
def test_the_axis_has_a_few_round_figures(low: int, high: int, expected: tuple[int, ...]) -> None:
    assert round_figures(low, high) == expected


FOUR = Course(
    ("Aki", "Béatrice-Marie", 'Cyr <&">', "はるなちゃん"),
    ("R1", "R2", "R3"),
    ((0, 3, 8, 12), (0, 5, 5, 11), (0, -1, 2, 7), (0, 1, 9, 12)),
)


def test_the_chart_is_well_formed_small_and_without_styles() -> None:
    drawn = svg(FOUR, "The course <of the game>")
    assert len(drawn.encode()) < 2200
    assert "style=" not in drawn
    assert not re.search(r"\d\.\d\d", drawn)
    root = ElementTree.fromstring(drawn)
    assert root.findtext("title") == "The course <of the game>"
    assert root.findtext("desc") == FOUR.described
    assert root.get("aria-labelledby") == "course-t course-d"


def test_lines_differ_in_dashes_markers_and_labels() -> None:
    root = ElementTree.fromstring(svg(FOUR, "Course"))
    lines = root.findall("g")
    dashes = [line.find("polyline").get("stroke-dasharray") for line in lines]  # type: ignore[union-attr]
    markers = [line.find("path").get("d").partition("m")[2][:12] for line in lines]  # type: ignore[union-attr]
    assert len(set(dashes)) == len(set(markers)) == 4
    assert [line.findtext("text") for line in lines] == ["Aki 12", "Béatrice… 11", 'Cyr <&"> 7', "はるなち… 12"]


def test_labels_do_not_overlap_and_stay_inside() -> None:
    level = Course(("A", "B", "C", "D", "E"), ("R1",), ((0, 0),) * 5)
    for figures in (level, FOUR):
        root = ElementTree.fromstring(svg(figures, "Course", (320, 120)))
        heights = sorted(float(line.find("text").get("y", "")) for line in root.findall("g"))  # type: ignore[union-attr]
        assert all(after - before >= 11 for before, after in pairwise(heights))
        assert heights[0] > 0
        assert heights[-1] < 120


def test_many_rounds_have_few_labels() -> None:
    long = Course(("A",), tuple(f"R{number}" for number in range(1, 21)), (tuple(range(21)),))
    words = [text.text for text in ElementTree.fromstring(svg(long, "Course")).findall("text")]
    assert [word for word in words if word and word.startswith("R")] == ["R3", "R6", "R9", "R12", "R15", "R18"]
