"""The process that holds a lock, as Linux tells it."""

from __future__ import annotations

import os
import re
from pathlib import Path

PROC = Path("/proc")
LONGEST = 100
"""As much of a command is repeated, in characters."""

_LOCK = re.compile(r"(?m)^\d+: FLOCK +ADVISORY +WRITE +(\d+) [0-9a-f:]+:(\d+) ")


def holder(lock: int) -> str:
    """Return the number and the command of the process that holds an open file; nothing where the system tells none."""
    inode = os.fstat(lock).st_ino
    try:
        held = _LOCK.findall((PROC / "locks").read_text("ascii"))
        processes = {process for process, file in held if int(file) == inode}
        if len(processes) != 1:  # hidden from us; or a file of another disk has the same number
            return ""
        (process,) = processes
        words = (PROC / process / "cmdline").read_bytes().decode(errors="replace").rstrip("\0").split("\0")
    except OSError:
        return ""
    command = " ".join(words)
    seen = "".join(letter if letter.isprintable() else "?" for letter in command[:LONGEST])
    return f"process {process}, {seen}{'…' * (len(command) > LONGEST)}"
