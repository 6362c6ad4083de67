"""Lamp, buzzer, page and sleep, as the application uses them."""

from __future__ import annotations

from datetime import datetime, time

import pytest
from PIL import Image

from companion.app import outputs, sounds
from companion.app.box import Box
from companion.app.outputs import DIM, OFF, MemoryPanel, Outputs, PanelTimeouts
from companion.app.ports import BoxOutput, Colour, DeviceError, Motif, PageKey
from companion.app.state import PANEL
from companion.core.game import CardSound
from companion.games.eternity.rules import SUITS
from companion.journal import Journal
from companion.ui.keys import MISSED, POWER, Key
from tests import raised_errors
from tests.app.boxes import begin, key_of, press, says
from tests.fakes.clock import FixedClock
from tests.fakes.lamp_and_buzzer import MemoryBuzzer, MemoryLamp
from tests.fakes.onlooker import Onlooker

SEA, SKY, EARTH = (suit.colour for suit in SUITS)


class Broken:
    """A disconnected lamp and buzzer."""

    def show(self, colour: Colour | None) -> None:
        raise DeviceError("The lamp is gone.")

    def play(self, motif: Motif) -> None:
        raise DeviceError("The buzzer is gone.")

    def close(self) -> None: ...


class Switch:
    """A power switch."""

    def __init__(self, may: bool = True, fault: str = "") -> None:
        self.allowed, self.fault, self.on = may, fault, True

    def may(self) -> bool:
        return self.allowed

    def off(self) -> None:
        if self.fault:
            raise DeviceError(self.fault)
        self.on = False


class Table:
    """An application with all outputs."""

    def __init__(self, power: Switch | None = None, night: sounds.Night | None = None) -> None:
        self.clock = FixedClock()
        self.panel, self.lamp, self.buzzer, self.mirror = MemoryPanel(), MemoryLamp(), MemoryBuzzer(), Onlooker()
        self.journal = Journal()
        self.outputs = Outputs(
            self.panel,
            self.clock,
            lamp=self.lamp,
            buzzer=self.buzzer,
            page=self.mirror,
            timeouts=PanelTimeouts(shift=0, repaint=0),
            night=night,
        )
        self.box = Box(self.journal, self.outputs, self.clock, power=power)

    def sleep(self) -> None:
        self.clock.let_pass(301)
        self.outputs.tick()

    def heard(self, keys: str) -> Motif | None:
        """Return the sound of the last of some keys."""
        self.buzzer.motif = None
        press(self.box, keys)
        return self.buzzer.motif


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def eternity(table: Table) -> Table:
    begin(table.box)
    return table


# The lamp


def test_lamp_and_mirrors_are_dark_while_the_panel_sleeps_and_wake_with_it(eternity: Table) -> None:
    def seen() -> tuple[Colour | None, Colour | None, bool]:
        frame = eternity.mirror.frames[-1]
        return eternity.lamp.colour, frame.lamp, frame.asleep

    press(eternity.box, "1 A3 A5")
    assert seen() == (SEA, SEA, False)
    eternity.sleep()
    due = eternity.outputs.due
    eternity.outputs.blink()
    assert eternity.outputs.due == due
    assert seen() == (None, None, True)
    press(eternity.box, "7")
    assert seen() == (SEA, SEA, False)


FOLLOWED, OFF_SUIT = "1 A3 A5 C2 4", "1 A3 A5 C2 4 B6"


@pytest.mark.parametrize("meanwhile", ["", "A"])
def test_the_lamp_blinks_once_when_a_card_was_off_suit_whatever_is_shown_meanwhile(
    eternity: Table, meanwhile: str
) -> None:
    seen = []
    for keys in (FOLLOWED, f"B6 {meanwhile}"):
        press(eternity.box, keys)
        seen.append(eternity.lamp.colour)
    eternity.clock.let_pass(outputs.BLINK)
    assert eternity.outputs.due is not None
    assert eternity.outputs.due <= eternity.clock.passed()
    eternity.outputs.tick()
    assert [*seen, eternity.lamp.colour] == [SEA, None, SEA]


def test_a_dark_lamp_blinks_white() -> None:
    clock, lamp = FixedClock(), MemoryLamp()
    dark = Outputs(MemoryPanel(), clock, lamp=lamp)
    dark.show(BoxOutput(Image.new("1", (128, 64)), None, {}, ()))
    dark.blink()
    assert lamp.colour == outputs.WHITE
    clock.let_pass(outputs.BLINK)
    dark.tick()
    assert lamp.colour is None


@pytest.mark.parametrize("keys", [FOLLOWED, "1 A3 A5 C2 DB4", "1 A3 A5 C2 4 B6 B", f"{OFF_SUIT} B6"])
def test_nothing_else_makes_the_lamp_blink(eternity: Table, keys: str) -> None:
    *before, last = keys.split()
    press(eternity.box, " ".join(before))
    eternity.clock.let_pass(outputs.BLINK)
    eternity.outputs.tick()
    press(eternity.box, last)
    assert eternity.lamp.colour == SEA


def test_when_nothing_blinks_the_loop_is_not_woken() -> None:
    clock = FixedClock()
    alone, lit = Outputs(MemoryPanel(), clock), Outputs(MemoryPanel(), clock, lamp=MemoryLamp())
    for each in (alone, lit):
        each.show(BoxOutput(Image.new("1", (128, 64)), SEA, {}, ()))
        assert each.due is None
        each.blink()
    assert alone.due is None
    assert lit.due == clock.passed() + outputs.BLINK
    clock.let_pass(outputs.BLINK)
    lit.tick()
    assert lit.due is None


# Sleep


