"""The messages for failing lines."""

from __future__ import annotations

import errno

import pytest
from gpiozero.exc import GPIOPinInUse

from hardware.gpio_errors import reason


class LgpioError(Exception):
    """An exception like lgpio's: derived from Exception alone, its text in quotes."""

    def __str__(self) -> str:
        return repr("GPIO busy")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (LgpioError(), "GPIO busy"),
        (OSError(errno.EIO, "Input/output error"), "Input/output error"),
        (OSError("lost."), "lost"),
        (GPIOPinInUse('GPIO5 is in use by "spi0 CS0"'), 'GPIO5 is in use by "spi0 CS0"'),
        (GPIOPinInUse(), "GPIOPinInUse"),
    ],
)
def test_a_reason_ends_a_sentence(error: Exception, said: str) -> None:
    assert reason(error) == said
