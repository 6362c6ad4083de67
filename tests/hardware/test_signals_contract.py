"""Requirements on every lamp and buzzer; to add one, list it in the tables below.

With COMPANION_LAB=1 the kernel's lines are real, see `chip_rigs`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from typing import Any, Protocol

import pytest

from companion.app.ports import Buzzer, Colour, DeviceError, Lamp, Motif
from companion.app.sounds import ALERT, KEY, TRICK, TRUMPS
from hardware.buzzer import Kind, PinBuzzer
from hardware.lamp import LedLamp, mixed, switched
from tests.fakes.signals import Sandglass, pins_with_pwm, pins_without_pwm
from tests.hardware import chip_rigs

LINES = (17, 27, 22)
LINE = 18
COLOURS: tuple[Colour, ...] = ((0, 70, 255), (255, 30, 0), (0, 200, 40), (255, 255, 255))


class LampRig(Protocol):
    """A lamp whose colour can be inspected."""

    @property
    def lamp(self) -> Lamp: ...

    def looks(self, colour: Colour | None) -> bool:
        """Return whether it shows a colour, as well as this kind of lamp can."""


class Leds:
    """LEDs on pins; their levels come from the mock pins, or from a meter."""

    def __init__(
        self,
        factory: Any,
        brightness: float = 1.0,
        active_high: bool = True,
        level: Callable[[int], float] | None = None,
    ) -> None:
        self.lamp = LedLamp(factory, *LINES, brightness=brightness, active_high=active_high)
        self._pins = [factory.pin(line) for line in LINES]
        self._level = level or (lambda line: factory.pin(line).state)
        self._brightness = brightness
        self._active_high = active_high

    def looks(self, colour: Colour | None) -> bool:
        meant = mixed(colour or (0, 0, 0), self._brightness) if self._brightness < 1 else switched(colour or (0, 0, 0))
        lit = [pin.function == "output" for pin in self._pins]  # a released line lights nothing
        levels = [self._level(line) if self._active_high else 1 - self._level(line) for line in LINES]
        return [on and level for on, level in zip(lit, levels, strict=True)] == pytest.approx(list(meant))


class BuzzerRig(Protocol):
    """A buzzer whose sound can be inspected."""

    @property
    def buzzer(self) -> Buzzer: ...

    def last(self, motif: Motif) -> bool:
        """Return whether a motif was started last, as far as this kind of buzzer can tell; () is none."""


class Sounding:
    """A buzzer on a mock pin, whose notes end at once."""

    def __init__(self, kind: Kind) -> None:
        factory = pins_with_pwm()
        self._kind = kind
        self._time = Sandglass()
        self.buzzer = PinBuzzer(factory, LINE, kind, slot=self._time)
        self._pin = factory.pin(LINE)
        self._pin.clear_states()

    def last(self, motif: Motif) -> bool:
        self._time.settle()
        notes = [hertz for hertz, _ in motif if hertz]
        if self._kind == "passive":
            return self._sounds([hertz for hertz in self._pin.heard if hertz], notes)
        return self._sounds([1 for each in self._pin.states[1:] if each.state], [1] * len(notes))

    @staticmethod
    def _sounds(heard: list[int], notes: list[int]) -> bool:
        return heard[len(heard) - len(notes) :] == notes and bool(heard) is bool(notes)


@contextmanager
def leds_on_chip(chip: Callable[[], AbstractContextManager[chip_rigs.Rig]], active_high: bool) -> Iterator[LampRig]:
    """Make LEDs on lines of the kernel's character device."""
    with chip() as rig:
        yield Leds(rig.factory, active_high=active_high, level=rig.level)


LAMPS: dict[str, Callable[[], AbstractContextManager[LampRig]]] = {
    "on or off": lambda: nullcontext(Leds(pins_without_pwm())),
    "on or off, common anode": lambda: nullcontext(Leds(pins_without_pwm(), active_high=False)),
    "dimmed": lambda: nullcontext(Leds(pins_with_pwm(), 0.4)),
    "dimmed, common anode": lambda: nullcontext(Leds(pins_with_pwm(), 0.4, active_high=False)),
    **{f"on or off, {name} lines": partial(leds_on_chip, chip, True) for name, chip in chip_rigs.RIGS.items()},
    **{f"common anode, {name} lines": partial(leds_on_chip, chip, False) for name, chip in chip_rigs.RIGS.items()},
}
BUZZERS: dict[str, Callable[[], BuzzerRig]] = {
    "passive": lambda: Sounding("passive"),
    "active": lambda: Sounding("active"),
}


@pytest.fixture(params=LAMPS)
def lit(request: pytest.FixtureRequest) -> Iterator[LampRig]:
    """Return every kind of lamp in turn."""
    with LAMPS[request.param]() as rig:
        try:
            yield rig
        finally:
            rig.lamp.close()


@pytest.fixture(params=BUZZERS)
def loud(request: pytest.FixtureRequest) -> Iterator[BuzzerRig]:
    """Return every kind of buzzer in turn."""
    rig = BUZZERS[request.param]()
    try:
        yield rig
    finally:
        rig.buzzer.close()


def test_a_lamp_is_dark_before_it_is_told_anything(lit: LampRig) -> None:
    assert lit.looks(None)


def test_the_colour_shown_is_the_colour_seen(lit: LampRig) -> None:
    for colour in (*COLOURS, None, *COLOURS):
        lit.lamp.show(colour)
        assert lit.looks(colour)
        assert not any(lit.looks(other) for other in (None, *COLOURS) if other != colour)


def test_a_lamp_is_dark_once_it_is_closed_and_says_so(lit: LampRig) -> None:
    lit.lamp.show(COLOURS[0])
    lit.lamp.close()
    assert lit.looks(None)
    with pytest.raises(DeviceError, match=re.escape("The lamp is closed.")):
        lit.lamp.show(COLOURS[0])
    assert lit.looks(None)


def test_a_lamp_may_be_closed_twice(lit: LampRig) -> None:
    lit.lamp.close()
    lit.lamp.close()


def test_a_buzzer_is_silent_before_it_is_told_anything(loud: BuzzerRig) -> None:
    assert loud.last(())


def test_the_motif_played_is_the_motif_heard(loud: BuzzerRig) -> None:
    for motif in (KEY, TRICK, *TRUMPS, ALERT, KEY):
        loud.buzzer.play(motif)
        assert loud.last(motif)


def test_a_buzzer_that_is_closed_says_so(loud: BuzzerRig) -> None:
    loud.buzzer.close()
    with pytest.raises(DeviceError, match=re.escape("The buzzer is closed.")):
        loud.buzzer.play(KEY)


def test_a_buzzer_may_be_closed_twice(loud: BuzzerRig) -> None:
    loud.buzzer.play(ALERT)
    loud.buzzer.close()
    loud.buzzer.close()


@pytest.mark.parametrize("chip", chip_rigs.RIGS)
def test_an_active_buzzer_moves_a_line_of_the_kernel_note_by_note(chip: str) -> None:
    with chip_rigs.RIGS[chip]() as rig:
        time = Sandglass(running=False)
        buzzer = PinBuzzer(rig.factory, LINE, "active", slot=time)
        try:
            buzzer.play(TRUMPS[3])
            time.settle()
            for hertz, _ in TRUMPS[3]:
                assert rig.level(LINE) is bool(hertz)
                time.turn()
            assert not rig.level(LINE)
        finally:
            buzzer.close()
