"""The lamp on mock pins: its colours, and the operations on its lines."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.app.ports import Colour, DeviceError
from companion.core.cards import Suit
from companion.games.east_rune import rules as east_rune
from companion.games.eternity import rules as eternity
from companion.games.gear import rules as gear
from companion.games.hipparchus import rules as hipparchus
from hardware.lamp import LedLamp, mixed, switched
from tests.fakes.signals import SignalPin, pins_with_pwm, pins_without_pwm

LINES = (17, 27, 22)
SEA, SKY, EARTH = (0, 70, 255), (255, 30, 0), (0, 200, 40)
WHITE = (255, 255, 255)

colours = st.tuples(*[st.integers(0, 255)] * 3)


def levels(factory: Any) -> tuple[float, ...]:
    """Return the lines' levels: red, green, blue."""
    return tuple(float(factory.pin(line).state) for line in LINES)


def asked(factory: Any) -> int:
    return sum(factory.pin(line).asked for line in LINES)


def pwm(factory: Any) -> list[bool]:
    return [factory.pin(line).frequency is not None for line in LINES]


@contextmanager
def lamp(factory: Any, brightness: float = 1.0, active_high: bool = True) -> Iterator[LedLamp]:
    made = LedLamp(factory, *LINES, brightness=brightness, active_high=active_high)
    try:
        yield made
    finally:
        made.close()


@pytest.mark.parametrize("suits", [eternity.SUITS, gear.SUITS, hipparchus.SUITS, (*east_rune.DOMAINS, east_rune.ANY)])
def test_the_suits_of_a_game_are_told_apart_on_lines_that_are_on_or_off(suits: tuple[Suit, ...]) -> None:
    seen = {switched(suit.colour) for suit in suits}
    assert len(seen) == len(suits)
    assert (0.0, 0.0, 0.0) not in seen


@given(colours)
def test_only_black_is_dark(colour: Colour) -> None:
    assert any(switched(colour)) is any(colour)
    assert any(mixed(colour, 0.5)) is any(colour)


@given(colours, st.floats(0.01, 0.99))
def test_a_dimmed_lamp_keeps_the_order_of_a_colours_parts_and_its_limit(colour: Colour, brightness: float) -> None:
    parts = mixed(colour, brightness)
    assert max(parts) <= brightness
    assert sorted(range(3), key=colour.__getitem__) == sorted(range(3), key=parts.__getitem__)


def test_a_dimmed_lamp_mixes_colours_as_a_screen_does() -> None:
    red, green, blue = mixed((0, 128, 255), 0.5)
    assert red == 0
    assert green == pytest.approx(0.11, abs=0.01)  # half the value is a fifth of the light
    assert blue == 0.5


def test_pwm_runs_only_on_lines_that_are_neither_on_nor_off() -> None:
    factory = pins_with_pwm()
    with lamp(factory, 0.5) as made:
        assert pwm(factory) == [False, False, False]
        made.show((0, 128, 255))
        assert pwm(factory) == [False, True, True]
        made.show(None)
        assert pwm(factory) == [False, False, False]
        assert levels(factory) == (0, 0, 0)


@pytest.mark.parametrize("brightness", [1.0, 0.5])
@given(shown=st.lists(st.none() | colours, max_size=6))
def test_nothing_is_asked_of_the_lines_when_the_colour_stays(brightness: float, shown: list[Colour | None]) -> None:
    factory = pins_with_pwm()
    with lamp(factory, brightness) as made:
        for colour in shown:
            made.show(colour)
            before = asked(factory)
            made.show(colour)
            assert asked(factory) == before


def test_after_a_fault_every_line_is_set_even_for_the_colour_shown_before() -> None:
    factory = pins_with_pwm()
    with lamp(factory) as made:
        made.show(SEA)
        factory.pin(LINES[2]).broken = True  # green is lit before it fails
        with pytest.raises(DeviceError, match="The lamp does not change"):
            made.show(EARTH)
        factory.pin(LINES[2]).broken = False
        made.show(SEA)
        assert levels(factory) == (0, 0, 1)


def test_lines_without_pwm_cannot_dim_and_are_given_back() -> None:
    factory = pins_without_pwm()
    with pytest.raises(DeviceError, match="cannot dim the lamp"):
        LedLamp(factory, *LINES, brightness=0.5)
    LedLamp(factory, *LINES).close()


@pytest.mark.parametrize("lines", [(17, 27, 17), (17, 27, 99)])
def test_lines_that_cannot_be_had_are_a_fault_of_the_device_and_the_others_are_given_back(
    lines: tuple[int, int, int],
) -> None:
    factory = pins_with_pwm()
    with pytest.raises(DeviceError, match=r"The lamp's lines, GPIO .*, cannot be had") as caught:
        LedLamp(factory, *lines)
    LedLamp(factory, *LINES).close()
    del caught  # until here, the traceback kept the LEDs alive


def test_a_lamp_that_fails_at_once_is_a_fault_and_can_be_made_later() -> None:
    factory = pins_with_pwm()
    factory.pin(LINES[2]).broken = True
    with pytest.raises(DeviceError, match=r"The lamp's lines, GPIO .*, cannot be had") as caught:
        LedLamp(factory, *LINES)
    factory.pin(LINES[2]).broken = False
    del caught  # and with it gpiozero's incomplete LED, which holds its line
    gc.collect()
    LedLamp(factory, *LINES).close()


@pytest.mark.parametrize("brightness", [1.0, 0.5])
def test_closing_gives_the_lines_back(brightness: float) -> None:
    factory = pins_with_pwm()
    lamps = [LedLamp(factory, *LINES, brightness=brightness)]  # kept alive: collection would close them
    lamps[0].close()
    lamps.append(LedLamp(factory, *LINES, brightness=brightness))
    lamps[1].close()


def test_closing_never_raises_and_puts_out_what_can_be_put_out() -> None:
    factory = pins_with_pwm()
    made = LedLamp(factory, *LINES)
    made.show(WHITE)
    broken: SignalPin = factory.pin(LINES[0])
    broken.broken = True
    try:
        made.close()
        assert levels(factory)[1:] == (0, 0)
    finally:
        broken.broken = False
        del made
        gc.collect()  # gpiozero tries again to close what it could not close


@pytest.mark.parametrize("brightness", [-0.1, 1.1, float("nan")])
def test_a_brightness_is_between_0_and_1(brightness: float) -> None:
    with pytest.raises(ValueError, match="a brightness of"):
        LedLamp(pins_with_pwm(), *LINES, brightness=brightness)


def test_a_mistake_of_the_program_is_no_fault_of_the_lamp() -> None:
    with lamp(pins_with_pwm(), 0.5) as made, pytest.raises(ValueError, match="between 0 and 1"):
        made.show((0, 0, 600))


def test_what_lgpio_raises_is_a_fault_of_the_device_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Error(Exception):
        """An exception like lgpio's: derived from Exception alone, its text in quotes."""

    monkeypatch.setitem(sys.modules, "lgpio", SimpleNamespace(error=Error))
    factory = pins_with_pwm()

    def busy(_: object) -> None:
        raise Error("'GPIO busy'")

    monkeypatch.setattr(factory, "pin", busy)
    with pytest.raises(DeviceError, match=r"GPIO 17, 27 and 22, cannot be had: GPIO busy\.$"):
        LedLamp(factory, *LINES)
