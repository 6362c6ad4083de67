"""The time zone and the clock are set in the settings, where the system allows it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.app.box import Box
from companion.app.machine.clock_setting import ClockFeature
from companion.app.memory_panel import MemoryPanel
from companion.app.output_devices import Outputs
from companion.journal import Journal
from companion.ui.keys import KEYPAD, KeyLayout
from companion.ui.screens.machine.clock_setting import ClockStatus, title
from companion.ui.translations import Translator
from tests.app.boxes import key_of, press, says
from tests.app.selecting import JOYSTICK, KNOB, turn_to
from tests.fakes.clock import FixedClock
from tests.fakes.machine import MemoryClockSetter


def box_with(setter: MemoryClockSetter | None, language: str = "en", board: KeyLayout = KEYPAD) -> Box:
    clock, machine = FixedClock(), () if setter is None else (ClockFeature(setter),)
    return Box(Journal(), Outputs(MemoryPanel(), clock), clock, language=language, board=board, machine=machine)


def chosen(box: Box, *labels: str) -> Box:
    """Choose rows, one after the other."""
    for label in labels:
        press(box, key_of(box, label))
    return box


def test_without_a_system_that_allows_it_there_is_no_row() -> None:
    assert "Clock" not in says(chosen(box_with(None), "Settings"))


def test_it_shows_date_time_and_zone() -> None:
    shown = says(chosen(box_with(MemoryClockSetter()), "Settings", "Clock"))
    assert "22 Nov 2026, 21:05" in shown
    assert "London" in shown


def test_before_it_was_looked_at_it_has_no_time() -> None:
    assert title(ClockStatus(), Translator("en")) == "Clock"


def test_the_clock_is_moved_as_an_alarm_clock_is() -> None:
    box = chosen(box_with(MemoryClockSetter()), "Settings", "Clock", "1 hour on", "1 hour on")
    assert "22 Nov 2026, 23:05" in says(box)
    assert "22 Nov 2026, 22:04" in says(chosen(box, "1 hour back", "1 minute back"))
    assert "23 Nov 2026, 22:04" in says(chosen(box, "1 day on"))


@pytest.mark.parametrize(
    ("language", "rows", "zone"),
    [
        ("en", ("Settings", "Clock", "Time zone", "New York"), "America/New_York"),
        ("fr", ("Réglages", "Horloge", "Fuseau", "Paris"), "Europe/Paris"),
        ("ja", ("設定", "時計", "タイムゾーン", "東京"), "Asia/Tokyo"),
    ],
)
def test_a_usual_zone_of_the_language_is_offered_at_once(language: str, rows: tuple[str, ...], zone: str) -> None:
    setter = MemoryClockSetter()
    chosen(box_with(setter, language), *rows)
    assert setter.zone == zone


def test_every_other_zone_is_found_by_its_part_of_the_world() -> None:
    setter = MemoryClockSetter()
    box = chosen(box_with(setter), "Settings", "Clock", "Time zone", "Asia", "Tokyo")
    assert setter.zone == "Asia/Tokyo"
    assert "23 Nov 2026, 06:05" in says(box)


def test_back_leads_through_the_lists() -> None:
    box = chosen(box_with(MemoryClockSetter()), "Settings", "Clock", "Time zone", "Asia")
    assert "Time zone" in says(press(box, "*"))
    assert "21:05" in says(press(box, "*"))
    assert "Settings" in says(press(box, "*"))


def test_what_the_network_sets_is_not_offered() -> None:
    box = chosen(box_with(MemoryClockSetter(by_network=True)), "Settings", "Clock")
    assert "Set by the network" in says(box)
    assert "hour" not in says(box)
    assert "Set by the network" in says(chosen(box, "Set by the network"))


def test_a_refusal_is_a_sentence_and_nothing_else_happens() -> None:
    setter = MemoryClockSetter()
    box = chosen(box_with(setter), "Settings", "Clock")
    setter.fault = "The clock cannot be set: Access denied."
    assert str(chosen(box, "1 hour on").message) == setter.fault
    setter.fault = ""
    assert "1 hour on" in says(chosen(box, "1 hour on"))


def test_a_system_that_does_not_answer_leaves_the_settings_as_they_are() -> None:
    setter = MemoryClockSetter()
    setter.fault = "The clock cannot be set: timedated does not answer."
    box = chosen(box_with(setter), "Settings", "Clock")
    assert str(box.message) == setter.fault


@pytest.mark.parametrize("board", [JOYSTICK, KNOB])
def test_few_keys_are_enough(board: KeyLayout) -> None:
    setter = MemoryClockSetter()
    box = box_with(setter, board=board)
    turn: Callable[[str], int] = lambda label: turn_to(box, key_of(box, label))  # noqa: E731
    for label in ("Settings", "Clock", "1 hour on"):
        turn(label)
    assert "22:05" in says(box)
