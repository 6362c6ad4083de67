"""Two clocks: the system clock, and a fixed one for tests and pictures."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

from companion.history.days import UNSET, local

if TYPE_CHECKING:
    from .ports import ClockSetter


def noted(moment: float) -> datetime | None:
    """Return the local date and time of an entry; None if the clock had not been set."""
    return None if moment < UNSET else local(moment)


class SystemClock:
    """The computer's clock.

    Attributes:
        setter: What sets it; None where nothing may.
    """

    def __init__(self, setter: ClockSetter | None = None) -> None:
        self.setter = setter

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def passed(self) -> float:
        """Return seconds since about the start of the computer."""
        return time.monotonic()


class FixedClock:
    """A clock for tests, set by hand; noon of 1 January 1970 by default.

    Attributes:
        time: Seconds since 1970.
        run: Seconds since the clock was made.
        setter: What sets the clock of the machine; None where nothing may.
    """

    def __init__(self) -> None:
        self.setter: ClockSetter | None = None
        self.time = 12 * 3600.0
        self.run = 0.0

    def now(self) -> float:
        """Return seconds since 1970."""
        return self.time

    def passed(self) -> float:
        """Return seconds since the clock was made."""
        return self.run

    def let_pass(self, seconds: float) -> None:
        """Advance the clock."""
        self.time += seconds
        self.run += seconds
