"""Opening the journal on disk: what a call has returned from survives the plug being pulled.

One file, ``journal.db``, in write-ahead mode with ``synchronous=FULL``. One process writes; any number may
read at the same time. What cannot be read is set aside under a new name.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from . import JournalFault
from .faults import ERRORS, code, why, why_not
from .sqlite import SqliteJournal, transaction

DATABASE = "journal.db"
LOCK = "journal.lock"
APPLICATION = int.from_bytes(b"TblC", "big")
"""Stands in the database's header, so that no other program's file is taken for a journal."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE games (
            number INTEGER PRIMARY KEY,
            header TEXT NOT NULL,
            tracking TEXT NOT NULL,
            over INTEGER NOT NULL DEFAULT 0 CHECK (over IN (0, 1)),
            begun REAL NOT NULL
        )""",
        """CREATE TABLE lines (
            game INTEGER NOT NULL REFERENCES games,
            sequence INTEGER NOT NULL CHECK (sequence > 0),
            line TEXT NOT NULL,
            at REAL NOT NULL,
            PRIMARY KEY (game, sequence)
        ) WITHOUT ROWID""",
        "CREATE TABLE setting (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    ),
)
"""Statements that lead from each version of the schema to the next, the first from nothing to 1.

What has been released is never edited: a change is one more entry at the end.
"""

_NEEDED = (  # without these the box cannot even list its games; of the lines, that there is a table will do
    "SELECT number, header, tracking, over, begun FROM games",
    "SELECT game, sequence, line, at FROM lines LIMIT 0",
    "SELECT name, value FROM setting",
)

_CHECKED_UP_TO = 8_000_000  # bytes that are read through at every opening; beyond, the start would be felt
_PATIENCE = 2.0  # seconds for which another program may hold the database

_UNREADABLE = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_BESIDE = ("", "-wal", "-shm", "-journal")  # SQLite's files, by what is added to the database's name


def open_journal(folder: Path, now: float) -> tuple[SqliteJournal, str | None]:
    """Open the journal in a folder for reading and writing; begin one if there is none.

    Args:
        folder: Where it is kept; made if it is missing.
        now: Seconds since 1970, for the name of a journal that is set aside.

    Returns:
        The journal; and a sentence if what was there could not be read, was set aside and a new one begun.

    Raises:
        JournalFault: It is in use, of a later version of the program, or cannot be opened or made;
            nothing has been touched then.
    """
    with _refusing(folder):
        _make(folder)
        lock = _lock(folder)
        try:
            trouble = _trouble(folder)
            aside = None if trouble is None else _set_aside(folder, trouble, now)
            return SqliteJournal(_open(folder), lock), aside
        except BaseException:
            os.close(lock)
            raise


def read_journal(folder: Path) -> SqliteJournal:
    """Open the journal in a folder for reading only, even while the box is writing in it.

    Raises:
        JournalFault: There is none, or it cannot be read; it is left as it is.
    """
    database = folder / DATABASE
    with _refusing(folder, "read"):
        if not database.exists() or database.stat().st_size == 0:
            raise JournalFault(f"there is no journal in {folder}")
        if not database.is_file():
            raise JournalFault(f"the journal in {folder} cannot be read: it is not a file")
        connection = _connect_to_read(database)
        try:
            trouble = _look(connection, folder, thorough=False)
            if trouble is not None:
                raise JournalFault(f"the journal in {folder} cannot be read: {trouble}")
            version = _number(connection, "PRAGMA user_version")
            if version == 0:
                raise JournalFault(f"there is no journal in {folder}")
            if version < len(MIGRATIONS):
                raise JournalFault(
                    f"the journal in {folder} is of an earlier version of the companion: start it once there"
                )
        except BaseException:
            connection.close()
            raise
        return SqliteJournal(connection, None)


def _make(folder: Path) -> None:
    """Make the folder and those above it, so that they are still there after the plug was pulled."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        _sync(path.parent)


def _lock(folder: Path) -> int:
    """Take the folder for this process alone, as long as the returned descriptor is open."""
    # Not the database file itself: closing any descriptor of that would drop SQLite's own locks.
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise JournalFault(f"another companion already uses the journal in {folder}") from None
    except BaseException:
        os.close(lock)
        raise
    return lock


