"""Reads the history for screens: a little at each key, the rest while nobody presses one.

Of a thousand games all results are read in about 20 ms on a computer, and in ten times that on a small box. If the
index of the history is missing, each game is read from its log, which takes much longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.history.renamed_and_hidden import People
from companion.journal import Journal
from companion.ui.history_reader import PersonHistory, StillReading

from .ports import Clock
from .survive_errors import LogAndContinue

if TYPE_CHECKING:
    from companion.history.history import History
    from companion.history.league import LeagueRow
    from companion.history.ratings import RatedGame
    from companion.history.results import GameResult

IN_KEY = 0.02  # seconds of reading while a key waits
SLICE = 0.005  # seconds of a turn of reading while no key waits
SHOWN = 0.5  # seconds after which a screen that waits shows how far it is
REMEMBERED = 100  # the most results of single games that are kept
T = TypeVar("T")


class _Gradual(Generic[T]):
    """A list that is read step by step."""

    def __init__(self, steps: Iterator[T | None]) -> None:
        """Use the steps; each gives an item, or None."""
        self.found: list[T] = []  # what has been read
        self.count = 0  # how many steps were done
        self.done = False  # whether everything has been read
        self._steps = steps

    def go_on(self, clock: Clock, until: float) -> None:
        """Read until a time."""
        for item in self._steps:
            self.count += 1
            if item is not None:
                self.found.append(item)
            if clock.passed() >= until:
                return
        self.done = True


class HistoryReading:
    """A timed task that answers the questions of screens about finished games (`HistoryReader`)."""

    def __init__(self, journal: Journal, clock: Clock, shown: Callable[[], None]) -> None:
        """Read nothing yet; ``shown`` is called when the screen that waits should be shown again."""
        self._journal = journal
        self._clock = clock
        self._shown = shown
        self._history: History | None = None
        self._waiting: _Gradual[Any] | None = None
        self._awaits_list = self._outdated = False
        self._show_at = 0.0
        self.changed()

    def changed(self) -> None:
        """Forget everything, because a game or the list of games has changed. A screen that waits asks again."""
        self._outdated = self._awaits_list or self._waiting is not None
        self._awaits_list = False
        self._unlisted: int | None = None
        self._single: dict[str, GameResult] = {}
        self._results: _Gradual[GameResult] | None = None
        self._waiting = None
        self._failed = False
        self._know(None)

    def try_again(self) -> None:
        """Read again when asked next, if the games could not be read."""
        if self._failed:
            self.changed()

    def _know(self, people: People | None) -> None:
        """Forget what depends on the renamed and hidden people."""
        self._people = people
        self._rated: _Gradual[RatedGame] | None = None
        self._league: tuple[LeagueRow, ...] | None = None
        self._persons: dict[str, PersonHistory | None] = {}

    # Questions

    @property
    def unreadable(self) -> int:
        """Return how many games could not be read; the league and the statistics leave them out."""
        return 0 if self._history is None else len(self._history.unreadable)

    def unlisted(self) -> StillReading | None:
        """Return how many games are missing from the list of games; None if it is complete.

        They are read while nobody presses a key; the screen is then shown again.
        """
        if self._unlisted is None:
            self._unlisted = len(self._journal.names()) - len(self._journal.games())
        self._awaits_list = self._unlisted > 0
        return StillReading(self._unlisted) if self._awaits_list else None

    def results(self, names: Sequence[str]) -> Mapping[str, GameResult]:
        """Return the results of some finished games; unreadable ones are missing."""
        missing = [name for name in names if name not in self._single]
        with LogAndContinue("reading games for the history"):
            if missing:
                if len(self._single) + len(missing) > REMEMBERED:
                    self._single = {}
                    missing = list(names)
                self._single |= self._opened().results_of(missing)
        return self._single

    def league(self) -> tuple[LeagueRow, ...] | StillReading:
        """Return the league table over all games."""
        with LogAndContinue("the league"):
            results = self._all()
            if isinstance(results, StillReading):
                return results
            if self._league is None:
                from companion.history.league import league

                self._league = league(results, self._opened().people())
            return self._league
        return self._fail()

    def person(self, name: str) -> PersonHistory | StillReading | None:
        """Return what is known of a person; None if the person played no finished game."""
        with LogAndContinue("the history of a person"):
            results = self._all()
            if isinstance(results, StillReading):
                return results
            if name not in self._persons:
                if self._rated is None:
                    from companion.history.ratings import Rater

                    self._rated = _Gradual(map(Rater(self._opened().people()).rate, results))
                rated = self._read(self._rated, lambda read: len(results) - read)
                if isinstance(rated, StillReading):
                    return rated
                self._persons = {name: self._person(results, rated, name)}
            return self._persons[name]
        return self._fail()

    def _person(self, results: list[GameResult], rated: list[RatedGame], name: str) -> PersonHistory | None:
        from companion.gamelog import name_key
        from companion.history.ratings import Ratings
        from companion.history.statistics import statistics

        found = statistics(results, self._opened().people(), name)
        if found is None:
            return None
        ratings, key = Ratings(rated), name_key(name)
        own = {
            kind: ratings.after(figures.games[-1], key, one_game=True).displayed
            for kind, figures in found.by_game.items()
        }
        return PersonHistory(
            found,
            ratings.after(found.overall.games[-1], key).displayed,
            {kind: rating for kind, rating in own.items() if rating is not None},
        )

    # Reading

    def _opened(self) -> History:
        if self._history is None:
            from companion.history.history import History  # nothing at the start needs it

            self._history = History(self._journal, self._journal.path, writes=True)
        return self._history

    def _all(self) -> list[GameResult] | StillReading:
        """Return the results of all games."""
        people = self._opened().people()
        if people != self._people:
            self._know(people)
        if self._results is None:
            # games that the table ended early are in lists, but not in figures
            each = self._opened().each()
            self._results = _Gradual(None if one is None or one.ended_early else one for one in each)
        return self._read(self._results, lambda _read: self._opened().remaining)

    def _read(self, wanted: _Gradual[T], remaining: Callable[[int], int]) -> list[T] | StillReading:
        """Read on for a moment. Return everything, or how much is left; the rest is read in later turns."""
        if self._failed:
            return StillReading(failed=True)
        if not wanted.done:
            now = self._clock.passed()
            wanted.go_on(self._clock, now + IN_KEY)
            if not wanted.done:
                self._waiting, self._show_at = wanted, now + SHOWN
                return StillReading(remaining(wanted.count))
        return wanted.found

    def _fail(self) -> StillReading:
        self._failed, self._waiting = True, None
        return StillReading(failed=True)

    @property
    def due(self) -> float | None:
        """Return when to call `tick`: at once while a screen waits."""
        return self._show_at - SHOWN if self._outdated or self._waiting is not None else None

    def tick(self) -> None:
        """Read for one turn. From time to time, and at the end, a turn shows the screen again; it then asks again."""
        waiting = self._waiting
        if waiting is None:
            if self._outdated:
                self._outdated = False
                self._shown()
            return
        now = self._clock.passed()
        if not waiting.done and now < self._show_at:
            with LogAndContinue("reading the history"):
                waiting.go_on(self._clock, now + SLICE)
                return
            self._fail()
        self._waiting, self._outdated = None, False
        self._shown()
