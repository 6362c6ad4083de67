"""The result of a check of the doctor, and what checks read: files, output of programs, the holder of a lock."""

from __future__ import annotations

import os
import re
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from companion.app.ports import DeviceError
from hardware.system import output_of

AGAIN = "ask again with sudo: sudo companion doctor"  # the advice where this user lacks the right to read something
LONGEST = 80  # maximum characters of a command line to show


class Verdict(Enum):
    """The status of a check; its value is the mark at the start of the line."""

    OK = "✓"
    WRONG = "✗"
    UNKNOWN = "–"


class Finding(NamedTuple):
    """The result of one check."""

    status: Verdict  # whether the check passed
    what: str  # what was found
    remedy: str = ""  # what to do about it, if anything

    def __str__(self) -> str:
        return f"{self.status.value} {self.what}" + (f" → {self.remedy}" if self.remedy else "")


def text(file: Path) -> str:
    """Return the content of a file of the system; empty if it is missing or unreadable."""
    try:
        return file.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""


def answer(*command: str) -> str | None:
    """Return a program's output, or None if it is missing or fails."""
    try:
        return output_of(command, "It cannot be read", command[0]).strip()
    except DeviceError:
        return None


def locker(folder: Path, proc: Path = Path("/proc")) -> str:
    """Return number and command of the process that holds the lock on a folder, if it is known."""
    number = os.stat(folder).st_ino
    holders = re.findall(rf"FLOCK +ADVISORY +WRITE +([0-9]+) [0-9a-f:]+:{number} ", text(proc / "locks"))
    if len(holders) != 1:  # a file of another disk may have the same number
        return ""
    command = text(proc / holders[0] / "cmdline").replace("\0", " ")
    seen = "".join(letter if letter.isprintable() else "?" for letter in command)
    return f"process {holders[0]}, {seen[:LONGEST]}{'…' * (len(seen) > LONGEST)}"
