"""The index of results and ratings: the SQLite file ``history.db`` beside the journal.

Everything in it is computed from the games, so it may be deleted or damaged at any time. Each row has a checksum of its
own; rows that are damaged, missing, or of another version of the program are computed again. A damaged file is deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import quote
from zlib import crc32

from msgspec import Struct, msgpack

from companion.games import GAMES

from .ratings import RatedGame, Rating
from .results import GameResult

if TYPE_CHECKING:
    import sqlite3

FILE = "history.db"

FORMAT = 2
"""Raised when the same log gives another result or rating than before."""

CHECK = 4
"""Bytes of a row's checksum."""

WAIT = {True: 0.02, False: 0.25}
"""Seconds to wait for another process: the writer, which must not be held up, and readers."""

_ABSENT = {3, 5, 6, 7, 9, 10, 13, 14, 22, 23}
"""SQLite's codes of errors that are not damage: locked, full, failing, no permission."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS result (name TEXT PRIMARY KEY, row BLOB);
CREATE TABLE IF NOT EXISTS rating (place INTEGER PRIMARY KEY, row BLOB);
"""

R = TypeVar("R")


class StoredResult(Struct, frozen=True, array_like=True, gc=False):
    """A game's row.

    Attributes:
        name: The game's name in the journal.
        lines: The number of lines below the header of which the result was made.
        result: The result; None if the game is not finished.
    """

    name: str
    lines: int
    result: GameResult | None


class StoredRating(Struct, frozen=True, array_like=True, gc=False):
    """The row of a rated game.

    Attributes:
        place: The number of the game among the rated ones, from 0.
        check: The checksum over everything that the ratings depend on.
        rated: The ratings.
    """

    place: int
    check: bytes
    rated: RatedGame


class _Rows(Generic[R]):
    """Encodes and decodes rows of a kind, with their checksums."""

    def __init__(self, kind: type[R], *parts: type[Struct]) -> None:
        self._decoder = msgpack.Decoder(kind)
        shape = [(FORMAT, each.__name__, each.__annotations__) for each in (kind, *parts)]
        deeds = [(game.name, list(game.optional.deed_names)) for game in GAMES.values()]
        self._version = crc32(repr((shape, deeds)).encode())

    def encode(self, value: R) -> bytes:
        body = msgpack.encode(value)
        return self._check(body) + body

    def decode(self, row: Any) -> R | None:
        """Return the value of a row; None if it is damaged or of another version."""
        if not isinstance(row, bytes):
            return None
        body = row[CHECK:]
        return self._decoder.decode(body) if row[:CHECK] == self._check(body) else None

    def _check(self, body: bytes) -> bytes:
        return crc32(body, self._version).to_bytes(CHECK)


class Index:
    """The index file. It is opened for each call, so that it may change or vanish between them."""

    def __init__(self, folder: Path, *, writes: bool) -> None:
        """Use the index in the journal's folder; only the process that writes the journal may write it."""
        self._file = folder / FILE
        self._writes = writes
        self._results = _Rows(StoredResult, GameResult)
        self._ratings = _Rows(StoredRating, RatedGame, Rating)

    # Results

    def results(self, names: Sequence[str] | None = None) -> dict[str, StoredResult]:
        """Return the rows of all games or of some, by name; without those that cannot be read."""
        if names is None:
            rows = self._read("SELECT row FROM result", ())
        else:
            rows = self._read(f"SELECT row FROM result WHERE name IN ({', '.join('?' * len(names))})", names)
        return {row.name: row for row in self._decoded(self._results, rows)}

    def names(self) -> set[str]:
        """Return the names of the games that have a row."""
        return {name.decode(errors="replace") for (name,) in self._read("SELECT CAST(name AS BLOB) FROM result", ())}

    def store(self, rows: Iterable[StoredResult]) -> bool:
        """Store rows; return whether that worked."""
        written = [(row.name, self._results.encode(row)) for row in rows]
        return self._write("INSERT OR REPLACE INTO result VALUES (?, ?)", written)

    def forget(self, names: Iterable[str]) -> bool:
        """Remove the rows of games; return whether that worked."""
        return self._write("DELETE FROM result WHERE name = ?", [(name,) for name in names])

    # Ratings

    def ratings(self, place: int = 0, most: int = -1) -> dict[int, StoredRating]:
        """Return the rows of rated games from a place on, by place: all, or at most a number of them."""
        query = "SELECT row FROM rating WHERE place >= ? ORDER BY place LIMIT ?"
        rows = self._decoded(self._ratings, self._read(query, (place, most)))
        return {row.place: row for row in rows}

    def store_ratings(self, rows: Iterable[StoredRating]) -> bool:
        """Store rows of rated games; return whether that worked."""
        written = [(row.place, self._ratings.encode(row)) for row in rows]
        return self._write("INSERT OR REPLACE INTO rating VALUES (?, ?)", written)

    def drop_ratings(self, place: int) -> bool:
        """Remove the rows of rated games from a place on; return whether that worked."""
        return self._write("DELETE FROM rating WHERE place >= ?", [(place,)])

    # The file

    @staticmethod
    def _decoded(kind: _Rows[R], rows: Iterable[tuple[Any, ...]]) -> Iterator[R]:
        return (value for row in rows if (value := kind.decode(row[0])) is not None)

    def _read(self, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Return the rows of a query, as far as they can be read."""
        found: list[tuple[Any, ...]] = []
        self._try(lambda connection: found.extend(connection.execute(query, values)))
        return found

    def _write(self, statement: str, rows: Sequence[tuple[object, ...]]) -> bool:
        if not self._writes:
            return False

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany(statement, rows)

        return not rows or self._try(write)

    def _try(self, do: Callable[[sqlite3.Connection], object]) -> bool:
        """Use the file; return whether that worked. A damaged file is deleted, if this process writes."""
        import sqlite3  # takes 2.7 MB

        try:
            with closing(self._connected()) as connection:
                do(connection)
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the second for a damaged name of a column
            if self._writes and getattr(error, "sqlite_errorcode", 0) & 0xFF not in _ABSENT:
                self._delete()
            return False
        return True

    def _connected(self) -> sqlite3.Connection:
        import sqlite3

        mode = "rwc" if self._writes else "ro"
        connection = sqlite3.connect(f"file:{quote(str(self._file))}?mode={mode}", uri=True, timeout=WAIT[self._writes])
        connection.text_factory = bytes  # a damaged row may hold anything
        if self._writes:
            try:
                connection.execute("PRAGMA synchronous=OFF")  # what a power cut damages is computed again
                connection.executescript(_SCHEMA)
            except sqlite3.DatabaseError:
                connection.close()
                raise
        return connection

    def _delete(self) -> None:
        for suffix in ("", "-journal", "-wal", "-shm"):
            with suppress(OSError):
                self._file.with_name(FILE + suffix).unlink()
