"""Logs unexpected exceptions and goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import TracebackType

_LOG = logging.getLogger(__name__)


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
        _LOG.error("companion: %s: %r", self._what, error, exc_info=error)
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
