"""The history of a journal: results and ratings of its finished games, kept in an index that is always up to date."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any, Protocol

from msgspec.structs import replace

from companion.core.session import Session
from companion.gamelog import InvalidLineError, read

from . import renamed_and_hidden
from .days import known_moment
from .index import Index, StoredRating, StoredResult
from .ratings import RatedGame, Rater, Ratings
from .renamed_and_hidden import People
from .results import GameResult, result_of

_LOG = logging.getLogger(__name__)

PAGE = 200
"""Rows that are read from the index in one step."""

BATCH = 20
"""Results or ratings that are written together."""

MOST_POINTS = 10**9
"""The most points that are counted."""


class GameEntry(Protocol):
    """A game as the journal lists it; see `companion.journal.StoredGame`."""

    @property
    def name(self) -> str:
        """Return its name."""

    @property
    def number(self) -> int:
        """Return its number."""

    @property
    def header(self) -> str:
        """Return the first line of its log."""

    @property
    def tracking(self) -> str:
        """Return its level of tracking."""

    @property
    def over(self) -> bool:
        """Return whether it is finished."""

    @property
    def lines(self) -> int:
        """Return the number of lines below the header."""

    @property
    def begun(self) -> float:
        """Return when it began, in seconds since 1970."""


class JournalReader(Protocol):
    """A journal; see `companion.journal.Journal`."""

    def games(self) -> Sequence[GameEntry]:
        """Return every known game."""

    def names(self) -> Sequence[str]:
        """Return the names of all games, also of those that have not been read since their list was lost."""

    def saved(self, game: str) -> GameEntry:
        """Return a game as the list has it; raises an exception if it is missing or unreadable."""

    def lines(self, game: str) -> list[str]:
        """Return a game's lines after the header; raises an exception if it is missing or unreadable."""

    def timed_lines(self, game: str) -> Sequence[tuple[str, float]]:
        """Return a game's header and lines, each with when it was written."""

    def setting(self, name: str) -> str | None:
        """Return a setting's value; None if it was never chosen."""

    def imported(self) -> Mapping[str, Any]:
        """Return what was imported, by its source's id; raises an exception if it cannot be read."""


