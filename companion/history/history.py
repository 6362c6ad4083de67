"""The history of a journal: the results of its finished games, kept in an index that is always up to date."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from zlib import crc32

from msgspec import Struct, msgpack
from msgspec.structs import replace

from companion.core.games import GameFaultError
from companion.core.program_log import ProgramLog
from companion.core.session import Session
from companion.decoding import msgpack_decoder
from companion.gamelog import InvalidLineError, is_seat_names, read
from companion.games import GAMES
from companion.journal import Journal, JournalError, StoredGame

from . import renamed_and_hidden
from .days import known_time
from .renamed_and_hidden import People
from .results import GameResult, result_of

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
    lines: int  # how many lines below the header the log had when the result was made
    result: GameResult | None  # the result; None if the game is not finished


class Index:
    """The index file. It is opened for each call, so that it may change or vanish between them."""

    def __init__(self, folder: Path, *, writes: bool) -> None:
        """Use the index in the journal's folder; only the process that writes the journal may write it."""
        self._file = folder / FILE
        self._writes = writes
        self._decoder = msgpack_decoder(StoredResult)
        shape = [(FORMAT, each.__name__, each.__annotations__) for each in (StoredResult, GameResult)]
        actions = [(game.name, list(game.optional.action_names)) for game in GAMES.values()]
        self._shape = repr((shape, actions))
        self._version = self._computed_by()

    def _computed_by(self) -> int:
        """Return a number for the rules that results are computed by: rows of others are computed again."""
        return crc32(f"{self._shape}{GAMES.fingerprint}".encode())

    def results(self, names: Collection[str] | None = None) -> dict[str, StoredResult]:
        """Return the rows of all games or of some, by name; without those that cannot be read."""
        self._version = self._computed_by()  # a game's file may have changed
        query, found = "SELECT row FROM result", list[tuple[Any, ...]]()
        if names is not None:
            query += f" WHERE name IN ({', '.join('?' * len(names))})"
        mode = "rw" if self._writes else "ro"
        self._try(lambda connection: found.extend(connection.execute(query, [*(names or ())])), mode)
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


_LOG = ProgramLog(__name__)

BATCH = 100  # results that are read from the index in one step, and that are stored together
MOST_POINTS = 10**9  # the most points that are counted


