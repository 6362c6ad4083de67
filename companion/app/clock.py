"""The computer's own clock."""

import time


class SystemClock:
    """Tells the time as the computer knows it."""

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()