class History:
    """Answers questions about the finished games of a journal.

    Attributes:
        left: How many games the latest `each` has not read yet.
        unreadable: The names of the games that could not be read; figures leave them out.
    """

    def __init__(self, journal: JournalReader, path: Path | None, *, writes: bool = False) -> None:
        """Use a journal, and the index in its folder.

        Args:
            journal: The journal, or anything that lists and reads games.
            path: The journal's folder; None if it is kept in memory.
            writes: Whether to write the index. Only the process that writes the journal may.
        """
        self.left = 0
        self.unreadable: set[str] = set()
        self._journal = journal
        self._index = None if path is None else Index(path, writes=writes)
        self._writes = writes
        self._computed: dict[str, StoredResult] = {}  # rows that the index has not taken yet
        self._logged: set[str] = set()  # games whose fault the log has
        self._steps: Iterator[object] | None = None

    def people(self) -> People:
        """Return the renamed and hidden people of the journal."""
        return renamed_and_hidden.read(self._journal.setting("roster"))

    def session(self, name: str) -> Session:
        """Return the log of a game.

        Raises:
            InvalidLineError: The log is invalid.
            Exception: The journal cannot read the game (`JournalError`).
        """
        header, lines = self._journal.saved(name).header, self._journal.lines(name)
        return read("\n".join((header, *lines)).encode())

    def result(self, name: str) -> GameResult | None:
        """Return the result of a game; None if it is not finished or cannot be read."""
        return self.results_of([name]).get(name)

    def results(self) -> list[GameResult]:
        """Return the results of all finished games, imported ones among them, oldest first.

        A game that cannot be read is left out, and its name is in `unreadable`.

        A game from a time when the clock was not set is taken to be as old as the one before it by number.
        """
        with _uncollected():
            return [result for result in self.each() if result is not None]

    def ratings(self, results: Sequence[GameResult]) -> Ratings:
        """Return the ratings after each game.

        Args:
            results: The results of all finished games, as `results` returns them.
        """
        with _uncollected():
            ratings = Ratings(self.each_rated(results))
        self._drop_ratings(len(results))
        return ratings

    def results_of(self, names: Iterable[str]) -> dict[str, GameResult]:
        """Return the results of some finished games, by name; those that cannot be read are missing."""
        wanted = frozenset(names)
        games = [game for game in self._in_order() if game.name in wanted]
        return {result.name: result for result in self._each(games) if result is not None}

    def each(self) -> Iterator[GameResult | None]:
        """Yield the result of each finished game, oldest first, as `results` returns them all.

        None stands for a step without a result: a game is listed, or cannot be read. No step takes long, so that keys
        can be answered between two.
        """
        yield from self._list_all()
        yield from self._pages(self._in_order())

    def each_rated(self, results: Iterable[GameResult]) -> Iterator[RatedGame]:
        """Yield the ratings after each game, as `ratings` returns them all. No step takes long.

        Args:
            results: The results of all finished games, oldest first.
        """
        rater, stored, fresh = Rater(self.people()), dict[int, StoredRating](), list[StoredRating]()
        for place, result in enumerate(results):
            if self._index is not None and place % PAGE == 0:
                stored = self._index.ratings(place, PAGE)
            row = _rated(rater, result, place, stored)
            fresh += () if stored.get(place) is row else (row,)
            if self._index is not None and len(fresh) >= BATCH:
                self._index.store_ratings(fresh)
                fresh = []
            yield row.rated
        if self._index is not None:
            self._index.store_ratings(fresh)

    def update_next(self) -> bool:
        """Bring the index up to date by one small step; return whether there is more to do.

        What happens to the journal in the meantime may be missed; another round of steps finds it.
        """
        if self._steps is None:
            self._steps = self._update()
        if next(self._steps, self) is self:  # the end
            self._steps = None
        return self._steps is not None

    # Steps

    def _update(self) -> Iterator[object]:
        """Bring the index up to date; yields between two steps."""
        if self._index is None or not self._writes:
            return
        yield from self._list_all()
        yield None
        games = self._in_order()
        yield None
        yield from self._pages(games)
        count = 0
        for _rated_game in self.each_rated(result for result in self._pages(games) if result is not None):
            count += 1
            yield None
        if games:
            self._index.forget(self._index.names() - {game.name for game in games})
            yield None
            self._drop_ratings(count)

    def _drop_ratings(self, count: int) -> None:
        """Remove the ratings of more games than there are."""
        if self._index is not None and self._index.ratings(count, 1):
            self._index.drop_ratings(count)

    def _list_all(self) -> Iterator[None]:
        """Make the journal list the games that its list lacks; yields between two."""
        self.unreadable.clear()
        listed, names = {game.name for game in self._journal.games()}, self._journal.names()
        self.left = len(names)
        for name in names:
            if name not in listed:
                self._list(name)
                yield None

    def _pages(self, games: Sequence[GameEntry | GameResult]) -> Iterator[GameResult | None]:
        """Yield the results of all games, a page of the index at a time."""
        for first in range(0, len(games), PAGE):
            for place, result in enumerate(self._each(games[first : first + PAGE]), first + 1):
                self.left = len(games) - place
                yield result

    def _each(self, games: Sequence[GameEntry | GameResult]) -> Iterator[GameResult | None]:
        """Yield the results of games; those that the index lacks are computed, and stored a batch at a time."""
        names = [game.name for game in games if not isinstance(game, GameResult)]
        stored = {} if self._index is None else self._index.results(names)
        fresh = list[StoredResult]()
        for game in games:
            if isinstance(game, GameResult):
                yield game
                continue
            row, computed = _current(stored.get(game.name), game), self._computed.pop(game.name, None)
            if row is None:
                row = _current(computed, game) or self._compute(game)
                fresh += () if row is None else (row,)
            if len(fresh) >= BATCH:
                self._store(fresh)
                fresh = []
            yield None if row is None else row.result
        self._store(fresh)

    # Games

    def _in_order(self) -> list[GameEntry | GameResult]:
        """Return the finished games and the results of imported ones, oldest first."""
        own = sorted((game for game in self._journal.games() if game.over), key=lambda game: (game.number, game.name))
        dated, latest = list[tuple[float, GameEntry | GameResult]](), 0.0
        for game in own:
            latest = known_moment(game.begun) or latest
            dated.append((latest, game))
        dated += [(result.begun, result) for result in self._imported(own)]
        return [game for _begun, game in sorted(dated, key=itemgetter(0))]

    def _imported(self, own: Sequence[GameEntry]) -> list[GameResult]:
        """Return the results of imported games, but those whose logs are there."""
        try:
            kept = self._journal.imported()
        except Exception as error:  # the journal's, which is above this layer
            self._leave_out("imported", error)
            return []
        if not kept:
            return []
        from .imported import plays_without_log  # most tables import nothing

        results, left_out = plays_without_log(kept, ((game.name, known_moment(game.begun)) for game in own))
        self.unreadable |= left_out
        return results

    def _list(self, name: str) -> None:
        """Make the journal list a game that it has not read yet."""
        try:
            self._journal.saved(name)
        except Exception as error:  # the journal's, which is above this layer
            self._leave_out(name, error)

    def _compute(self, game: GameEntry) -> StoredResult | None:
        """Return a game's row, computed from its log; None if it cannot be read."""
        try:
            lines, times = zip(*self._journal.timed_lines(game.name), strict=True)
        except Exception as error:  # the journal's, which is above this layer
            self._leave_out(game.name, error)
            return None
        try:
            session = read("\n".join(lines).encode())
            result = result_of(game.name, game.number, session, times, game.tracking)
        except InvalidLineError as error:
            self._leave_out(game.name, error)
            return None
        except Exception:  # one game must not take all others with it
            self.unreadable.add(game.name)
            _LOG.exception("companion: the result of game %s", game.name)
            return None
        if result is not None and not _can_be_counted(result):
            _LOG.warning("companion: game %s is not counted: it has more than %d points", game.name, MOST_POINTS)
            result = None
        return StoredResult(game.name, len(lines) - 1, None if result is None else _dated(result))

    def _leave_out(self, name: str, error: Exception) -> None:
        """Note that a game, or all imported ones, cannot be read; log it once."""
        self.unreadable.add(name)
        if name not in self._logged:
            self._logged.add(name)
            _LOG.warning("companion: %s is left out of the history: %s", name, error)

    def _store(self, rows: Sequence[StoredResult]) -> None:
        """Store rows; those that the index does not take are kept."""
        if rows and (self._index is None or not self._index.store(rows)):
            self._computed.update((row.name, row) for row in rows)


def _current(row: StoredResult | None, game: GameEntry) -> StoredResult | None:
    """Return a row if it is of all lines of a game; else None."""
    return row if row is not None and row.lines == game.lines else None


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the garbage collector from walking through thousands of results, which have no cycles."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.freeze()
            gc.unfreeze()  # both together make everything old, which takes no time; what is new would be walked through
            gc.enable()


def _rated(rater: Rater, result: GameResult, place: int, stored: Mapping[int, StoredRating]) -> StoredRating:
    """Return the row of the next game: the stored one if it is right, else a new one."""
    row, check = stored.get(place), rater.checked(result)
    if row is not None and row.check == check:
        rater.follow(row.rated, check)
        return row
    return StoredRating(place, check, rater.rate(result))


def _can_be_counted(result: GameResult) -> bool:
    """Return whether all points are numbers that can be stored and shown; a log of another box may have any."""
    points = (result.scores, *result.rounds, *result.course, *result.deeds.values())
    return all(-MOST_POINTS <= each <= MOST_POINTS for by_seat in points for each in by_seat)


def _dated(result: GameResult) -> GameResult:
    """Return a result without the times of a clock that was not set."""
    return replace(result, begun=known_moment(result.begun), ended=known_moment(result.ended))
