"""Opening the journal on disk: what a call has returned from survives the plug being pulled.

One file, ``journal.db``, in write-ahead mode with ``synchronous=FULL``. One process writes; any number may
read at the same time. What is damaged is set aside under a new name, and what can be read of it is kept.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.core.text import Text

from . import DiskFault, JournalFault, JournalInUse, NoJournal, examining, mending, schema
from .connecting import connect, connect_to_read, number
from .faults import ERRORS, is_damage, of_the_disk, why, why_not
from .files import BACKUP, DATABASE, LOCK, sync
from .holder import holder
from .mending import Notice
from .sqlite import SqliteJournal, transaction

__all__ = ["DATABASE", "Notice", "open_journal", "read_journal"]


def open_journal(folder: Path, now: float) -> tuple[SqliteJournal, Notice | None]:
    """Open the journal in a folder for reading and writing; begin one if there is none.

    Args:
        folder: Where it is kept; made if it is missing.
        now: Seconds since 1970, for the name of a journal that is set aside.

    Returns:
        The journal; and what there is to be said if it was damaged and is made of what could be read.

    Raises:
        JournalFault: It is in use, of a later version of the program, or cannot be opened or made;
            nothing has been touched then.
    """
    with _refusing(folder):
        _make(folder)
        lock = _lock(folder)
        try:
            notice = _mended(folder, now)
            try:
                connection = _open(folder)
            except ERRORS as error:
                if not is_damage(error):
                    raise
                notice = mending.mend(folder, str(why(error)), now)
                connection = _open(folder)
            journal = SqliteJournal(connection, lock, folder)
        except BaseException:
            os.close(lock)
            raise
    if notice is not None:
        try:
            journal.back_up()
        except JournalFault:  # what is in the old copy is in the journal now; it would be missed there at each start
            with suppress(OSError):
                mending.set_backup_aside(folder, now)
    return journal, notice


def _mended(folder: Path, now: float) -> Notice | None:
    """See to it that the journal in a folder can be used, and return what there is to be said about that."""
    notice = mending.finish(folder)
    copied = examining.backed_up(folder)
    trouble = examining.trouble(folder, copied)
    if trouble is not None:
        notice = mending.mend(folder, trouble, now)
    if copied is None and (folder / BACKUP).exists():
        aside = mending.set_backup_aside(folder, now)
        notice = notice or aside
    return notice


def read_journal(folder: Path) -> SqliteJournal:
    """Open the journal in a folder for reading only, even while the box is writing in it.

    Raises:
        NoJournal: There is none.
        JournalFault: It cannot be read; it is left as it is.
    """
    database = folder / DATABASE
    with _refusing(folder, "read"):
        if not database.exists() or database.stat().st_size == 0:
            raise NoJournal(f"there is no journal in {folder}")
        if not database.is_file():
            raise JournalFault(f"the journal in {folder} cannot be read: it is not a file")
        connection = connect_to_read(database)
        try:
            trouble = examining.look(connection, folder, thorough=False)
            if trouble is not None:
                raise JournalFault(f"the journal in {folder} cannot be read: {trouble}")
            version = number(connection, "PRAGMA user_version")
            if version == 0:
                raise NoJournal(f"there is no journal in {folder}")
            if version < len(schema.MIGRATIONS):
                raise JournalFault(
                    f"the journal in {folder} is of an earlier version of the companion: start it once there"
                )
        except BaseException:
            connection.close()
            raise
        return SqliteJournal(connection, None, folder)


def _make(folder: Path) -> None:
    """Make the folder and those above it, so that they are still there after the plug was pulled."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        sync(path.parent)


def _lock(folder: Path) -> int:
    """Take the folder for this process alone, as long as the returned descriptor is open."""
    # Not the database file itself: closing any descriptor of that would drop SQLite's own locks.
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        process = holder(lock)
        os.close(lock)
        sentence = f"another companion already uses the journal in {folder}"
        raise JournalInUse(f"{sentence}: {process}" if process else sentence) from None
    except BaseException:
        os.close(lock)
        raise
    return lock


def _open(folder: Path) -> sqlite3.Connection:
    """Open or make a journal that is known to be usable."""
    connection = connect(folder / DATABASE, "rwc")
    try:
        connection.execute(f"PRAGMA page_size = {schema.PAGE}")  # so that single pages can be read without the first
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise JournalFault(f"the journal cannot be kept in {folder}: its disk does not allow it")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        with transaction(connection):
            schema.migrate(connection)
            # Where it may not be written SQLite gives a transaction all the same, and only a write is refused.
            connection.execute("DELETE FROM setting WHERE FALSE")
        # The plug is pulled more often than the journal is closed. Gathering everything in the main file
        # now leaves no more than this evening outside it; if that fails, it is as safe where it is.
        with suppress(sqlite3.Error):
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _refusing(folder: Path, to: str = "kept") -> Iterator[None]:
    """Turn what SQLite and the system say at opening into one sentence."""
    start = f"the journal cannot be {to} in {folder}"
    try:
        yield
    except ERRORS as error:
        raise _fault(error, start, why(error)) from error
    except OSError as error:
        raise _fault(error, start, Text("{why}", why=why_not(error))) from error


def _fault(error: Exception, start: str, reason: Text) -> JournalFault:
    sentence = f"{start}: {reason}"
    return DiskFault(sentence, reason) if of_the_disk(error) else JournalFault(sentence)
