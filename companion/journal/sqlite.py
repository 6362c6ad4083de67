"""The journal on disk, in SQLite: what a call has returned from survives the plug being pulled.

One file, ``journal.db``, in write-ahead mode with ``synchronous=FULL``: every call that writes is one
transaction and one sync of the disk. One process writes; any number may read at the same time.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from companion.journal import JournalFault, Saved

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

_ERRORS = (sqlite3.Error, UnicodeError)  # the second comes from sqlite3 too, for damaged text and for bad text
_UNREADABLE = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_BESIDE = ("", "-wal", "-shm", "-journal")  # SQLite's files, by what is added to the database's name


class SqliteJournal:
    """Keeps games in a database; made by `open_journal` and `read_journal`.

    For one thread at a time, not necessarily the one that opened it.
    """

    def __init__(self, connection: sqlite3.Connection, lock: int | None) -> None:
        """Take over an open database, and the lock that allows writing (None: only reading)."""
        self._connection: sqlite3.Connection | None = connection
        self._lock = lock

    def games(self) -> list[Saved]:
        """Return every game, the latest begun first.

        Raises:
            JournalFault: The journal cannot be read.
        """
        # By number, not by time: the box has no clock of its own and may start in 1970.
        # MAX of a key's last column is one search, however many lines there are.
        with self._reading() as connection:
            rows = connection.execute(
                """SELECT number, header, tracking, over, begun,
                          (SELECT MAX(sequence) FROM lines WHERE game = number)
                   FROM games ORDER BY number DESC"""
            ).fetchall()
        return [
            Saved(number, header, tracking, bool(over), lines or 0, begun)
            for number, header, tracking, over, begun, lines in rows
        ]

    def lines(self, game: int) -> list[str]:
        """Return a game's lines below the header, in order.

        Raises:
            JournalFault: There is no such game, or the journal cannot be read.
        """
        with self._reading() as connection:
            _check_game(connection, game)
            rows = connection.execute("SELECT line FROM lines WHERE game = ? ORDER BY sequence", (game,))
            return [line for (line,) in rows.fetchall()]

    def begin(self, header: str, tracking: str, now: float) -> int:
        """Write a new game down and return its number.

        Raises:
            JournalFault: It could not be written.
        """
        with self._writing() as connection:
            number = connection.execute(
                "INSERT INTO games (header, tracking, begun) VALUES (?, ?, ?)", (header, tracking, now)
            ).lastrowid
        assert number is not None  # only before the first INSERT of a cursor
        return number

    def append(self, game: int, sequence: int, line: str, over: bool, now: float) -> None:
        """Write the line that is number ``sequence`` (from 1) of a game, and whether that ends it.

        Raises:
            JournalFault: There is no such game, the line is not its next, or it could not be written;
                nothing has changed then, and the next call may well succeed.
        """
        with self._writing() as connection:
            _check_game(connection, game)
            (there,) = connection.execute(
                "SELECT COALESCE(MAX(sequence), 0) FROM lines WHERE game = ?", (game,)
            ).fetchone()
            if sequence != there + 1:
                raise JournalFault(f"line {sequence} of game {game} is not the next: {there} are in the journal")
            connection.execute(
                "INSERT INTO lines (game, sequence, line, at) VALUES (?, ?, ?, ?)",
                (game, sequence, line, now),
            )
            # Nearly always it stays as it is: SQLite writes no page for that.
            connection.execute("UPDATE games SET over = ? WHERE number = ?", (int(over), game))

    def track(self, game: int, tracking: str) -> None:
        """Write down how closely a game is followed from now on.

        Raises:
            JournalFault: There is no such game, or it could not be written.
        """
        with self._writing() as connection:
            _check_game(connection, game)
            connection.execute("UPDATE games SET tracking = ? WHERE number = ?", (tracking, game))

    def open_game(self) -> int | None:
        """Return the game the box was left in, if it was left in one.

        Raises:
            JournalFault: The journal cannot be read.
        """
        with self._reading() as connection:
            row = connection.execute(
                "SELECT number FROM setting JOIN games ON number = value WHERE name = 'open_game'"
            ).fetchone()
        return None if row is None else int(row[0])

    def leave_in(self, game: int | None) -> None:
        """Write down which game the box is in.

        Raises:
            JournalFault: There is no such game, or it could not be written.
        """
        with self._writing() as connection:
            if game is None:
                connection.execute("DELETE FROM setting WHERE name = 'open_game'")
                return
            _check_game(connection, game)
            connection.execute(
                """INSERT INTO setting (name, value) VALUES ('open_game', ?)
                   ON CONFLICT (name) DO UPDATE SET value = excluded.value""",
                (game,),
            )

    def close(self) -> None:
        """Let go of the journal; what was written stays. Closing twice does nothing."""
        connection, self._connection = self._connection, None
        lock, self._lock = self._lock, None
        try:
            if connection is not None:
                connection.close()
        finally:
            if lock is not None:
                os.close(lock)  # last: nobody else may open it while SQLite still tidies up

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        if self._connection is None:
            raise JournalFault("the journal is closed")
        try:
            yield self._connection
        except _ERRORS as error:
            raise JournalFault(f"the journal cannot be read: {_why(error)}") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        if self._connection is None:
            raise JournalFault("the journal is closed")
        if self._lock is None:
            raise JournalFault("the journal cannot be written: it was opened for reading only")
        try:
            with _transaction(self._connection):
                yield self._connection
        except _ERRORS as error:
            if _code(error) == sqlite3.SQLITE_FULL:
                raise JournalFault("the disk is full: not saved") from error
            raise JournalFault(f"the journal cannot be written: {_why(error)}") from error


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
        except _ERRORS as error:
            if _code(error) in _UNREADABLE:
                return _why(error)
            if mode == "rw" or _code(error) != sqlite3.SQLITE_READONLY:
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
        with _transaction(connection):
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
        protected = _code(error) in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
        if not protected or (log.exists() and log.stat().st_size > 0):
            raise
        return _connect(database, "ro&immutable=1")  # all of it is in the main file, and nobody writes
    return connection


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do everything or nothing, with one sync of the disk at the end."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # on a full disk SQLite may have taken it back already
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise


@contextmanager
def _refusing(folder: Path, to: str = "kept") -> Iterator[None]:
    """Turn what SQLite and the system say at opening into one sentence."""
    start = f"the journal cannot be {to} in {folder}"
    try:
        yield
    except _ERRORS as error:
        raise JournalFault(f"{start}: {_why(error)}") from error
    except OSError as error:
        raise JournalFault(f"{start}: {_why_not(error)}") from error


def _check_game(connection: sqlite3.Connection, game: int) -> None:
    if connection.execute("SELECT 1 FROM games WHERE number = ?", (game,)).fetchone() is None:
        raise JournalFault(f"there is no game {game} in the journal")


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


def _code(error: Exception) -> int:
    """Return SQLite's primary code of an error."""
    if isinstance(error, UnicodeDecodeError) or "decode to UTF-8" in str(error):
        return sqlite3.SQLITE_CORRUPT  # what the module says about damaged text has no code
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_MISUSE)
    return code & 0xFF


def _why(error: Exception) -> str:
    words = {
        sqlite3.SQLITE_FULL: "the disk is full",
        sqlite3.SQLITE_READONLY: "it can only be read",
        sqlite3.SQLITE_BUSY: "another program holds it",
        sqlite3.SQLITE_CANTOPEN: "its files cannot be opened",
        sqlite3.SQLITE_CORRUPT: "it is damaged",
        sqlite3.SQLITE_NOTADB: "it is not a database",
    }
    return words.get(_code(error), str(error))


def _why_not(error: OSError) -> str:
    words = {
        errno.EACCES: "there is no permission",
        errno.EPERM: "there is no permission",
        errno.EROFS: "the disk can only be read",
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk is full",
        errno.EEXIST: "that is not a folder",
        errno.ENOTDIR: "that is not a folder",
    }
    return words.get(error.errno or 0, error.strerror or str(error))
