"""The index of results: the SQLite file ``history.db`` beside the journal.

Everything in it is computed from the games, so it may be deleted or damaged at any time. Each row has a checksum of its
own; rows that are damaged, missing, or of another version of the program are computed again. A damaged file is deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from zlib import crc32

from msgspec import Struct, msgpack

from companion.games import GAMES

from .results import GameResult

if TYPE_CHECKING:
    import sqlite3

FILE = "history.db"

FORMAT = 3  # raised when the same log gives another result than before
CHECK = 4  # bytes of a row's checksum

WAIT = {True: 0.02, False: 0.25}
"""Seconds to wait for another process: the writer, which must not be held up, and readers."""

_ABSENT = {3, 5, 6, 7, 9, 10, 13, 14, 22, 23}
"""SQLite's codes of errors that are not damage: locked, full, failing, no permission."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS result (name TEXT PRIMARY KEY, row BLOB) WITHOUT ROWID"


class StoredResult(Struct, frozen=True, array_like=True, gc=False):
    """A game's row in the index."""

    name: str  # the game's name in the journal
    lines: int  # the number of lines below the header of which the result was made
    result: GameResult | None  # the result; None if the game is not finished


class Index:
    """The index file. It is opened for each call, so that it may change or vanish between them."""

    def __init__(self, folder: Path, *, writes: bool) -> None:
        """Use the index in the journal's folder; only the process that writes the journal may write it."""
        self._file = folder / FILE
        self._writes = writes
        self._decoder = msgpack.Decoder(StoredResult)
        shape = [(FORMAT, each.__name__, each.__annotations__) for each in (StoredResult, GameResult)]
        actions = [(game.name, list(game.optional.action_names)) for game in GAMES.values()]
        self._shape = repr((shape, actions))
        self._version = self._computed_by()

    def _computed_by(self) -> int:
        """Return a number for the rules that results are computed by: rows of others are computed again."""
        return crc32(f"{self._shape}{GAMES.fingerprint}".encode())

    def results(self, names: Sequence[str] | None = None) -> dict[str, StoredResult]:
        """Return the rows of all games or of some, by name; without those that cannot be read."""
        self._version = self._computed_by()  # a game's file may have changed
        query = "SELECT row FROM result"
        if names is not None:
            query += f" WHERE name IN ({', '.join('?' * len(names))})"
        found: list[tuple[Any, ...]] = []
        self._try(
            lambda connection: found.extend(connection.execute(query, names or ())), "rw" if self._writes else "ro"
        )
        return {row.name: row for (blob,) in found if (row := self._decoded(blob)) is not None}

    def store(self, rows: Iterable[StoredResult]) -> bool:
        """Store rows; return whether that worked."""
        if not self._writes:
            return False
        written = [(row.name, self._check(body) + body) for row in rows if (body := msgpack.encode(row))]

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("PRAGMA synchronous=OFF")  # what a power cut damages is computed again
            connection.execute(_SCHEMA)
            with connection:
                connection.executemany("INSERT OR REPLACE INTO result VALUES (?, ?)", written)

        return self._try(write, "rwc")

    def _decoded(self, row: object) -> StoredResult | None:
        """Return a row; None if it is damaged or of another version."""
        if not isinstance(row, bytes):
            return None
        body = row[CHECK:]
        return self._decoder.decode(body) if row.startswith(self._check(body)) else None

    def _check(self, body: bytes) -> bytes:
        return crc32(body, self._version).to_bytes(CHECK)

    def _try(self, do: Callable[[sqlite3.Connection], object], mode: str) -> bool:
        """Use the file; return whether that worked. A damaged file is deleted, if this process writes."""
        import sqlite3  # takes 2.7 MB

        place = f"file:{quote(str(self._file))}?mode={mode}"
        try:
            with closing(sqlite3.connect(place, uri=True, timeout=WAIT[self._writes])) as connection:
                connection.text_factory = bytes  # a damaged row may hold anything
                do(connection)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the second for a damaged name of a column
            if self._writes and getattr(error, "sqlite_errorcode", 0) & 0xFF not in _ABSENT:
                self._delete()
            return False
        return True

    def _delete(self) -> None:
        for suffix in ("", "-journal", "-wal", "-shm"):
            with suppress(OSError):
                self._file.with_name(FILE + suffix).unlink()
