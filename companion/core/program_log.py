"""The program's own log: warnings and tracebacks, which go to standard error in lines that no terminal obeys.

Python's `logging` is imported with the first of them: a start that goes well logs nothing, and `logging` with what it
imports takes a fiftieth of its time and half a megabyte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .text import printable

if TYPE_CHECKING:
    from logging import Formatter, Logger, LogRecord


class ProgramLog:
    """The log of a module."""

    def __init__(self, name: str) -> None:
        """Take the module's name."""
        self._name = name

    def warning(self, message: str, *values: object, traceback: bool = False) -> None:
        """Log a message; with the traceback of the exception that is handled, if that is asked for."""
        self._opened().warning(message, *values, exc_info=traceback)

    def exception(self, message: str, *values: object, error: BaseException | None = None) -> None:
        """Log a message with the traceback of an exception; of the one that is handled, unless another is given."""
        self._opened().error(message, *values, exc_info=error or True)

    def _opened(self) -> Logger:
        from logging import getLogger  # see above

        escape_lines()
        return getLogger(self._name)


def one_line() -> Formatter:
    """Return what formats a log record as one line, as `companion.app.terminal.say` does; a traceback has several."""
    import logging  # see above

    class OneLine(logging.Formatter):
        def formatMessage(self, record: LogRecord) -> str:  # noqa: N802  # the standard library's name
            return printable(super().formatMessage(record))

        def formatException(self, ei: Any) -> str:  # noqa: N802
            return "\n".join(map(printable, super().formatException(ei).split("\n")))

    return OneLine()


def escape_lines() -> None:
    """Escape what logs without a handler of their own write to standard error: those of libraries, too."""
    from logging import lastResort  # see above

    if lastResort is not None:
        lastResort.setFormatter(one_line())
