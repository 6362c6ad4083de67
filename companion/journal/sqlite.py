"""The journal in SQLite, open: every call that writes is one transaction and one sync of the disk."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.core.text import N_, Text

from . import DiskFault, JournalFault, Saved, backup, schema
from .faults import ERRORS, damage, is_damage, of_the_disk, why, why_not
from .files import MENDING

CHOSEN = "chosen "
"""What stands before the name of a setting that was chosen on the box, so that it is none of the journal's own."""

NO_GAME = 0
"""Stands for no game. What is in the journal is written over but never deleted: old pages can be told from new."""


class SqliteJournal:
    """Keeps games in a database; made by `open_journal` and `read_journal`.

    For one thread at a time, not necessarily the one that opened it.
    """

    def __init__(self, connection: sqlite3.Connection, lock: int | None, folder: Path) -> None:
        """Take over an open database, the lock that allows writing (None: only reading), and where both are."""
        self._connection: sqlite3.Connection | None = connection
        self._lock = lock
        self._folder = folder
        self._backed_up = -1  # how many rows had been changed at the last backup

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
            lines = schema.lines_of(connection, game)
            if lines is None:
                raise damage(f"a line of game {game}")
            return lines

    def begin(self, header: str, tracking: str, now: float, number: int | None = None) -> int:
        """Write a new game down and return its number: the next, or the one it is known by already.

        Raises:
            JournalFault: It could not be written.
        """
        with self._writing() as connection:
            given = connection.execute(
                "INSERT INTO games (number, header, tracking, begun) VALUES (?, ?, ?, ?)",
                (number, header, tracking, now),
            ).lastrowid
            assert given is not None  # only before the first INSERT of a cursor
            schema.seal(connection, given)
        return given

    def append(self, game: int, sequence: int, line: str, over: bool, now: float) -> None:
        """Write the line that is number ``sequence`` (from 1) of a game, and whether that ends it.

        Raises:
            JournalFault: There is no such game, the line is not its next, or it could not be written;
                nothing has changed then, and the next call may well succeed.
        """
        self.append_all(game, sequence, (line,), over, now)

    def append_all(self, game: int, sequence: int, lines: Sequence[str], over: bool, now: float) -> None:
        """Write lines, the first of them number ``sequence``, as `append` does: all of them or none.

        Raises:
            JournalFault: As with `append`, whichever of the lines it is about.
        """
        with self._writing() as connection:
            _check_game(connection, game)
            (there,) = connection.execute(
                "SELECT COALESCE(MAX(sequence), 0) FROM lines WHERE game = ?", (game,)
            ).fetchone()
            if sequence != there + 1:
                raise JournalFault(f"line {sequence} of game {game} is not the next: {there} are in the journal")
            connection.executemany(
                "INSERT INTO lines (game, sequence, line, at, checksum) VALUES (?, ?, ?, ?, ?)",
                [
                    (game, number, line, now, schema.of_line(game, number, line, now))
                    for number, line in enumerate(lines, sequence)
                ],
            )
            # Nearly always it stays as it is: SQLite writes no page for that.
            connection.execute("UPDATE games SET over = ? WHERE number = ?", (int(over), game))
            schema.seal(connection, game)

    def track(self, game: int, tracking: str) -> None:
        """Write down how closely a game is followed from now on.

        Raises:
            JournalFault: There is no such game, or it could not be written.
        """
        with self._writing() as connection:
            _check_game(connection, game)
            connection.execute("UPDATE games SET tracking = ? WHERE number = ?", (tracking, game))
            schema.seal(connection, game)

    def draft(self, game: int) -> str:
        """Return what was half entered after a game's last line, empty where nothing was.

        Raises:
            JournalFault: There is no such game, or the journal cannot be read.
        """
        with self._reading() as connection:
            _check_game(connection, game)
            row = connection.execute("SELECT value FROM setting WHERE name = 'draft'").fetchone()
            place, _, draft = ("" if row is None else str(row[0])).partition("/")
            return draft if place == _place(connection, game) else ""

    def keep_draft(self, game: int, draft: str) -> None:
        """Write down what is half entered after a game's last line; it is gone with the next line.

        Raises:
            JournalFault: There is no such game, or it could not be written.
        """
        with self._writing() as connection:
            _check_game(connection, game)
            schema.set_value(connection, "draft", f"{_place(connection, game)}/{draft}")

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
            if game is not None:
                _check_game(connection, game)
            schema.set_value(connection, "open_game", game or NO_GAME)

    def setting(self, name: str) -> str | None:
        """Return what was chosen on the box under a name, if anything was.

        Raises:
            JournalFault: The journal cannot be read.
        """
        with self._reading() as connection:
            row = connection.execute("SELECT value FROM setting WHERE name = ?", (CHOSEN + name,)).fetchone()
        return None if row is None else str(row[0])

    def keep_setting(self, name: str, value: str) -> None:
        """Write down what was chosen on the box.

        Raises:
            JournalFault: It could not be written.
        """
        with self._writing() as connection:
            schema.set_value(connection, CHOSEN + name, value)

    def in_memory(self) -> SqliteJournal:
        """Return all of the journal, read into memory and for reading only, and let go of its files.

        Raises:
            JournalFault: It cannot be read.
        """
        copy = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        try:
            with self._reading() as connection:
                connection.backup(copy)
        except BaseException:
            copy.close()
            raise
        finally:
            self.close()
        return SqliteJournal(copy, None, self._folder)

    def back_up(self) -> None:
        """Write a small copy of the latest games beside the journal, for the day that cannot be read.

        Raises:
            JournalFault: It could not be written; nothing is wrong with the journal by that.
        """
        if self._connection is None:
            raise JournalFault("the journal is closed")
        changed = self._connection.total_changes
        if self._lock is None or changed == self._backed_up or (self._folder / MENDING).exists():
            return  # what is damaged is not copied: the copy before is sound
        try:
            backup.write(self._folder)
        except (*ERRORS, OSError) as error:
            self._marked(error)
            reason = Text("{why}", why=why_not(error)) if isinstance(error, OSError) else why(error)
            raise JournalFault(Text(N_("no backup: {why}"), why=reason)) from error
        self._backed_up = changed

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
        except ERRORS as error:
            if self._marked(error):
                raise JournalFault(Text(N_("the journal is damaged: switch off and on, and it is mended"))) from error
            raise JournalFault(Text(N_("the journal cannot be read: {why}"), why=why(error))) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        if self._connection is None:
            raise JournalFault("the journal is closed")
        if self._lock is None:
            raise JournalFault(Text(N_("the journal cannot be written: it was opened for reading only")))
        try:
            with transaction(self._connection):
                yield self._connection
        except ERRORS as error:
            damaged = self._marked(error)
            sentence = Text(N_("the journal cannot be written: {why}"), why=why(error))
            if of_the_disk(error):
                raise DiskFault(sentence, why(error), damaged) from error
            raise JournalFault(sentence) from error

    def _marked(self, error: Exception) -> bool:
        """See to it that the journal is mended at the next opening, if it is damaged; tell whether it will be."""
        if self._lock is None or not is_damage(error):
            return False
        with suppress(OSError):
            (self._folder / MENDING).touch()
        return (self._folder / MENDING).exists()


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
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


def _check_game(connection: sqlite3.Connection, game: int) -> None:
    if connection.execute("SELECT 1 FROM games WHERE number = ?", (game,)).fetchone() is None:
        raise JournalFault(f"there is no game {game} in the journal")


def _place(connection: sqlite3.Connection, game: int) -> str:
    """Return a game and its last line, as a draft names the point it belongs to."""
    (last,) = connection.execute("SELECT MAX(sequence) FROM lines WHERE game = ?", (game,)).fetchone()
    return f"{game}.{last or 0}"
