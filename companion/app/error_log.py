"""Logs unexpected exceptions with their traceback; the program goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import TracebackType

_LOG = logging.getLogger(__name__)


class LogExceptions:
    """A context manager that logs and swallows every exception of its block."""

    def __init__(self, what: str) -> None:
        """Say in the log what was being done."""
        self._what = what

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> bool:
        """Log what was raised in the block; what ends the program is let through."""
        if not isinstance(error, Exception):
            return False
        _LOG.error("companion: %s: %r", self._what, error, exc_info=error)
        return True


def survive(what: str, *ways: Callable[[], object]) -> bool:
    """Go the first of some ways that raises nothing, and tell whether that was the first of them all.

    Args:
        what: What is being done, for the log.
        ways: What to do, and what to do instead where that fails.
    """
    for number, way in enumerate(ways):
        with LogExceptions(what if number == 0 else f"{what}, and then instead"):
            way()
            return number == 0
    return False
