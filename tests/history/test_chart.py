"""The chart of a game's course."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.history.chart import LETTER, Band, Course, Line, plot, round_figures, svg


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 0, (0, 1, 2)),
        (0, 3, (0, 1, 2, 3)),
        (3, 3, (3, 4, 5)),
        (-4, 9, (-5, 0, 5, 10)),
        (0, 23, (0, 5, 10, 15, 20, 25)),
        (12, 470, (0, 100, 200, 300, 400, 500)),
        (0, 10**20, tuple(step * 2 * 10**19 for step in range(6))),
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
    assert [line.findtext("text") for line in lines] == ["Aki 12", "Béatric… 11", 'Cyr <&"> 7', "はるな… 12"]


def test_a_wide_chart_has_room_for_longer_names() -> None:
    long = Course(("Maximilian von B.", "Bernard"), ("R1",), ((0, -472), (0, 2073)))
    for width, words in ((320, ["Maxim… −472", "Berna… 2073"]), (700, ["Maximilian von… −472", "Bernard 2073"])):
        lines = ElementTree.fromstring(svg(long, "Course", (width, 120))).findall("g")
        assert [line.findtext("text") for line in lines] == words
        for line in lines:
            label = line.find("text")
            assert label is not None
            assert float(label.get("x", "")) + LETTER * len(label.text or "") < width


def test_a_line_has_its_player_s_colour() -> None:
    root = ElementTree.fromstring(svg(FOUR, "Course", colours=(3, 0, 7, 1)))
    assert [line.get("class") for line in root.findall("g")] == ["p3", "p0", "p7", "p1"]


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


DRAWN = Path(__file__).parent / "charts"
"""Whole drawings, an element a line."""


def drawn(name: str) -> str:
    return (DRAWN / name).read_text("utf-8").replace("\n", "")


def test_the_course_of_a_game_is_drawn_as_it_was() -> None:
    course = Course(("Aki", "Bea"), ("R1", "R2"), ((0, -3, 8), (0, 5, 5)))
    assert svg(course, "A <game>", (200, 100), "one", (3, 1)) == drawn("course.svg")


def test_a_chart_as_wide_as_its_page_is_drawn_as_it_was() -> None:
    aki = Line("Aki", (1.0, None, 3.0), ("1", "–", "3"), 1, 4)
    others = Line("Bea & Bo", (2.0, 2.0, 1.0), ("2", "2", "1"), 0, 2)
    band = Band((aki, others), ((0, "0"), (4, "4")), 10, 90)
    assert plot([band], ("R1", "R2", "R3"), "Course", ends=True) == drawn("plot.html")
