"""Reads the history for screens: a little at each key, the rest while nobody presses one.

Of a thousand games all results are read in about 20 ms on a computer, and in ten times that on a small box. If the
index of the history is missing, each game is read from its log, which takes much longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.history.renamed_and_hidden import People
from companion.journal import Journal
from companion.ui.history_reader import PersonHistory, StillReading

from .inputs import Input, MoreRead
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


class HistoryReading:
    """A timed task that answers the questions of screens about finished games (`HistoryReader`)."""

    def __init__(self, journal: Journal, clock: Clock, told: Callable[[Input], None]) -> None:
        """Read nothing yet; ``told`` is called when the screen that waits should be shown again."""
        self._journal = journal
        self._clock = clock
        self._told = told
        self._history: History | None = None
        self._waits = False  # whether a screen waits
        self._show_at = 0.0
        self.changed()

    def changed(self) -> None:
        """Forget everything, because a game or the list of games has changed. A screen that waits asks again."""
        self._unlisted: int | None = None
        self._single: dict[str, GameResult] = {}
        self._failed = False
        self._know(None)

    def try_again(self) -> None:
        """Read again when asked next, if the games could not be read."""
        if self._failed:
            self.changed()

    def _know(self, people: People | None) -> None:
        """Forget all figures: those of other people, renamed or hidden, are others."""
        self._people = people
        self._steps: Iterator[None] | None = None  # reads and rates the games; None before somebody asks
        self._done = False
        self._results: list[GameResult] = []
        self._rated: list[RatedGame] = []
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
        return StillReading(self._unlisted) if self._unlisted > 0 else None

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
            left = self._left()
            if left is not None:
                return left
            if self._league is None:
                from companion.history.league import league

                self._league = league(self._results, self._opened().people())
            return self._league
        return self._fail()

    def person(self, name: str) -> PersonHistory | StillReading | None:
        """Return what is known of a person; None if the person played no finished game."""
        with LogAndContinue("the history of a person"):
            left = self._left()
            if left is not None:
                return left
            if name not in self._persons:
                self._persons = {name: self._person(name)}
            return self._persons[name]
        return self._fail()

    def _person(self, name: str) -> PersonHistory | None:
        from companion.gamelog import name_key
        from companion.history.ratings import Ratings
        from companion.history.statistics import statistics

        found = statistics(self._results, self._opened().people(), name)
        if found is None:
            return None
        ratings, key = Ratings(self._rated), name_key(name)
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

    def _each(self) -> Iterator[None]:
        """Read and rate one game a step. Those that the table ended early are in lists, but not in figures."""
        from companion.history.ratings import Rater

        history = self._opened()
        rate = Rater(history.people()).rate
        for result in history.each():
            if result is not None and not result.ended_early:
                self._results.append(result)
                self._rated.append(rate(result))
            yield

    def _left(self) -> StillReading | None:
        """Read on for a moment; the rest is read in later turns. Return how much is left, None if nothing is."""
        people = self._opened().people()
        if people != self._people:
            self._know(people)
        if self._failed:
            return StillReading(failed=True)
        now = self._clock.passed()
        if self._done or not self._go_on(now + IN_KEY):
            return None
        self._waits, self._show_at = True, now + SHOWN
        return StillReading(self._opened().remaining)

    def _go_on(self, until: float) -> bool:
        """Read until a time; return whether there is more to read."""
        steps = self._steps = self._steps or self._each()
        self._done = not any(self._clock.passed() >= until for _step in steps)
        return not self._done

    def _fail(self) -> StillReading:
        self._failed, self._waits = True, False
        return StillReading(failed=True)

    @property
    def due(self) -> float | None:
        """Return when to call `tick`: at once while a screen waits."""
        return self._show_at - SHOWN if self._waits else None

    def tick(self) -> None:
        """Read for one turn. From time to time, and at the end, a turn shows the screen again; it then asks again."""
        if not self._waits:
            return
        now = self._clock.passed()
        if self._steps is not None and not self._done and now < self._show_at:
            with LogAndContinue("reading the history"):
                self._go_on(now + SLICE)
                return
            self._fail()
        self._waits = False
        self._told(MoreRead())
