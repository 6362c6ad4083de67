"""The system clock: seconds since 1970, monotonic seconds, and the local date of an entry."""

from __future__ import annotations

import time
from datetime import datetime

from companion.history.days import UNSET, local


def noted(moment: float) -> datetime | None:
    """Return the local date and time of an entry; None if the clock had not been set."""
    return None if moment < UNSET else local(moment)


class SystemClock:
    """The computer's clock."""

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def passed(self) -> float:
        """Return seconds since about the start of the computer."""
        return time.monotonic()