def _trouble(folder: Path) -> str | None:
    """Return why the journal there is cannot be used and must give way, if so."""
    database = folder / DATABASE
    try:
        status = database.stat()
    except FileNotFoundError:
        status = None
    if status is not None and not stat.S_ISREG(status.st_mode):
        return "it is not a file"
    if status is None or status.st_size == 0:
        # SQLite would delete such a file, and with it all that was not in the main file yet.
        orphan = _beside(database, "-wal")
        return "its main file is empty" if orphan.exists() and orphan.stat().st_size > 0 else None
    # Reading only, as closing a connection that may write can change the file, and what
    # a later version wrote is to stay as it is. A transaction that was cut off before
    # the database was in write-ahead mode can only be undone by writing.
    for mode in ("ro", "rw"):
        try:
            with closing(_connect(database, mode)) as connection:
                return _look(connection, folder, thorough=_size(database) <= _CHECKED_UP_TO)
        except ERRORS as error:
            if code(error) in _UNREADABLE:
                return str(why(error))
            if mode == "rw" or code(error) != sqlite3.SQLITE_READONLY:
                raise
    raise AssertionError("both ways return or raise")


def _look(connection: sqlite3.Connection, folder: Path, thorough: bool) -> str | None:
    """Return why an open database is not a journal that can be used, if so; a blank one can.

    Raises:
        JournalFault: It is one of a later version.
        sqlite3.Error: It cannot be read at all.
    """
    application = _number(connection, "PRAGMA application_id")
    version = _number(connection, "PRAGMA user_version")
    if application == version == _number(connection, "SELECT COUNT(*) FROM sqlite_master") == 0:
        return None
    if application != APPLICATION:
        return "it belongs to another program"
    if version > len(MIGRATIONS):
        raise JournalFault(
            f"the journal in {folder} is of a later version of the companion: "
            f"it has format {version}, this one knows up to {len(MIGRATIONS)}"
        )
    if version < 1:  # the two numbers were written together
        return "it is damaged"
    if thorough and connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
        return "it is damaged"
    if version == len(MIGRATIONS):
        for statement in _NEEDED:
            connection.execute(statement).fetchall()
    return None


def _set_aside(folder: Path, trouble: str, now: float) -> str:
    """Give the journal's files a name that nothing has, and return a sentence about it."""
    date = datetime.fromtimestamp(now).strftime("%Y-%m-%d-%H%M%S")
    name, count = f"journal-{date}.db", 1
    while any(os.path.lexists(folder / (name + end)) for end in _BESIDE):
        count += 1
        name = f"journal-{date}-{count}.db"
    # The database first: if the plug is pulled in between, what is left without one is set aside next time.
    for end in _BESIDE:
        with suppress(FileNotFoundError):
            (folder / (DATABASE + end)).rename(folder / (name + end))
    _sync(folder)
    return f"the journal in {folder} could not be read ({trouble}): set aside as {name}, a new one begun"


def _open(folder: Path) -> sqlite3.Connection:
    """Open or make a journal that is known to be usable."""
    connection = _connect(folder / DATABASE, "rwc")
    try:
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise JournalFault(f"the journal cannot be kept in {folder}: its disk does not allow it")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        with transaction(connection):
            version = _number(connection, "PRAGMA user_version")
            if version < len(MIGRATIONS):
                for statement in (one for each in MIGRATIONS[version:] for one in each):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
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


def _connect(database: Path, mode: str) -> sqlite3.Connection:
    # Transactions are begun and ended in words below: isolation_level None leaves them to us
    # in every version of Python.
    return sqlite3.connect(
        f"{database.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=_PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )


def _connect_to_read(database: Path) -> sqlite3.Connection:
    """Open a database for reading, also where no file can be made beside it, as on a write-protected card."""
    connection = _connect(database, "ro")
    try:
        _number(connection, "PRAGMA user_version")
    except sqlite3.Error as error:
        connection.close()
        log = _beside(database, "-wal")
        protected = code(error) in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
        if not protected or (log.exists() and log.stat().st_size > 0):
            raise
        return _connect(database, "ro&immutable=1")  # all of it is in the main file, and nobody writes
    return connection


@contextmanager
def _refusing(folder: Path, to: str = "kept") -> Iterator[None]:
    """Turn what SQLite and the system say at opening into one sentence."""
    start = f"the journal cannot be {to} in {folder}"
    try:
        yield
    except ERRORS as error:
        raise JournalFault(f"{start}: {why(error)}") from error
    except OSError as error:
        raise JournalFault(f"{start}: {why_not(error)}") from error


def _number(connection: sqlite3.Connection, query: str) -> int:
    (number,) = connection.execute(query).fetchone()
    return int(number)


def _beside(database: Path, end: str) -> Path:
    return database.with_name(database.name + end)


def _size(database: Path) -> int:
    files = (_beside(database, end) for end in ("", "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def _sync(folder: Path) -> None:
    """Bring the names in a folder to the disk, where the file system knows how to."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
