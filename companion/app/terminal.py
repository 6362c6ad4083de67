"""Text for terminals: printing that escapes control characters, and aligned columns."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from unicodedata import combining, east_asian_width

from companion.core.text import printable


def say(text: object = "", *, error: bool = False, end: str = "\n", flush: bool = False) -> None:
    """Print one line.

    Args:
        text: The line; what a terminal could obey is escaped.
        error: Whether it goes to standard error instead of standard output.
        end: What follows it; empty for a question that is answered on the same line.
        flush: Whether it is seen at once.
    """
    print(printable(text), end=end, flush=flush, file=sys.stderr if error else None)  # only here


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
