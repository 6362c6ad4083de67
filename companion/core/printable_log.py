"""Escapes the lines that Python's logs write to standard error, as `companion.app.terminal.say` does with its own."""

from __future__ import annotations

import logging
from types import TracebackType

from companion.core.text import printable


class PrintableLog(logging.Formatter):
    """Formats log records as one line; only tracebacks have lines of their own."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the standard library's name
        """Return the message as one line."""
        return printable(super().formatMessage(record))

    def formatException(  # noqa: N802
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        """Return the lines of a traceback."""
        return "\n".join(map(printable, super().formatException(ei).split("\n")))


def escape_lines() -> None:
    """Escape what logs without a handler of their own write to standard error: those of libraries, too."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(PrintableLog())
