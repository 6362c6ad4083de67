"""The lines of the doctor's report: status, finding, advice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

AGAIN = "ask again with sudo: sudo companion doctor"  # the advice where this user lacks the right to read something


class Verdict(Enum):
    """The status of a check; its value is the mark at the start of the line."""

    OK = "✓"
    WRONG = "✗"
    UNKNOWN = "–"


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    status: Verdict  # whether the check passed
    what: str  # what was found
    remedy: str = ""  # what to do about it, if anything

    def __str__(self) -> str:
        return f"{self.status.value} {self.what}" + (f" → {self.remedy}" if self.remedy else "")
