"""Looking at a journal before it is opened: whether it can be used as it is. Nothing is changed by that."""

from __future__ import annotations

import sqlite3
import stat
from contextlib import closing, suppress
from pathlib import Path

from . import LaterVersion, backup, salvage, schema, wal
from .backup import Counts
from .connecting import connect, number
from .faults import ERRORS, code, is_unreadable, why
from .files import BACKUP, DATABASE, MENDING, beside, size

DAMAGED, GONE = "it is damaged", "its main file is gone"

_CHECKED_UP_TO = 8_000_000  # bytes that are read through at every opening; beyond, the start would be felt


def trouble(folder: Path, copied: Counts | None) -> str | None:
    """Return why the journal in a folder cannot be used as it is, if so.

    Args:
        folder: Where it is kept.
        copied: What is in its backup; None if that is damaged.

    Raises:
        LaterVersion: It is of a later version.
        sqlite3.Error: Its disk refuses.
    """
    database = folder / DATABASE
    try:
        status = database.stat()
    except FileNotFoundError:
        status = None
    if status is not None and not stat.S_ISREG(status.st_mode):
        return "it is not a file"
    if status is None or status.st_size == 0:
        # SQLite would delete such a file, and with it all that was not in the main file yet.
        if size(beside(database, "-wal")) > 0:
            return "its main file is empty"
        return None if copied == {} else GONE
    found, there = _examine(database, folder)
    if found is None:
        found = _lost(database, there) or (None if _may_be_written(database) else DAMAGED)
    if found is None and backup.knows_more(copied or {}, there):
        return "entries are missing from it"
    return DAMAGED if found is None and (folder / MENDING).exists() else found


def backed_up(folder: Path) -> Counts | None:
    """Return what is in the backup, nothing where there is none; None if it is damaged.

    Raises:
        LaterVersion: It is of a later version.
    """
    copy = folder / BACKUP
    if not copy.exists():
        return {}
    if not copy.is_file():
        return None
    with suppress(*ERRORS), closing(connect(copy, "ro")) as connection:
        if look(connection, folder, thorough=True) is None:
            return backup.lines_by_game(connection)
    return None


def _examine(database: Path, folder: Path) -> tuple[str | None, Counts]:
    """Return why a database cannot be used, if so, and else what is in it."""
    # Reading only, as closing a connection that may write can change the file, and what
    # a later version wrote is to stay as it is. A transaction that was cut off before
    # the database was in write-ahead mode can only be undone by writing.
    for mode in ("ro", "rw"):
        try:
            with closing(connect(database, mode)) as connection:
                bytes_there = size(database) + size(beside(database, "-wal"))
                found = look(connection, folder, thorough=bytes_there <= _CHECKED_UP_TO)
                blank = found is not None or number(connection, "PRAGMA user_version") == 0
                return found, {} if blank else backup.lines_by_game(connection)
        except ERRORS as error:
            if is_unreadable(error):
                return str(why(error)), {}
            if mode == "rw" or code(error) != sqlite3.SQLITE_READONLY:
                raise
    raise AssertionError("both ways return or raise")


def look(connection: sqlite3.Connection, folder: Path, thorough: bool) -> str | None:
    """Return why an open database is not a journal that can be used, if so; a blank one can.

    Raises:
        LaterVersion: It is one of a later version.
        sqlite3.Error: It cannot be read at all.
    """
    application = number(connection, "PRAGMA application_id")
    version = number(connection, "PRAGMA user_version")
    if application == version == number(connection, "SELECT COUNT(*) FROM sqlite_master") == 0:
        return None
    if application != schema.APPLICATION:
        return "it belongs to another program"
    newest = len(schema.MIGRATIONS)
    if version > newest and not schema.is_as_in(newest, connection):
        raise LaterVersion(
            f"the journal in {folder} is of a later version of the companion: "
            f"it has format {version}, this one knows up to {newest}"
        )
    if not 1 <= version <= newest or (version < newest and not schema.is_as_in(version, connection)):
        return DAMAGED  # nothing but the number is of another version
    if thorough and connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
        return DAMAGED
    if version < newest:  # once only: all of it is about to be written anew
        for table in ("games", "lines", "setting"):
            connection.execute(f"SELECT * FROM {table}").fetchall()
        return None
    return None if _sound(connection) else DAMAGED


def _sound(connection: sqlite3.Connection) -> bool:
    """Tell whether the tables are as they were made, and what the box needs for its start bears the right checksums.

    Raises:
        sqlite3.Error: There are other tables or columns than there must be.
    """
    opened = connection.execute("SELECT value FROM setting WHERE name = 'open_game'").fetchone()
    return (
        # Only writing would SQLite mind a damaged condition.
        schema.has_its_tables(connection)
        and schema.all_sound(connection.execute(schema.GAMES), schema.of_game)
        and schema.all_sound(connection.execute(schema.SETTINGS), schema.of_setting)
        and (opened is None or schema.lines_of(connection, opened[0]) is not None)
    )


def _may_be_written(database: Path) -> bool:
    """Tell whether the head of a database lets SQLite write; else it would say that the disk can only be read."""
    with database.open("rb") as handle:
        return handle.read(19)[18:] in (b"\1", b"\2", b"")  # nothing where its making was just undone


def _lost(database: Path, there: Counts) -> str | None:
    """Return why the log cannot be left to SQLite, if so: what it drops in silence was on the disk once."""
    log = beside(database, "-wal")
    if wal.lost_transactions(database) > 1:  # the last of them may have been cut off by a power cut
        return "entries are missing from its log"
    if wal.has_frames(log) and not wal.has_sound_head(log):
        # So it may look after a power cut, too, but then its frames are whole, and all of them are in the main file.
        found = salvage.gather(database)
        in_both = {number: (game.header, game.begun, found.kept(number)) for number, game in found.games.items()}
        if not wal.has_sound_frames(log) or backup.knows_more(in_both, there):
            return "its log cannot be read"
    return None
