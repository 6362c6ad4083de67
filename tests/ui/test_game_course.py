"""The course of the open game: from its entries, with labels in the language of the page."""

from __future__ import annotations

import pytest

from companion.core.game import Start
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import decode_header
from companion.games.east_rune.rules import Result
from companion.history.chart import Course
from companion.ui.live_page.build import game_course
from companion.ui.screens.context import CurrentGame
from companion.ui.translations import Translator
from tests.games.seeds import deal
from tests.web.live_page_samples import MOMENTS, sample

NAMED = {moment.name: moment for moment in MOMENTS}


@pytest.mark.parametrize(
    ("moment", "ends"),
    [
        ("eternity-over", (11, 10, 0, 2, 3)),
        ("gear-over", (24, 15, 19)),
        ("hipparchus-over", (1, 2)),
        ("gear-auction", None),
        ("east-rune-over", (4, 2, 2)),
    ],
)
def test_the_course_of_a_game_ends_with_its_totals(moment: str, ends: tuple[int, ...] | None) -> None:
    table = sample(NAMED[moment]).table
    assert table is not None
    assert (None if table.course is None else tuple(line[-1] for line in table.course.totals)) == ends


@pytest.mark.parametrize(("language", "letter"), [("en", "R"), ("fr", "M"), ("ja", "R")])
def test_the_labels_name_the_rounds_in_the_language_of_the_page(language: str, letter: str) -> None:
    table = sample(NAMED["gear-over"], language).table
    assert table is not None
    assert table.course is not None
    assert table.course.rounds == tuple(f"{letter}{number}" for number in range(1, 5))


HEADER = '{"format":1,"game":"east-rune","players":["Aki","Bea","Cyr"],"rules":{}}'


def _shown(session: Session) -> Course | None:
    over = CurrentGame("game", session, DetailLevel.FULL).over
    course: Course | None = Translator("en", session.header.players).told(game_course(session, over))
    return course


def test_a_game_entered_by_its_result_alone_has_no_course() -> None:
    session = Session(decode_header(HEADER)).add(Start(0)).add(Result((3, 2, 1), (2, 2, 2), (0, 1, 2)))
    assert _shown(session) is None


def test_a_result_entered_after_some_rounds_is_the_end_of_the_course() -> None:
    dealt = deal("east-rune", 3, coarse=0.0, edits=0.0, stop=0.0)
    session = dealt.session()
    states = list(session.steps())
    second = next(step for step in reversed(states) if session.header.game.optional.finished_rounds(step.state) == 2)
    early = Session(session.header)
    for step in reversed(states):
        if step.number <= second.number and step.event is not None:
            early = early.add(step.event)
    seats = len(session.header.players)
    monarchs = (6, *(0,) * (seats - 1))
    over = early.add(Result((0,) * seats, monarchs, (0,) * seats, None))
    running, shown = _shown(early), _shown(over)
    assert running is not None
    assert running.rounds == ("R1", "R2")
    assert shown is not None
    assert shown.rounds == ("R1", "R2", "end")
    assert [line[:3] for line in shown.totals] == list(running.totals)
    assert tuple(line[-1] for line in shown.totals) == over.progress.totals
