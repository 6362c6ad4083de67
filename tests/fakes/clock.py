"""A clock that is set by hand."""

from __future__ import annotations


class FixedClock:
    """A clock for tests, set by hand; noon of 1 January 1970 by default.

    Attributes:
        time: Seconds since 1970.
        run: Seconds since the clock was made.
    """

    def __init__(self) -> None:
        self.time = 12 * 3600.0
        self.run = 0.0

    def now(self) -> float:
        return self.time

    def passed(self) -> float:
        """Return seconds since the clock was made."""
        return self.run

    def let_pass(self, seconds: float) -> None:
        self.time += seconds
        self.run += seconds
