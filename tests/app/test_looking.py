"""A finished game opened from the list: viewed, and changed only on request."""

from __future__ import annotations

import pytest

from companion.app.box import Box
from companion.core.events import Event
from companion.journal import Journal
from companion.ui.keys import BUTTONS
from tests.app.boxes import begin, key_of, lines_of, new_box, playing, press, says
from tests.app.selecting import JOYSTICK, KNOB, on, turn_to


def finished(journal: Journal) -> Box:
    """Return an application with a finished game open."""
    box = playing("", tracking="round", journal=journal)
    for _round in range(3):
        press(box, "1 " if box.view().question == "Who starts?" else "")
        press(box, "33 22 54 1#")
        press(box, "3" if box.view().question == "Who won last?" else "#")
    assert box.game is not None
    assert box.game.over
    return box


def looking(journal: Journal) -> Box:
    """Return an application in which a finished game was opened from the list."""
    box = press(finished(journal), "#")
    press(box, key_of(box, "All games"))
    return press(box, "1")


def stands(box: Box) -> list[Event | None]:
    """Return the events of the open game, latest first."""
    assert box.game is not None
    return [step.event for step in box.game.session.steps()]


def test_a_finished_game_opens_read_only() -> None:
    journal = Journal()
    box = looking(journal)
    lines = lines_of(journal)
    assert "Round" in says(box) or "win" in says(box)
    press(box, "*")
    assert "All games" in says(box)
    press(box, "1 1 A 0 5")
    assert "Its menu lets you change it" in says(box)
    assert lines_of(journal) == lines
    assert "Tabletop Companion" in says(press(box, "#"))


def test_what_a_finished_game_shows_can_be_looked_at() -> None:
    box = looking(Journal())
    for label, seen in (("Scores", "R1, R2, R3"), ("Entries", "3/3 2/2 5/4 0/1"), ("Rules card", "Pledges")):
        press(box, "h#")
        press(box, key_of(box, label))
        assert seen in says(box), label
        press(box, "* *" if label != "Entries" else "*")
    assert box.frame.labels["*"] == "games"
    assert "Redo" not in says(press(box, "h#"))
    assert "Detail" not in says(box)


def test_an_entry_of_a_finished_game_is_not_corrected_from_the_list_of_entries() -> None:
    journal = Journal()
    box = press(looking(journal), "h*")
    before = says(box)
    assert "#" not in box.frame.labels
    assert "correct" not in before
    press(box, "#")
    assert "Its menu lets you change it" in says(box)
    assert "Entries" in says(box)
    press(box, "A B *")
    assert box.view().question.startswith("#")
    assert len(lines_of(journal)) == 3


def test_one_entry_of_the_menu_makes_a_finished_game_changeable_again() -> None:
    journal = Journal()
    box = press(looking(journal), "h#")
    press(box, key_of(box, "Change this game"))
    assert "It can be changed now" in says(box)
    count = len(stands(box))
    assert "* again takes back" in says(press(box, "*"))
    press(box, "*")
    assert len(stands(box)) == count - 1
    assert new_box(journal).game is not None  # the game is open after a start


def test_a_game_just_finished_is_undone_until_it_is_left_and_after_a_restart() -> None:
    journal = Journal()
    box = finished(journal)
    count = len(stands(box))
    assert len(stands(press(box, "*"))) == count - 1
    press(box, "h#4")
    again = new_box(journal)
    assert len(stands(again)) == count
    assert len(stands(press(again, "* *"))) == count - 1


def test_a_box_switched_off_while_a_finished_game_is_looked_at_comes_up_at_home() -> None:
    journal = Journal()
    looking(journal)
    assert "Tabletop Companion" in says(new_box(journal))


def test_looking_at_a_finished_game_keeps_what_is_half_entered_in_another() -> None:
    journal = Journal()
    box = press(finished(journal), "#")
    press(begin(box), "1 A3 h* *")  # a column card is partly entered
    press(box, "h* h*")
    press(box, key_of(box, "All games"))
    press(box, "2 h# 1 * *")
    press(box, "*")
    assert press(box, "1").view().question == "Column card 2:"


def test_a_correction_half_entered_before_a_finished_game_was_left_waits_for_its_change() -> None:
    journal = Journal()
    box = press(finished(journal), "h* # 3 2")  # the last round is entered again
    half = box.view().question
    press(box, "h* h*")
    press(box, key_of(box, "All games"))
    press(box, "1")
    assert box.view().question != half
    press(box, "h#")
    assert press(box, key_of(box, "Change this game")).view().question == half


def test_a_game_under_way_opens_from_the_list_as_it_was() -> None:
    box = playing("1 A3 B9 A4 h#8")
    press(box, key_of(box, "All games"))
    assert press(box, "1").view().question == "Bea:"
    assert "Took back" in says(press(box, "* *"))


@pytest.mark.parametrize("board", [BUTTONS, KNOB, JOYSTICK], ids=lambda board: board.kind)
def test_with_few_keys_a_finished_game_is_looked_at_too(board) -> None:  # type: ignore[no-untyped-def]
    journal = Journal()
    press(finished(journal), "#")
    box = on(board, journal)
    turn_to(box, key_of(box, "All games"))
    turn_to(box, "1")
    lines = lines_of(journal)
    turn_to(box, "*")
    assert "All games" in says(box)
    turn_to(box, "1")
    turn_to(box, "h#")
    assert lines_of(journal) == lines
    turn_to(box, key_of(box, "Change this game"))
    turn_to(box, "*")
    assert "again takes back" in says(box)
    press(box, "ho")
    assert len(lines_of(journal)) == len(lines) + 1
