"""A director's correction counts at the table only if it is about what the table has; the table can take it back."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.app.ports import DirectorCorrection
from companion.core.text import Text
from companion.gamelog import encode_line
from companion.journal import Journal
from tests.app.boxes import lines_of, new_box, press, says, written
from tests.app.finished_games import random_log

HEADER, *LINES = random_log("eternity", 1).decode().splitlines()
WON = '{"type":"round","tricks":[3,2,5,0],"trees":[3,2,4,1],"last":2}'


@pytest.fixture
def journal() -> Journal:
    journal = Journal()
    header = '{"format":1,"game":"eternity","players":["Aki","Bea","Cyr","Dai"],"rules":{}}'
    journal.set_open_game(written(journal, header, '{"type":"start","player":0}', WON))
    return journal


@pytest.fixture
def box(journal: Journal) -> Box:
    return new_box(journal)


def correct(box: Box, line: str, *was: str, game: str = "") -> str | None:
    answers: list[Text | None] = []
    assert box.game is not None
    box.pages.serve(DirectorCorrection(game or box.game.name, line, was, "Dora", answers.append))
    (answer,) = answers
    return None if answer is None else str(answer)


BETTER = '{"type":"amend","event":2,"to":{"type":"round","tricks":[2,3,5,0],"trees":[3,2,4,1],"last":2}}'


def test_a_correction_is_written_and_told_and_one_key_takes_it_back(box: Box, journal: Journal) -> None:
    assert box.game is not None
    before = box.game.session.progress.totals
    assert correct(box, BETTER, WON) is None
    assert lines_of(journal)[-1] == BETTER
    assert box.game.session.progress.totals != before
    assert "Dora corrects entry 2" in str(box.message)
    press(box, "*")
    assert lines_of(journal)[-1] == '{"type":"undo"}'
    assert box.game.session.progress.totals == before


def test_an_entry_can_be_taken_out(box: Box, journal: Journal) -> None:
    assert correct(box, '{"type":"splice","event":2,"drop":1,"put":[]}', WON) is None
    assert "taken out" in str(box.message)
    assert box.game is not None
    assert [encode_line(step.event) for step in box.game.session.entries()] == ['{"type":"start","player":0}']


@pytest.mark.parametrize(
    ("line", "was", "why"),
    [
        (BETTER, ('{"type":"start","player":0}',), "others by now"),
        (BETTER, (), "others by now"),
        ('{"type":"amend","event":9,"to":{"type":"start","player":0}}', (WON,), "others by now"),
        ('{"type":"splice","event":3,"drop":0,"put":[]}', (), "others by now"),
        ('{"type":"amend","event":1,"to":{"type":"start","player":9}}', ('{"type":"start","player":0}',), ""),
        ('{"type":"undo"}', (), "corrects nothing"),
        ("nonsense", (), "not JSON"),
    ],
)
def test_what_does_not_fit_changes_nothing_and_says_why(
    box: Box, journal: Journal, line: str, was: tuple[str, ...], why: str
) -> None:
    shown = says(box)
    answer = correct(box, line, *was)
    assert answer is not None
    assert why in answer
    assert len(lines_of(journal)) == 2
    assert says(box) == shown


def test_another_game_is_not_corrected(box: Box) -> None:
    assert correct(box, BETTER, WON, game="000009-gear-00000000") == "This game is not open at the table now"


def test_nobody_is_interrupted(box: Box, journal: Journal) -> None:
    press(box, "A")
    assert correct(box, BETTER, WON) == "Somebody is entering something at the table"
    assert len(lines_of(journal)) == 2
