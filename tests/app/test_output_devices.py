"""Lamp, buzzer, mirrors and sleep, as the application uses them."""

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
from companion.games.eternity.cards import SUITS
from companion.journal import Journal
from companion.ui.keys import MISSED, POWER, Key
from tests import raised_errors
from tests.app.boxes import begin, key_of, new_box, press, says
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

    def __init__(self, may: bool = True) -> None:
        self.allowed, self.on = may, True

    def may(self) -> bool:
        return self.allowed

    def off(self) -> None:
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
            mirrors=(self.mirror,),
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


@pytest.mark.parametrize(("board", "colour"), [("A3 A5", SEA), ("B3 B5", SKY), ("C3 C5", EARTH)])
def test_the_lamp_shines_in_the_colour_of_the_trump(eternity: Table, board: str, colour: Colour) -> None:
    press(eternity.box, f"1 {board}")
    assert eternity.lamp.colour == colour


def test_the_lamp_is_dark_at_home_and_while_the_panel_sleeps(eternity: Table) -> None:
    press(eternity.box, "1 A3 A5")
    eternity.sleep()
    assert eternity.lamp.colour is None
    eternity.box.take(PANEL, Key("7"))
    assert eternity.lamp.colour == SEA


FOLLOWED, OFF_SUIT = "1 A3 A5 C2 4", "1 A3 A5 C2 4 B6"


def test_the_lamp_blinks_once_when_a_card_was_off_suit(eternity: Table) -> None:
    seen = []
    for keys in (FOLLOWED, "B6"):
        press(eternity.box, keys)
        seen.append(eternity.lamp.colour)
    assert seen == [SEA, None]
    eternity.clock.let_pass(outputs.BLINK)
    assert eternity.outputs.due is not None
    assert eternity.outputs.due <= eternity.clock.passed()
    eternity.outputs.tick()
    assert eternity.lamp.colour == SEA


def test_a_dark_lamp_blinks_white() -> None:
    clock, lamp = FixedClock(), MemoryLamp()
    dark = Outputs(MemoryPanel(), clock, lamp=lamp)
    dark.show(BoxOutput(Image.new("1", (128, 64)), None, {}, ()))
    dark.blink()
    assert lamp.colour == outputs.WHITE
    clock.let_pass(outputs.BLINK)
    dark.tick()
    assert lamp.colour is None


def test_a_frame_shown_during_a_blink_does_not_end_it(eternity: Table) -> None:
    press(eternity.box, f"{OFF_SUIT} A")
    seen = [eternity.lamp.colour]
    eternity.clock.let_pass(outputs.BLINK)
    eternity.outputs.tick()
    assert [*seen, eternity.lamp.colour] == [None, SEA]


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


def test_a_sleeping_box_does_not_blink(eternity: Table) -> None:
    press(eternity.box, FOLLOWED)
    eternity.sleep()
    due = eternity.outputs.due
    eternity.outputs.blink()
    assert eternity.outputs.due == due
    assert eternity.lamp.colour is None


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


def test_a_missed_press_is_told_by_a_sentence_and_the_tick_of_a_refusal(eternity: Table) -> None:
    press(eternity.box, "1")
    typed, lines = says(eternity.box), eternity.box.lines
    eternity.box.take(PANEL, MISSED)
    assert says(eternity.box) == f"A key was missed: press it again | {typed}"
    assert eternity.buzzer.motif == sounds.REFUSED
    assert eternity.box.lines == lines
    press(eternity.box, "A3")
    assert "missed" not in says(eternity.box)


def test_a_mirror_shows_the_lamp_as_it_is(eternity: Table) -> None:
    press(eternity.box, "1 A3 A5")
    eternity.sleep()
    assert eternity.mirror.frames[-1].lamp is eternity.lamp.colour is None
    press(eternity.box, "1")
    assert eternity.mirror.frames[-1].lamp == eternity.lamp.colour == SEA


def test_a_mirror_is_told_that_the_panel_sleeps_and_that_it_woke(eternity: Table) -> None:
    eternity.sleep()
    assert eternity.mirror.frames[-1].asleep
    eternity.box.take(PANEL, Key("1"))
    assert not eternity.mirror.frames[-1].asleep


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


def test_a_silent_night_is_silent() -> None:
    table = Table(night=(time(22), time(7)))
    midnight = datetime(2026, 1, 1, 23, 30).timestamp()
    table.clock.time = midnight
    assert table.heard("1") is None
    table.clock.time = midnight + 12 * 3600
    assert table.heard("1") is not None


@pytest.mark.parametrize("now", [-62_135_596_801.0, -1e12, 253_402_400_000.0, 1e15, 2.0**63])
def test_a_clock_that_is_absurdly_wrong_does_not_silence_the_box(now: float) -> None:
    table = Table(night=(time(22), time(7)))
    table.clock.time = now
    assert table.heard("1") is not None


def test_sounds_are_switched_off_at_home_and_stay_off_over_a_restart(table: Table) -> None:
    press(table.box, key_of(table.box, "Settings"))
    assert "Sounds on" in says(table.box)
    press(table.box, key_of(table.box, "Sounds"))
    assert "Sounds off" in says(table.box)
    assert table.heard("1") is None
    again = Outputs(MemoryPanel(), table.clock, buzzer=table.buzzer)
    Box(table.journal, again, table.clock)
    assert again.sound_on is False


def test_a_box_without_a_buzzer_says_nothing_of_sounds() -> None:
    box = new_box()
    press(box, key_of(box, "Settings"))
    assert "Language" in says(box)
    assert "Sounds" not in says(box)


def test_a_lamp_and_a_buzzer_that_fail_stop_nothing() -> None:
    clock = FixedClock()
    broken = Broken()
    box = Box(Journal(), Outputs(MemoryPanel(), clock, lamp=broken, buzzer=broken), clock)
    begin(box)
    press(box, "1 A3 A5")
    assert box.lines == 2


# Switching off


def test_the_menu_key_held_long_switches_the_machine_off() -> None:
    switch = Switch()
    table = Table(power=switch)
    table.box.take(PANEL, POWER)
    assert not switch.on
    assert "Switching off" in says(table.box)


def test_a_box_that_may_not_switch_off_says_so() -> None:
    switch = Switch(may=False)
    table = Table(power=switch)
    table.box.take(PANEL, POWER)
    assert switch.on
    assert "may not switch itself off" in says(table.box)
    assert table.buzzer.motif == sounds.REFUSED


def test_a_machine_that_does_not_switch_off_is_reported() -> None:
    class Stuck(Switch):
        def off(self) -> None:
            raise DeviceError("The machine does not switch off.")

    table = Table(power=Stuck())
    table.box.take(PANEL, POWER)
    assert "The machine does not switch off." in says(table.box)


def test_everything_is_put_out_at_the_end(eternity: Table) -> None:
    press(eternity.box, "1 A3 A5")
    eternity.outputs.close()
    assert eternity.lamp.colour is None
    assert eternity.panel.picture is None


def test_a_mirror_that_raises_keeps_no_other_from_the_frame() -> None:
    class Blind:
        wanted: frozenset[PageKey] = frozenset()

        def show(self, frame: BoxOutput) -> None:
            raise RuntimeError

    clock, seeing = FixedClock(), Onlooker()
    with raised_errors.expected() as logged:
        box = Box(Journal(), Outputs(MemoryPanel(), clock, mirrors=(Blind(), seeing)), clock)
        press(box, "9")
    assert len(logged) == len(seeing.frames) == 2
