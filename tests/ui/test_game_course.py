"""The course of the open game: from its entries, with labels in the language of the page."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.events import Start
from companion.core.prompt import DetailLevel
from companion.core.scores_and_turn import Progress
from companion.core.session import Session
from companion.gamelog import decode_header
from companion.games.east_rune.events import Result
from companion.history.chart import Course
from companion.ui.live_page.build import game_course
from companion.ui.screens.context import CurrentGame
from companion.ui.translations import Translator
from tests.games.seeds import deal, events
from tests.web.live_page_samples import MOMENTS, sample

NAMED = {moment.name: moment for moment in MOMENTS}


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
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
def test_the_course_of_a_game_ends_with_its_totals(moment: str, ends: tuple[int, ...] | None, language: str) -> None:
    table = sample(NAMED[moment], language).table
    assert table is not None
    assert (None if table.course is None else tuple(line[-1] for line in table.course.totals)) == ends


def test_the_labels_name_the_rounds_in_the_language_of_the_page() -> None:
    labels = {}
    for language in ("en", "fr", "ja"):
        table = sample(NAMED["gear-over"], language).table
        assert table is not None
        assert table.course is not None
        labels[language] = table.course.rounds
    assert labels["en"] == ("R1", "R2", "R3", "R4")
    assert len(set(labels.values())) > 1


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


def test_until_the_next_round_ends_the_course_is_not_computed_again() -> None:
    session = deal("gear", 5, coarse=0.0, edits=0.0, stop=0.0, most_rounds=4).session()
    game, asked = session.header.game, []

    def progress(state: Any) -> Progress:
        asked.append(state)
        return game.progress(state)

    growing = Session(replace(session.header, game=replace(game, progress=progress)))
    rounds = []
    for event in events(session):
        growing = growing.add(event)
        shown = _shown(growing)
        rounds.append(0 if shown is None else len(shown.rounds))
    assert sorted(set(rounds)) == [0, 1, 2, 3, 4]
    assert len(asked) == 2 + 3 + 4 + 5  # the totals at the beginning and after each round, once a round
