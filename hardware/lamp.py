"""The lamp: an RGB LED on three GPIO lines, driven through gpiozero.

At full brightness, each line is just on or off. That needs no PWM, which the kernel's pins lack, and causes no
wake-ups. A dimmed lamp mixes colours with PWM, but only on lines that are neither fully on nor off. gpiozero's
RGBLED keeps PWM running even while dark, so this module uses three LEDs.

gpiozero is slow to import, so it is imported when a lamp is made, not with this module.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from companion.app.ports import Colour, DeviceError

from .gpio_chips import line_errors, reason

_DARK = (0.0, 0.0, 0.0)
_GAMMA = 2.2  # colours are meant for screens; an LED is linear, and half the value would look too bright
_FREQUENCY = 100  # hertz; free of flicker, and possible with software PWM

Levels = tuple[float, float, float]  # red, green and blue, each 0.0-1.0


def switched(colour: Colour) -> Levels:
    """Return the nearest colour that lines can make when each is either on or off.

    A component is on if it is at least half as strong as the strongest. So only black is dark.
    """
    half = max(colour) / 2
    red, green, blue = (float(part > 0 and part >= half) for part in colour)
    return red, green, blue


def mixed(colour: Colour, brightness: float) -> Levels:
    """Return the duty cycles that make an LED look like a colour on a screen."""
    red, green, blue = (brightness * (part / 255) ** _GAMMA for part in colour)
    return red, green, blue


class LedLamp:
    """An RGB LED; sends nothing while the colour is unchanged.

    A brightness below 1 (of 0.0-1.0) needs a factory with PWM. An LED with a common anode is not `active_high`.

    Raises:
        DeviceError: The lines are not available.
        ValueError: The brightness is out of range.
    """

    def __init__(
        self, factory: Any, red: int, green: int, blue: int, brightness: float = 1.0, active_high: bool = True
    ) -> None:
        from gpiozero import LED, PWMLED  # gpiozero is heavy, see above
        from gpiozero.exc import PinPWMUnsupported

        if not 0 <= brightness <= 1:
            raise ValueError(f"a brightness of {brightness}; it is between 0 and 1")
        self._dimmed = brightness < 1
        self._levels: Callable[[Colour], Levels] = (
            (lambda colour: mixed(colour, brightness)) if self._dimmed else switched
        )
        self._errors = line_errors()
        self._leds: list[Any] = []
        self._closed = False
        self._shown: Levels | None = None  # None: unknown
        kind = PWMLED if self._dimmed else LED
        try:
            for line in (red, green, blue):
                self._leds.append(kind(line, active_high=active_high, pin_factory=factory))
            self._write(_DARK)
        except self._errors as error:
            self.close()
            if isinstance(error, PinPWMUnsupported):
                raise DeviceError("These pins cannot dim the lamp; a brightness of 1 needs no dimming.") from error
            raise DeviceError(
                f"The lamp's lines, GPIO {red}, {green} and {blue}, cannot be had: {reason(error)}."
            ) from error

    def show(self, colour: Colour | None) -> None:
        """Shine in the nearest possible colour; None is dark.

        Raises DeviceError if a line failed or the lamp is closed; the next call sets all lines again.
        """
        if self._closed:
            raise DeviceError("The lamp is closed.")
        try:
            self._write(_DARK if colour is None else self._levels(colour))
        except self._errors as error:
            raise DeviceError("The lamp does not change.") from error

    def close(self) -> None:
        """Switch off and release the lines; never raises."""
        if self._closed:
            return
        self._closed = True
        for led in self._leds:
            with suppress(*self._errors):
                self._set(led, 0.0)
            with suppress(*self._errors):
                led.close()

    def _write(self, levels: Levels) -> None:
        """Set the lines, unless they have these levels already."""
        if levels == self._shown:
            return
        self._shown = None  # unknown until all lines are set
        for led, level in zip(self._leds, levels, strict=True):
            self._set(led, level)
        self._shown = levels

    def _set(self, led: Any, level: float) -> None:
        """Set one LED; without PWM if it is fully on or off."""
        if self._dimmed:
            led.frequency = _FREQUENCY if 0 < level < 1 else None
        led.value = level