class History:
    """Answers questions about the finished games of a journal."""

    def __init__(self, journal: Journal, path: Path | None, *, writes: bool = False) -> None:
        """Use a journal, and the index in its folder. Only the process that writes the journal may write the index."""
        self.remaining = 0  # how many games the latest `each` has not read yet
        self.unreadable: set[str] = set()  # the names of the games that could not be read; figures leave them out
        self.journal = journal
        self._index = None if path is None else Index(path, writes=writes)
        self._rows: dict[str, StoredResult] = {}  # the rows that were read or computed
        self._waiting: dict[str, StoredResult] = {}  # those of them that the index has not taken yet
        self._rules = ""  # the fingerprint of the games by whose rules they were made
        self._logged: set[str] = set()  # games whose fault the log has

    def people(self) -> People:
        """Return the renamed and hidden people of the journal."""
        return renamed_and_hidden.read(self.journal.setting("roster"))

    def session(self, name: str) -> Session:
        """Return the log of a game; raise InvalidLineError or JournalError if it cannot be read."""
        return read(self.journal.log(name).encode())

    def results(self) -> list[GameResult]:
        """Return the results of all finished games, imported ones among them, oldest first.

        A game that cannot be read is left out, and its name is in `unreadable`.

        A game from a time when the clock was not set is taken to be as old as the one before it by number.
        """
        return [result for result in self.each() if result is not None]

    def results_of(self, names: Iterable[str]) -> dict[str, GameResult]:
        """Return the results of some finished games, by name; those that cannot be read are missing."""
        chosen = frozenset(names)
        games = [game for game in self._in_order() if game.name in chosen]
        return {result.name: result for result in self._results(games) if result is not None}

    def each(self) -> Iterator[GameResult | None]:
        """Yield the result of each finished game, oldest first, as `results` returns them all.

        None stands for a step without a result: a game is listed, or cannot be read. No step takes long, so that keys
        can be answered between two. At the end the index is up to date.
        """
        yield from self._list_all()
        games = self._in_order()
        for place, result in enumerate(self._results(games), 1):
            self.remaining = len(games) - place
            yield result

    def _list_all(self) -> Iterator[None]:
        """Make the journal list the games that its list lacks; yields between two."""
        self.unreadable.clear()
        listed, names = {game.name for game in self.journal.games()}, self.journal.names()
        self.remaining = len(names)
        for name in names:
            if name not in listed:
                try:
                    self.journal.saved(name)
                except JournalError as error:
                    self._leave_out(name, error)
                yield None

    def _results(self, games: Sequence[StoredGame | GameResult]) -> Iterator[GameResult | None]:
        """Yield the results of games. Those that are not at hand are read from the index, the others computed."""
        if self._rules != GAMES.fingerprint:
            self._rules, self._rows, self._waiting = GAMES.fingerprint, {}, {}
        for first in range(0, len(games), BATCH):
            batch = games[first : first + BATCH]
            missing = [game.name for game in batch if isinstance(game, StoredGame) and self._row(game) is None]
            if missing and self._index is not None:
                self._rows |= self._index.results(missing)
            for game in batch:
                if isinstance(game, GameResult):
                    yield game
                else:
                    row = self._row(game) or self._computed(game)
                    yield None if row is None else row.result
            if self._waiting and self._index is not None and self._index.store(self._waiting.values()):
                self._waiting.clear()

    def _row(self, game: StoredGame) -> StoredResult | None:
        """Return a game's row that is at hand; None if it is of another number of lines."""
        row = self._rows.get(game.name)
        return None if row is None or row.lines != game.lines else row

    # Games

    def _in_order(self) -> list[StoredGame | GameResult]:
        """Return the finished games and the results of imported ones, oldest first."""
        local = sorted(filter(_may_be_over, self.journal.games()), key=attrgetter("number", "name"))
        dated, latest = list[tuple[float, StoredGame | GameResult]](), 0.0
        for game in local:
            latest = known_time(game.begun) or latest
            dated.append((latest, game))
        dated += [(result.begun, result) for result in self._imported(local)]
        return [game for _begun, game in sorted(dated, key=itemgetter(0))]

    def _imported(self, local: Sequence[StoredGame]) -> list[GameResult]:
        """Return the results of imported games, but those whose logs are there."""
        try:
            imported = self.journal.imported()
        except JournalError as error:
            self._leave_out("imported", error)
            return []
        if not imported:
            return []
        from .plays import imported_results  # most tables import nothing

        results, left_out = imported_results(imported, ((game.name, known_time(game.begun)) for game in local))
        self.unreadable |= left_out
        return results

    def _computed(self, game: StoredGame) -> StoredResult | None:
        """Return a game's row, computed from its log; None if it cannot be read."""
        try:
            lines, times = zip(*self.journal.timed_lines(game.name), strict=True)
            session = read("\n".join(lines).encode())
            entered = [time for line, time in zip(lines, times, strict=True) if not is_seat_names(line)]
            result = result_of(game.name, game.number, session, entered, game.tracking)
        except (JournalError, InvalidLineError, GameFaultError) as error:
            self._leave_out(game.name, error)
            return None
        except Exception:  # one game must not take all others with it
            self.unreadable.add(game.name)
            _LOG.exception("companion: the result of game %s", game.name)
            return None
        if result is not None and not _can_be_counted(result):
            _LOG.warning("companion: game %s is not counted: it has more than %d points", game.name, MOST_POINTS)
            result = None
        row = StoredResult(game.name, len(lines) - 1, None if result is None else _dated(result))
        self._rows[game.name] = self._waiting[game.name] = row
        return row

    def _leave_out(self, name: str, error: Exception) -> None:
        """Note that a game, or all imported ones, cannot be read; log it once."""
        self.unreadable.add(name)
        if name not in self._logged:
            self._logged.add(name)
            _LOG.warning("companion: %s is left out of the history: %s", name, error)


def _may_be_over(game: StoredGame) -> bool:
    """Return whether a game is finished, or may be by rules that were changed after it began."""
    kind = game.name.partition("-")[2].rpartition("-")[0]
    return game.over or (game.lines > 0 and GAMES.changed(kind) > game.begun)


def _can_be_counted(result: GameResult) -> bool:
    """Return whether all points are numbers that can be stored and shown; a log of another box may have any."""
    points = (result.scores, *result.rounds, *result.course, *result.counts.values())
    return all(each is None or -MOST_POINTS <= each <= MOST_POINTS for by_seat in points for each in by_seat)


def _dated(result: GameResult) -> GameResult:
    """Return a result without the times of a clock that was not set."""
    return replace(result, begun=known_time(result.begun), ended=known_time(result.ended))
