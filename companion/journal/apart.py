"""Reading a journal in whose folder nothing can be written, not even what SQLite needs beside it while it reads.

All of it is read into memory: a connection for reading that stays open would share its view of a protected disk
with the one that is to write when the disk takes that again.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from . import Journal, JournalFault, LaterVersion, NoJournal, salvage
from .files import BACKUP, DATABASE
from .memory import MemoryJournal
from .opening import read_journal
from .sqlite import SqliteJournal

IN_MEMORY = ("/dev/shm", None)
"""Folders where files are kept in memory; the last is wherever temporary files go."""


def read_what_there_is(folder: Path) -> Journal:
    """Return the journal in a folder for reading, or an empty one where there is no game in it.

    One that is damaged, or gone but for its backup, is read as it will be once it can be mended.

    Raises:
        JournalFault: Its files cannot be read.
    """
    try:
        return read_journal(folder).in_memory()
    except LaterVersion:
        raise
    except JournalFault as fault:
        with suppress(OSError, JournalFault):
            return _read_apart(folder, _copy)
        try:
            return _read_apart(folder, _gather)
        except NoJournal:
            return MemoryJournal()
        except (OSError, JournalFault):
            raise fault from None


def _read_apart(folder: Path, fill: Callable[[Path, Path], None]) -> SqliteJournal:
    """Return what a journal's files hold, read in a folder in memory."""
    with tempfile.TemporaryDirectory(dir=next(filter(_takes_files, IN_MEMORY))) as apart:
        fill(folder, Path(apart))
        return read_journal(Path(apart)).in_memory()


def _copy(folder: Path, apart: Path) -> None:
    for end in ("", "-wal"):
        file = folder / (DATABASE + end)
        if file.exists():
            shutil.copyfile(file, apart / file.name)


def _gather(folder: Path, apart: Path) -> None:
    """Write whatever can be read of a journal and of its backup."""
    found, copied = salvage.gather(folder / DATABASE), salvage.gather(folder / BACKUP)
    if found.agrees(copied):
        found.fill(copied)
    if not found.games:
        raise NoJournal(f"there is no game in {folder}")
    salvage.write(found, apart / DATABASE)


def _takes_files(place: str | None) -> bool:
    return place is None or os.access(place, os.W_OK)
