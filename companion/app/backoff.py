"""Says when to retry after a failure. The caller passes the time in."""

from __future__ import annotations


class Backoff:
    """The next try after a failure; the wait doubles with each failure in a row, up to a limit.

    >>> retry = Backoff(first=0.5, last=1.5)
    >>> for _ in range(3): retry.failed(now=10); print(retry.due)
    10.5
    11.0
    11.5

    Args:
        first: Seconds to wait after the first failure.
        last: Seconds to wait at most.
    """

    def __init__(self, first: float, last: float) -> None:
        self._first = self._wait = first
        self._last = last
        self.due: float | None = None  # when to try again; None while nothing fails

    def failed(self, now: float) -> None:
        """Note a failure."""
        self.due = now + self._wait
        self._wait = min(2 * self._wait, self._last)

    def worked(self) -> None:
        """Note a success."""
        self.due, self._wait = None, self._first

    def ready(self, now: float) -> bool:
        """Return whether a retry is due."""
        return self.due is not None and self.due <= now
