"""The files of the journal: their names, and bringing them to the disk."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

DATABASE = "journal.db"
LOCK = "journal.lock"
BACKUP = "journal-backup.db"
MENDING = "journal.mend"
"""An empty file that stands there once damage was met: what can be read is gathered at the next opening."""

BESIDE = ("", "-wal", "-shm", "-journal")
"""SQLite's files, by what is added to the database's name."""


def beside(database: Path, end: str) -> Path:
    """Return the file that belongs to a database under an ending."""
    return database.with_name(database.name + end)


def size(file: Path) -> int:
    """Return how many bytes an ordinary file holds; none if there is no such file."""
    return file.stat().st_size if file.is_file() else 0


def read(file: Path) -> bytes:
    """Return what an ordinary file holds; nothing if there is no such file."""
    return file.read_bytes() if file.is_file() else b""


def make_anew(file: Path) -> None:
    """Make an empty file in the place of whatever was left there."""
    file.unlink(missing_ok=True)
    os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644))


def put(new: Path, place: Path) -> None:
    """Give a file its name once all of it is on the disk; what had the name is gone only then."""
    descriptor = os.open(new, os.O_RDWR | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    new.rename(place)
    sync(place.parent)


def sync(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the file system knows how to."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
