"""The lamp: an RGB LED on three GPIO lines, behind gpiozero.

At full brightness each line is simply on or off: that takes no PWM, which the kernel's pins do not have, and
wakes nobody. A dimmed lamp mixes its colours by PWM, but only on lines that are neither on nor off.
gpiozero's RGBLED keeps PWM running even while it is dark; so these are three LEDs.

gpiozero is heavy, so it is imported when a lamp is made, never when this module is.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from companion.app.ports import Colour, DeviceFault

from .gpio_errors import line_errors, reason

_DARK = (0.0, 0.0, 0.0)
_GAMMA = 2.2  # the games' colours are meant for screens; an LED is linear, so by half the number it shines too bright
_FREQUENCY = 100  # hertz; no flicker is seen, and software PWM still keeps up

Levels = tuple[float, float, float]
"""How much of red, green and blue, each 0.0-1.0."""


def switched(colour: Colour) -> Levels:
    """Return the nearest of the seven colours that lines make which are only on or off.

    On is what is at least half as strong as the strongest; so only black is dark.
    """
    half = max(colour) / 2
    red, green, blue = (float(part > 0 and part >= half) for part in colour)
    return red, green, blue


def mixed(colour: Colour, brightness: float) -> Levels:
    """Return how long of each cycle the lines are on to look like a colour on a screen."""
    red, green, blue = (brightness * (part / 255) ** _GAMMA for part in colour)
    return red, green, blue


class LedLamp:
    """An RGB LED; sends nothing while the colour stays.

    Args:
        factory: The pin factory; with a brightness below 1 one that has PWM.
        red: The GPIO of the red LED.
        green: The GPIO of the green one.
        blue: The GPIO of the blue one.
        brightness: 0.0-1.0; only 1.0 does without PWM.
        active_high: False for an LED whose common leg is the anode.

    Raises:
        DeviceFault: The lines cannot be had.
        ValueError: The brightness is none.
    """

    def __init__(
        self, factory: Any, red: int, green: int, blue: int, brightness: float = 1.0, active_high: bool = True
    ) -> None:
        from gpiozero import LED, PWMLED  # noqa: PLC0415  # gpiozero is heavy, see above
        from gpiozero.exc import PinPWMUnsupported  # noqa: PLC0415

        if not 0 <= brightness <= 1:
            raise ValueError(f"a brightness of {brightness}; it is between 0 and 1")
        self._dimmed = brightness < 1
        self._levels: Callable[[Colour], Levels] = (
            (lambda colour: mixed(colour, brightness)) if self._dimmed else switched
        )
        self._losses = line_errors()
        self._leds: list[Any] = []
        self._closed = False
        self._shown: Levels | None = None  # None: not known
        kind = PWMLED if self._dimmed else LED
        try:
            for line in (red, green, blue):
                self._leds.append(kind(line, active_high=active_high, pin_factory=factory))
            self._write(_DARK)
        except self._losses as error:
            self.close()
            if isinstance(error, PinPWMUnsupported):
                raise DeviceFault("These pins cannot dim the lamp; a brightness of 1 needs no dimming.") from error
            raise DeviceFault(
                f"The lamp's lines, GPIO {red}, {green} and {blue}, cannot be had: {reason(error)}."
            ) from error

    def show(self, colour: Colour | None) -> None:
        """Shine in a colour as near as can be, or not at all.

        Raises:
            DeviceFault: A line does not do it, or the lamp is closed; the next call sets all of them.
        """
        if self._closed:
            raise DeviceFault("The lamp is closed.")
        try:
            self._write(_DARK if colour is None else self._levels(colour))
        except self._losses as error:
            raise DeviceFault("The lamp does not change.") from error

    def close(self) -> None:
        """Put it out and let go of its lines; never raises."""
        if self._closed:
            return
        self._closed = True
        for led in self._leds:
            with suppress(*self._losses):
                self._set(led, 0.0)
            with suppress(*self._losses):
                led.close()

    def _write(self, levels: Levels) -> None:
        """Set the lines, unless they are known to be so."""
        if levels == self._shown:
            return
        self._shown = None  # until all of them are set
        for led, level in zip(self._leds, levels, strict=True):
            self._set(led, level)
        self._shown = levels

    def _set(self, led: Any, level: float) -> None:
        """Set one LED, without PWM if it is to be on or off."""
        if self._dimmed:
            led.frequency = _FREQUENCY if 0 < level < 1 else None
        led.value = level
