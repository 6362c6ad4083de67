"""The mounted file systems: which one holds a folder, and whether it is kept in memory alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

MOUNTS = Path("/proc/self/mounts")

IN_MEMORY = frozenset({"overlay", "tmpfs", "ramfs"})
"""Kinds of file systems that forget everything with the power; an overlay is that of a read-only root."""


class Mount(Struct, frozen=True):
    """A mounted file system: its device, folder, type and options."""

    device: str
    folder: Path
    kind: str
    options: tuple[str, ...]


def parsed(text: str) -> list[Mount]:
    """Return the file systems in the kernel's list, the latest last.

    >>> parsed("/dev/root / ext4 rw,noatime 0 0")[0].kind
    'ext4'
    """
    found = []
    for line in text.splitlines():
        fields = line.split(" ")
        if len(fields) >= 4:
            folder = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), fields[1])
            found.append(Mount(fields[0], Path(folder), fields[2], tuple(fields[3].split(","))))
    return found


def holding(mounts: Sequence[Mount], folder: Path) -> Mount | None:
    """Return the file system that holds a folder; None if the list lacks it."""
    real = folder.resolve()
    found = (each for each in reversed(mounts) if real.is_relative_to(each.folder))  # of two at one place, the later
    return max(found, key=lambda each: len(each.folder.parts), default=None)


def read_mounts(file: Path = MOUNTS) -> list[Mount]:
    """Return the file systems in the kernel's list; none if it cannot be read."""
    try:
        return parsed(file.read_text(encoding="utf-8", errors="surrogateescape"))
    except OSError:
        return []


def is_in_memory(folder: Path, mounts: Path = MOUNTS) -> bool:
    """Return whether everything in a folder is gone with the power."""
    found = holding(read_mounts(mounts), folder)
    return found is not None and found.kind in IN_MEMORY
