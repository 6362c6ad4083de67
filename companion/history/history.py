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
from companion.gamelog import InvalidLine, read

from . import people
from .days import known_moment
from .index import Index, StoredRating, StoredResult
from .people import People
from .ratings import RatedGame, Rater, Ratings
from .results import GameResult, result_of

_LOG = logging.getLogger(__name__)

PAGE = 200
"""Rows whose freshness is checked in one step."""

RATED = 20
"""Games that are rated in one step."""

TRIES = 5
"""Tries to write a row, one in each step, while another process reads."""

BATCH = 100
"""Results computed for one question that are written together."""

MOST_POINTS = 10**9
"""The most points that are counted."""


class StoredGame(Protocol):
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


class GameSource(Protocol):
    """A journal; see `companion.journal.Journal`."""

    def games(self) -> Sequence[StoredGame]:
        """Return every known game."""

    def saved(self, game: str) -> StoredGame:
        """Return a game as the list has it; raises an exception if it is missing or unreadable."""

    def lines(self, game: str) -> list[str]:
        """Return a game's lines after the header; raises an exception if it is missing or unreadable."""

    def times(self, game: str) -> tuple[float, ...]:
        """Return when the header of a game and each line after it were written."""

    def setting(self, name: str) -> str | None:
        """Return a setting's value; None if it was never chosen."""

    def imported(self) -> Mapping[str, Any]:
        """Return what was imported, by its source's id; raises an exception if it cannot be read."""


