"""The program's own log: warnings and tracebacks, which go to standard error in lines that no terminal obeys.

Python's `logging` is imported with the first of them: a start that goes well logs nothing, and `logging` with what it
imports takes a fiftieth of its time and half a megabyte.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from logging import Logger

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

        from .printable_log import escape_lines

        escape_lines()
        return getLogger(self._name)
