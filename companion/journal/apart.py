"""Reading a journal in whose folder nothing can be written, not even what SQLite needs beside it while it reads.

All of it is read into memory: a connection for reading that stays open would share its view of a protected disk
with the one that is to write when the disk takes that again.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from pathlib import Path

from . import DiskFault, Journal, JournalFault, NoJournal
from .memory import MemoryJournal
from .opening import DATABASE, read_journal
from .sqlite import SqliteJournal

IN_MEMORY = ("/dev/shm", None)
"""Folders where files are kept in memory; the last is wherever temporary files go."""


def read_what_there_is(folder: Path) -> Journal:
    """Return the journal in a folder for reading, or an empty one where none was ever begun.

    Raises:
        JournalFault: There is one, and it cannot be read.
    """
    try:
        return read_journal(folder).in_memory()
    except NoJournal:
        return MemoryJournal()
    except DiskFault as fault:
        try:
            return _read_apart(folder)
        except NoJournal:
            return MemoryJournal()
        except (OSError, sqlite3.Error, JournalFault):
            raise fault from None


def _read_apart(folder: Path) -> SqliteJournal:
    """Return what a journal's files hold, read from copies of them into memory."""
    with tempfile.TemporaryDirectory(dir=next(filter(_takes_files, IN_MEMORY))) as apart:
        for end in ("", "-wal"):
            file = folder / (DATABASE + end)
            if file.exists():
                shutil.copyfile(file, Path(apart) / file.name)
        return read_journal(Path(apart)).in_memory()


def _takes_files(place: str | None) -> bool:
    return place is None or os.access(place, os.W_OK)