class History:
    """Answers questions about the finished games of a journal."""

    def __init__(self, journal: GameSource, path: Path | None, *, writes: bool = False) -> None:
        """Use a journal, and the index in its folder.

        Args:
            journal: The journal, or anything that lists and reads games.
            path: The journal's folder; None if it is kept in memory, and everything is computed at each question.
            writes: Whether to write the index. Only the process that writes the journal may.
        """
        self._journal = journal
        self._index = None if path is None else Index(path, writes=writes)
        self._writes = writes
        self._steps: Iterator[None] | None = None

    def people(self) -> People:
        """Return the renamed and hidden people of the journal."""
        return people.read(self._journal.setting("roster"))

    def session(self, name: str) -> Session:
        """Return the log of a game.

        Raises:
            InvalidLine: The log is invalid.
            Exception: The journal cannot read the game (`JournalFault`).
        """
        header, lines = self._journal.saved(name).header, self._journal.lines(name)
        return read("\n".join((header, *lines)).encode())

    def result(self, name: str) -> GameResult | None:
        """Return the result of a game; None if it is not finished or cannot be read."""
        game = next((game for game in self._in_order() if game.name == name), None)
        if game is None or isinstance(game, GameResult):
            return game
        row = None if self._index is None else self._index.results([name]).get(name)
        if row is None or row.lines != game.lines:
            row = self._computed(game)
        return None if row is None else row.result

    def results(self) -> list[GameResult]:
        """Return the results of all finished games, imported ones among them, oldest first.

        A game that cannot be read is left out and logged.

        A game from a time when the clock was not set is taken to be as old as the one before it by number.
        """
        with _uncollected():
            return self._results({} if self._index is None else self._index.results())

    def ratings(self, results: Sequence[GameResult]) -> Ratings:
        """Return the ratings after each game.

        Args:
            results: The results of all finished games, as `results` returns them.
        """
        with _uncollected():
            return self._ratings(results, {} if self._index is None else self._index.ratings())

    def results_of(self, names: Iterable[str]) -> dict[str, GameResult]:
        """Return the results of some finished games, by name; those that cannot be read are missing."""
        wanted = frozenset(names)
        games = [game for game in self._in_order() if game.name in wanted]
        return {result.name: result for result in self._each(games) if result is not None}

    def each(self) -> Iterator[GameResult | None]:
        """Yield the result of each finished game, oldest first, as `results` returns them all.

        None stands for a game that cannot be read. No step takes long, so that keys can be answered between two.
        """
        games = self._in_order()
        for first in range(0, len(games), PAGE):
            yield from self._each(games[first : first + PAGE])

    def _each(self, games: Sequence[StoredGame | GameResult]) -> Iterator[GameResult | None]:
        names = [game.name for game in games if not isinstance(game, GameResult)]
        stored = {} if self._index is None else self._index.results(names)
        for game in games:
            if isinstance(game, GameResult):
                yield game
                continue
            row = stored.get(game.name)
            if row is None or row.lines != game.lines:
                row = self._computed(game)
                self._store(() if row is None else (row,))
            yield None if row is None else row.result

    def each_rated(self, results: Sequence[GameResult]) -> Iterator[RatedGame]:
        """Yield the ratings after each game, as `ratings` returns them all; they are not stored.

        Args:
            results: The results of all finished games, oldest first.
        """
        rater = Rater(self.people())
        for first in range(0, len(results), PAGE):
            stored = {} if self._index is None else self._index.ratings(first, PAGE)
            for place, result in enumerate(results[first : first + PAGE], first):
                yield _rated(rater, result, place, stored).rated

    def update_next(self) -> bool:
        """Bring the index up to date by one small step; return whether there is more to do.

        What happens to the journal in the meantime may be missed; another round of steps finds it.
        """
        if self._steps is None:
            self._steps = self._update()
        if next(self._steps, self) is self:  # the end
            self._steps = None
        return self._steps is not None

    # Questions

    def _results(self, stored: Mapping[str, StoredResult]) -> list[GameResult]:
        found: list[GameResult] = []
        fresh: list[StoredResult] = []
        for game in self._in_order():
            if isinstance(game, GameResult):
                found.append(game)
                continue
            row = stored.get(game.name)
            if row is None or row.lines != game.lines:
                row = self._computed(game)
                fresh += () if row is None else (row,)
            if row is not None and row.result is not None:
                found.append(row.result)
            if len(fresh) >= BATCH:
                self._store(fresh)
                fresh = []
        self._store(fresh)
        return found

    def _ratings(self, results: Sequence[GameResult], stored: Mapping[int, StoredRating]) -> Ratings:
        rater, rated, fresh = Rater(self.people()), list[RatedGame](), list[StoredRating]()
        for place, result in enumerate(results):
            row = _rated(rater, result, place, stored)
            rated.append(row.rated)
            fresh += () if stored.get(place) is row else (row,)
        if self._index is not None:
            self._index.store_ratings(fresh)
            if len(stored) > len(results):
                self._index.drop_ratings(len(results))
        return Ratings(rated)

    # Steps

    def _update(self) -> Iterator[None]:
        """Bring the index up to date; yields between two steps."""
        in_order = self._in_order()
        games = [game for game in in_order if not isinstance(game, GameResult)]
        if self._index is None or not self._writes or not in_order:
            return
        index, known, last = self._index, dict[str, int](), 0
        while True:
            after, page = index.lines(last, PAGE)
            if after <= last:  # they only rise, but in a damaged file
                break
            known, last = known | page, after
            if len(page) == PAGE:
                yield
        gone = known.keys() - {game.name for game in games}
        if gone:
            index.forget(gone)
        for game in games:
            if known.get(game.name) != game.lines and (row := self._computed(game)) is not None:
                for _try in range(TRIES):
                    stored = index.store([row])
                    yield
                    if stored:
                        break
        yield from self._update_ratings(index, in_order)

    def _update_ratings(self, index: Index, games: Sequence[StoredGame | GameResult]) -> Iterator[None]:
        rater, place = Rater(self.people()), 0
        for first in range(0, len(games), PAGE):
            page = games[first : first + PAGE]
            rows = index.results([game.name for game in page if not isinstance(game, GameResult)])
            stored, fresh = index.ratings(place, PAGE), list[StoredRating]()
            for game in page:
                kept = rows.get(game.name)
                result = game if isinstance(game, GameResult) else None if kept is None else kept.result
                if result is not None:
                    row = _rated(rater, result, place, stored)
                    fresh += () if stored.get(place) is row else (row,)
                    place += 1
                if len(fresh) == RATED:
                    index.store_ratings(fresh)
                    fresh = []
                    yield
            index.store_ratings(fresh)
            if len(page) == PAGE:
                yield
        if index.ratings(place, 1):
            index.drop_ratings(place)

    # Games

    def _in_order(self) -> list[StoredGame | GameResult]:
        """Return the finished games and the results of imported ones, oldest first."""
        own = sorted((game for game in self._journal.games() if game.over), key=lambda game: (game.number, game.name))
        dated, latest = list[tuple[float, StoredGame | GameResult]](), 0.0
        for game in own:
            latest = known_moment(game.begun) or latest
            dated.append((latest, game))
        dated += [(result.begun, result) for result in self._imported(own)]
        return [game for _begun, game in sorted(dated, key=itemgetter(0))]

    def _imported(self, own: Sequence[StoredGame]) -> list[GameResult]:
        """Return the results of imported games, but those whose logs are there."""
        try:
            kept = self._journal.imported()
        except Exception as error:  # the journal's, which is above this layer
            _LOG.warning("companion: imported games are left out of the history: %s", error)
            return []
        if not kept:
            return []
        from .imported import plays_without_log  # noqa: PLC0415  # most tables import nothing

        return plays_without_log(kept, ((game.name, known_moment(game.begun)) for game in own))

    def _computed(self, game: StoredGame) -> StoredResult | None:
        """Return a game's row, computed from its log; None if it cannot be read."""
        try:
            lines, times = self._journal.lines(game.name), self._journal.times(game.name)
        except Exception as error:  # the journal's, which is above this layer
            _left_out(game, error)
            return None
        try:
            session = read("\n".join((game.header, *lines)).encode())
            result = result_of(game.name, game.number, session, times, game.tracking)
        except InvalidLine as error:
            _left_out(game, error)
            return None
        except Exception:  # one game must not take all others with it
            _LOG.exception("companion: the result of game %s", game.name)
            return None
        if result is not None and not _can_be_counted(result):
            _left_out(game, f"it has more than {MOST_POINTS:,} points")
            result = None
        return StoredResult(game.name, len(lines), None if result is None else _dated(result))

    def _store(self, rows: Sequence[StoredResult]) -> None:
        if self._index is not None and rows:
            self._index.store(rows)


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


def _left_out(game: StoredGame, error: object) -> None:
    _LOG.warning("companion: game %s is left out of the history: %s", game.name, error)


def _dated(result: GameResult) -> GameResult:
    """Return a result without the times of a clock that was not set."""
    return replace(result, begun=known_moment(result.begun), ended=known_moment(result.ended))
