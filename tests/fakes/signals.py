"""Pins and time for tests of lamp and buzzer: gpiozero's mock pins with lgpio's quirks, and time that can stop."""

from __future__ import annotations

import errno
from threading import Event
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from companion.app.ports import Motif
from hardware.buzzer import LatestOnlyQueue

PATIENCE = 120.0
"""Seconds a test waits for another thread before it calls it hung."""

_PI_3B = "a02082"


class SignalPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types, so its classes are Any
    """A pin with the quirks of lgpio's, which records its output.

    Stopping PWM leaves the line at the level of its last cycle; here always high, which is the worse case. Without PWM
    there is nothing between low and high.

    Attributes:
        heard: The sounds of a buzzer on it, change by change: hertz, 0 is silence.
        asked: How often it was set.
        broken: Whether every operation fails.
        stumbles: How many of the next operations fail even if it is not broken.
        free: While cleared, operations hang.
        hangs: Set once an operation hangs.
    """

    def __init__(self, factory: Any, info: Any) -> None:
        self.heard: list[int] = []
        self.asked = 0
        self.broken = False
        self.stumbles = 0
        self.free = Event()
        self.free.set()
        self.hangs = Event()
        self._frequency: float | None = None
        super().__init__(factory, info)

    @property
    def sounding(self) -> int:
        """Return the current sound of a buzzer on it: hertz, 0 is silence."""
        return round(self._frequency) if self._frequency and 0 < self._state < 1 else 0

    def _told(self) -> None:
        self.asked += 1
        if not self.free.is_set():
            self.hangs.set()
        if not self.free.wait(PATIENCE):
            raise AssertionError("a pin that hangs was never set free")
        stumbling, self.stumbles = self.stumbles > 0, max(self.stumbles - 1, 0)
        if self.broken or stumbling:
            raise OSError(errno.EIO, "Input/output error")

    def _listen(self) -> None:
        if self.sounding != (self.heard[-1] if self.heard else 0):
            self.heard.append(self.sounding)

    def _set_state(self, value: float) -> None:
        self._told()
        super()._set_state(value if self._frequency else bool(value))
        self._listen()

    def _set_frequency(self, value: float | None) -> None:
        self._told()
        if value is None:
            self._frequency = None
            self._change_state(float(self._state > 0))
        else:
            if self._frequency is None:
                self._change_state(0.0)
            super()._set_frequency(value)
        self._listen()


def pins_with_pwm() -> Any:
    """Make a pin factory whose pins are like lgpio's."""
    return MockFactory(_PI_3B, SignalPin)


def pins_without_pwm() -> Any:
    """Make a pin factory whose pins are only on or off, like those of the kernel's character device."""
    return MockFactory(_PI_3B, MockPin)


class Sandglass(LatestOnlyQueue):
    """A slot without real time: a note is over at once, or lasts until `turn` is called.

    Args:
        running: Whether notes are over at once.
    """

    def __init__(self, running: bool = True) -> None:
        super().__init__()
        self.running = running
        self.waits: list[float] = []
        self._turns = 0
        self._still = False

    def put(self, motif: Motif) -> None:
        """Store a motif; it ends the wait of the buzzer's thread."""
        with self._changed:
            self._still = False
            super().put(motif)

    def take(self, seconds: float | None) -> Motif | None:
        """Wait for a motif, or until the note is over."""
        if seconds is None:
            return self._idle(None)
        self.waits.append(seconds)
        return super().take(0) if self.running else self._idle(self._turns)

    def turn(self) -> None:
        """End the current note, and wait until it has ended."""
        with self._changed:
            self._turns += 1
            self._still = False
            self._changed.notify_all()
        self.settle()

    def settle(self) -> None:
        """Wait until the buzzer's thread only waits.

        Raises:
            TimeoutError: The thread hangs.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._still, PATIENCE):
                raise TimeoutError("the buzzer does not settle")

    def _idle(self, turns: int | None) -> Motif | None:
        """Wait for a motif, or for a turn if turns are counted."""
        with self._changed:
            if self._motif is None and turns in (None, self._turns):
                self._still = True
                self._changed.notify_all()
            self._changed.wait_for(lambda: self._motif is not None or turns not in (None, self._turns))
            motif, self._motif = self._motif, None
            return motif
