"""The time zone and the clock are set in the settings, where the system allows it."""

from __future__ import annotations

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.journal import Journal
from companion.ui.keys import KEYPAD, KeyLayout
from companion.ui.screens.devices import ClockStatus, title
from tests.app.boxes import key_of, press, says
from tests.fakes.clock import FixedClock
from tests.fakes.machine import MemoryClockSetter


def box_with(setter: MemoryClockSetter | None, language: str = "en", board: KeyLayout = KEYPAD) -> Box:
    clock, machine = FixedClock(), () if setter is None else (setter,)
    return Box(Journal(), Outputs(MemoryPanel(), clock), clock, language=language, board=board, machine=machine)


def chosen(box: Box, *labels: str) -> Box:
    """Choose rows, one after the other."""
    for label in labels:
        press(box, key_of(box, label))
    return box


def test_before_it_was_looked_at_it_has_no_time() -> None:
    assert str(title(ClockStatus())) == "Clock"


def test_what_the_network_sets_is_not_offered() -> None:
    box = chosen(box_with(MemoryClockSetter(by_network=True)), "Settings", "Clock")
    assert "Set by the network" in says(box)
    assert "hour" not in says(box)
    assert "Set by the network" in says(chosen(box, "Set by the network"))


def test_a_refusal_is_a_sentence_and_nothing_else_happens() -> None:
    setter = MemoryClockSetter()
    box = chosen(box_with(setter), "Settings", "Clock")
    setter.fault = "The clock cannot be set: Access denied."
    assert str(chosen(box, "1 hour on").state.panel.message) == setter.fault
    setter.fault = ""
    assert "1 hour on" in says(chosen(box, "1 hour on"))


def test_a_system_that_does_not_answer_leaves_the_settings_as_they_are() -> None:
    setter = MemoryClockSetter()
    setter.fault = "The clock cannot be set: timedated does not answer."
    box = chosen(box_with(setter), "Settings", "Clock")
    assert str(box.state.panel.message) == setter.fault
