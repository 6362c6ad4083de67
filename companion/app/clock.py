"""Two clocks: the system clock, and a fixed one for tests and pictures."""

from __future__ import annotations

import time
from datetime import datetime


def local(now: float) -> datetime | None:
    """Return a moment as the clocks here show it; None where it is so far off that no calendar has the day."""
    try:
        return datetime.fromtimestamp(now)
    except (ValueError, OverflowError, OSError):
        return None


UNSET = 1_767_225_600.0
"""The first of January 2026: a clock that is before it was never set, for there were no games then."""


def noted(moment: float) -> datetime | None:
    """Return when something was written down, as the clocks here show it; None where the clock had not been set."""
    return None if moment < UNSET else local(moment)


class SystemClock:
    """The computer's clock."""

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def passed(self) -> float:
        """Return seconds since the computer was switched on, more or less."""
        return time.monotonic()


class FixedClock:
    """A clock that stands at a given time; noon of 1 January 1970 by default.

    Attributes:
        time: Seconds since 1970.
        run: Seconds that have passed.
    """

    def __init__(self) -> None:
        self.time = 12 * 3600.0
        self.run = 0.0

    def now(self) -> float:
        """Return seconds since 1970."""
        return self.time

    def passed(self) -> float:
        """Return seconds since it was made."""
        return self.run

    def let_pass(self, seconds: float) -> None:
        """Let time pass."""
        self.time += seconds
        self.run += seconds
