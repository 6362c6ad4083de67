"""Clocks: the computer's own, and one that stands."""

from __future__ import annotations

import datetime
import time


def time_of_day(now: float) -> datetime.time | None:
    """Return the local time of a moment; None where the clock is so wrong that no calendar has the day."""
    try:
        return datetime.datetime.fromtimestamp(now).time()
    except (ValueError, OverflowError, OSError):
        return None


class SystemClock:
    """Tells the time as the computer knows it."""

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def passed(self) -> float:
        """Return seconds since the computer was switched on, more or less."""
        return time.monotonic()


class StandingClock:
    """A clock for pictures and tests: it tells what it was told, noon of the first day to begin with.

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
