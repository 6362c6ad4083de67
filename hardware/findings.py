"""The lines of the doctor's report: status, finding, advice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

AGAIN = "ask again with sudo: sudo companion doctor"
"""The remedy where this user lacks the right to read something."""


class Status(Enum):
    """Whether a check passed; its value is the mark before the line."""

    OK = "✓"
    WRONG = "✗"
    UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check.

    Attributes:
        status: How it is.
        what: What was found.
        remedy: What to do about it, if something can be done.
    """

    status: Status
    what: str
    remedy: str = ""

    def __str__(self) -> str:
        """Write the line that people read."""
        return f"{self.status.value} {self.what}" + (f" → {self.remedy}" if self.remedy else "")
