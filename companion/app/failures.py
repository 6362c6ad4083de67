"""After a failure: exceptions are logged and survived, and what failed is tried again later."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from companion.core.program_log import ProgramLog

_LOG = ProgramLog(__name__)


class LogAndContinue:
    """A context manager that logs an exception of its block and goes on."""

    def __init__(self, what: str) -> None:
        """Take a description of the work, for the log."""
        self._what = what

    def __enter__(self) -> None:
        """Enter the block."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        """Log an exception of the block. Exceptions that end the program, such as KeyboardInterrupt, pass through."""
        if not isinstance(error, Exception):
            return False
        _LOG.exception("companion: %s: %r", self._what, error, error=error)
        return True


def survive(what: str, *ways: Callable[[], object]) -> bool:
    """Call functions in order until one raises nothing. Return whether the first one succeeded.

    ``what`` says what is being done, for the log.
    """
    for number, way in enumerate(ways):
        with LogAndContinue(what if number == 0 else f"{what}, and then instead"):
            way()
            return number == 0
    return False


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
