"""Text for terminals: printing that escapes control characters, and aligned columns."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TextIO
from unicodedata import combining, east_asian_width

_UNSAFE = (
    "[\x00-\x1f\x7f-\x9f"  # control characters; a terminal's commands begin with one
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # they turn the direction of what follows
    "\u200b\u2028\u2029\u2060\ufeff"  # invisible, or a line of their own
    "\ud800-\udfff]"  # bytes of a file's name that are no text
)
"""The characters that are escaped, a pattern. `re` compiles it on first use: a start that goes well prints nothing."""


def printable(text: object) -> str:
    r"""Return a text as one line without control characters: they are written as in a Python string.

    >>> print(printable("a file\x1b[2J\ninstalled: 9.9"))
    a file\x1b[2J\ninstalled: 9.9
    """
    return re.sub(_UNSAFE, lambda found: found[0].encode("unicode_escape").decode(), str(text))


def say(
    text: object = "", *, error: bool = False, end: str = "\n", flush: bool = False, out: TextIO | None = None
) -> None:
    """Print one line.

    Args:
        text: The line; what a terminal could obey is escaped.
        error: Whether it goes to standard error.
        end: What follows it; empty for a question that is answered on the same line.
        flush: Whether it is seen at once.
        out: Where to print; None for standard output or error.
    """
    print(printable(text), end=end, flush=flush, file=out or (sys.stderr if error else None))  # only here


class PrintableLog(logging.Formatter):
    """Formats log records like `say`; only tracebacks have lines of their own."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the standard library's name
        """Return the message as one line."""
        return printable(super().formatMessage(record))

    def formatException(  # noqa: N802
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        """Return the lines of a traceback."""
        return "\n".join(map(printable, super().formatException(ei).split("\n")))


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: str = "") -> Iterator[str]:
    """Yield a table line by line; a ">" in ``right`` aligns the column at its place to the right.

    >>> print(*table(("name", "won"), [("Ann", "2"), ("Bo", "10")], "<>"), sep="|")
    name  won|Ann     2|Bo     10
    """
    lines = [heads, *([printable(cell) for cell in row] for row in rows)]
    widths = [max(width(line[column]) for line in lines) for column in range(len(heads))]
    for line in lines:
        cells = []
        for column, cell in enumerate(line):
            blank = " " * (widths[column] - width(cell))
            cells.append(blank + cell if right[column : column + 1] == ">" else cell + blank)
        yield "  ".join(cells).rstrip()


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> width("日本"), width("Zoe\u0308")
    (4, 3)
    """
    return sum(0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in text)
