"""A director's correction counts at the table only if it is about what the table has; the table can take it back."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.app.inputs import DirectorCorrection, Look
from companion.gamelog import encode_line
from companion.journal import Journal
from tests.app.boxes import ask, lines_of, new_box, page_of, press, says, written

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


def correct(box: Box, line: str, *was: str, game: str = "", who: str = "Dora") -> str | None:
    assert box.game is not None
    answer = ask(box, DirectorCorrection(game or box.game.name, line, was, who))
    return None if answer is None else str(answer)


BETTER = '{"type":"amend","event":2,"to":{"type":"round","tricks":[2,3,5,0],"trees":[3,2,4,1],"last":2}}'


def test_a_correction_is_written_and_told_and_one_key_takes_it_back(box: Box, journal: Journal) -> None:
    assert box.game is not None
    before = box.game.session.progress.totals
    assert correct(box, BETTER, WON) is None
    assert lines_of(journal)[-1] == BETTER
    assert box.game.session.progress.totals != before
    assert "Dora corrects entry 2" in str(box.state.panel.message)
    press(box, "*")
    assert lines_of(journal)[-1] == '{"type":"undo"}'
    assert box.game.session.progress.totals == before


def test_the_phones_at_the_table_are_told_who_has_corrected(box: Box) -> None:
    box.take(1, Look("en"))
    assert correct(box, BETTER, WON) is None
    assert str(box.state.viewers[1].message) == "Dora: correction of round 1"


def test_an_entry_can_be_taken_out(box: Box, journal: Journal) -> None:
    assert correct(box, '{"type":"splice","event":2,"drop":1,"put":[]}', WON) is None
    assert "taken out" in str(box.state.panel.message)
    assert box.game is not None
    assert [encode_line(step.event) for step in box.game.session.entries()] == ['{"type":"start","player":0}']


@pytest.mark.parametrize(
    ("line", "was", "why"),
    [
        (BETTER, ('{"type":"start","player":0}',), "have changed"),
        (BETTER, (), "have changed"),
        ('{"type":"amend","event":9,"to":{"type":"start","player":0}}', (WON,), "have changed"),
        ('{"type":"splice","event":3,"drop":0,"put":[]}', (), "have changed"),
        (
            '{"type":"amend","event":1,"to":{"type":"start","player":9}}',
            ('{"type":"start","player":0}',),
            "there is no seat 9",
        ),
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


def test_another_page_on_the_panel_does_not_keep_a_correction_away(box: Box, journal: Journal) -> None:
    press(box, "h*")
    assert correct(box, BETTER, WON) is None
    assert "Dora corrects" in says(box)
    assert len(lines_of(journal)) == 3


def test_the_director_s_name_is_short_and_the_key_that_takes_it_back_is_there(box: Box) -> None:
    assert correct(box, BETTER, WON, who="Dora\n\x1b" + "a" * 5000) is None
    told = box.words() or ""
    assert told.startswith(f"Dora{'a' * 16} corrects entry 2: ")
    assert told.endswith(". * takes it back")
    assert "takes it back" not in " ".join(page_of(box).notice)