@pytest.mark.parametrize(
    "key", [Key("#"), Key("*", held=True), Key("<"), Key("o"), Key("o", held=True), Key("v"), POWER, MISSED]
)
def test_the_first_key_only_wakes_whatever_key_it_is(eternity: Table, key: Key) -> None:
    press(eternity.box, "1 A3 A5 A7")
    before = says(eternity.box)
    eternity.sleep()
    eternity.box.take(PANEL, key)
    assert says(eternity.box) == before
    assert eternity.panel.level == 255


def test_the_panel_stays_on_until_a_language_has_been_chosen() -> None:
    clock, panel = FixedClock(), MemoryPanel()
    box = Box(Journal(), Outputs(panel, clock, timeouts=PanelTimeouts()), clock, language=None)
    for _minute in range(24 * 60):
        clock.let_pass(60)
        box.outputs.tick()
    assert panel.level == DIM
    press(box, key_of(box, "English"))
    assert "New game" in says(box)
    clock.let_pass(PanelTimeouts().off)
    box.outputs.tick()
    assert panel.level == OFF


# Sounds


@pytest.mark.parametrize(
    ("keys", "motif"),
    [
        ("1", sounds.KEY),
        ("1 A", sounds.KEY),
        ("9", sounds.REFUSED),
        ("1 A3 A3", sounds.REFUSED),
        ("1 A3 A5", sounds.TRUMPS[0]),
        ("1 B3 B5", sounds.TRUMPS[1]),
        ("1 C3 C5", sounds.TRUMPS[2]),
        ("1 A3 A5 C2", sounds.LAID[CardSound.LEAD]),
        ("1 A3 A5 C2 4 6", sounds.LAID[CardSound.FOLLOW]),
        ("1 A3 A5 C2 B", sounds.KEY),
        ("1 A3 A5 C2 B4", sounds.LAID[CardSound.OFF_SUIT]),
        ("1 A3 A5 C2 DB4", sounds.LAID[CardSound.ALTERNATE]),
        ("1 A3 A5 C2 4 6 7", (*sounds.LAID[CardSound.FOLLOW], (0, sounds.PAUSE), *sounds.TRICK)),
        ("1 A3 A5 C2 4 6 B7", (*sounds.LAID[CardSound.OFF_SUIT], (0, sounds.PAUSE), *sounds.TRICK)),
        ("1 A3 B5 C2 DB4 6 7", (*sounds.LAID[CardSound.FOLLOW], (0, sounds.PAUSE), *sounds.TRUMPS[1])),
        ("1 A3 A5 C2 B4 6 7 C8 9 C0", sounds.ALERT),
    ],
)
def test_each_thing_has_its_own_sound(eternity: Table, keys: str, motif: Motif) -> None:
    assert eternity.heard(keys) == motif


NIGHT = datetime(2026, 1, 1, 23, 30).timestamp()


@pytest.mark.parametrize(
    ("now", "silent"),
    [(NIGHT, True), (NIGHT + 12 * 3600, False)]
    + [(now, False) for now in (-62_135_596_801.0, -1e12, 253_402_400_000.0, 1e15, 2.0**63)],
)
def test_a_silent_night_is_silent_and_a_clock_that_is_absurdly_wrong_is_no_night(now: float, silent: bool) -> None:
    table = Table(night=(time(22), time(7)))
    table.clock.time = now
    assert (table.heard("1") is None) is silent


def test_a_missed_press_ticks_like_a_refusal(eternity: Table) -> None:
    eternity.box.take(PANEL, MISSED)
    assert eternity.buzzer.motif == sounds.REFUSED


def test_sounds_are_switched_off_at_home_and_stay_off_over_a_restart(table: Table) -> None:
    press(table.box, key_of(table.box, "Settings"))
    assert "Sounds on" in says(table.box)
    press(table.box, key_of(table.box, "Sounds"))
    assert "Sounds off" in says(table.box)
    assert table.heard("1") is None
    again = Outputs(MemoryPanel(), table.clock, buzzer=table.buzzer)
    Box(table.journal, again, table.clock)
    assert again.sound_on is False


def test_a_lamp_and_a_buzzer_that_fail_stop_nothing() -> None:
    clock = FixedClock()
    broken = Broken()
    box = Box(Journal(), Outputs(MemoryPanel(), clock, lamp=broken, buzzer=broken), clock)
    begin(box)
    press(box, "1 A3 A5")
    assert box.lines == 2


# Switching off


@pytest.mark.parametrize(
    ("may", "fault", "told"),
    [
        (True, "", "Switching off"),
        (False, "", "may not switch itself off"),
        (True, "The machine does not switch off.", "The machine does not switch off."),
    ],
)
def test_the_menu_key_held_long_switches_the_machine_off_or_says_why_not(may: bool, fault: str, told: str) -> None:
    switch = Switch(may, fault)
    table = Table(power=switch)
    table.box.take(PANEL, POWER)
    assert told in says(table.box)
    assert switch.on is (told != "Switching off")
    assert (table.buzzer.motif == sounds.REFUSED) is switch.on


def test_everything_is_put_out_at_the_end(eternity: Table) -> None:
    press(eternity.box, "1 A3 A5")
    eternity.outputs.close()
    assert eternity.lamp.colour is None
    assert eternity.panel.picture is None


def test_a_page_that_raises_does_not_stop_the_game() -> None:
    class Blind:
        wanted: frozenset[PageKey] = frozenset()

        def show(self, frame: BoxOutput) -> None:
            raise RuntimeError

    clock, panel = FixedClock(), MemoryPanel()
    with raised_errors.expected() as logged:
        box = Box(Journal(), Outputs(panel, clock, page=Blind()), clock)
        press(box, "9")
    assert len(logged) == 2
    assert panel.picture == box.picture
