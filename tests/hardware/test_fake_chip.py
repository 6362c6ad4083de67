"""The simulated GPIO chip counts what damages a Pi, and refuses what the kernel refuses."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gpiod import LineSettings
from gpiod.line import Direction, Drive, Edge, Value

from hardware.gpio_chips import request
from tests.fakes.chip import FakeGpio

ONE, TWO = 5, 6
HIGH = LineSettings(Direction.OUTPUT, output_value=Value.ACTIVE)
LOW = LineSettings(Direction.OUTPUT)


@pytest.fixture
def gpio() -> Iterator[FakeGpio]:
    with FakeGpio().found() as made:
        made.join(ONE, TWO)
        yield made


def test_outputs_that_drive_against_each_other_are_a_short_until_they_agree(gpio: FakeGpio) -> None:
    lines = request({ONE: HIGH, TWO: LOW})
    assert (gpio.shorts, gpio.level(ONE), gpio.level(TWO)) == (1, False, False)
    lines.set_value(TWO, Value.INACTIVE)
    assert gpio.shorts == 1
    lines.set_value(TWO, Value.ACTIVE)
    assert (gpio.shorts, gpio.level(ONE), gpio.level(TWO)) == (1, True, True)
    lines.set_value(ONE, Value.INACTIVE)
    assert gpio.shorts == 2
    lines.release()


def test_an_output_with_an_open_drain_is_never_high_and_makes_no_short(gpio: FakeGpio) -> None:
    lines = request({ONE: LineSettings(Direction.OUTPUT, drive=Drive.OPEN_DRAIN, output_value=Value.ACTIVE), TWO: LOW})
    assert (gpio.shorts, gpio.level(ONE)) == (0, False)
    lines.release()


def test_an_output_has_no_edges(gpio: FakeGpio) -> None:
    with pytest.raises(OSError, match="the kernel refuses GPIO5"):
        request({ONE: LineSettings(Direction.OUTPUT, edge_detection=Edge.BOTH)})
