"""Background work while nobody presses a key: the journal is retried and checked, games are read, slips are searched.

It starts no thread and never waits: `due` says when to call `tick`. systemd's watchdog is pinged the same way.

Of a thousand games all results are read in about 20 ms on a computer, and in ten times that on a small box. If the
index of the history is missing, each game is read from its log, which takes much longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from companion.app.failures import Backoff, LogAndContinue
from companion.app.inputs import Input, Notice, Refresh
from companion.app.ports import Clock
from companion.core.session import Session
from companion.core.text import Text
from companion.history.renamed_and_hidden import People
from companion.journal import Journal
from companion.ui.offered_corrections import OfferedCorrections, SearchReason
from companion.ui.saved_games import HistoryReader, StillReading
from companion.ui.screens.context import Screen, ScreenContext
from companion.ui.translations import _

if TYPE_CHECKING:
    from companion.history.history import History
    from companion.history.reports import PersonReport
    from companion.history.results import GameResult
    from companion.history.statistics import LeagueRow, Ratings


T = TypeVar("T")

FIRST_RETRY = 0.5
LAST_RETRY = 8.0
"""Seconds before a refused write is retried: after the first failure, and at most. Each failure doubles the wait."""

IDLE = 60.0  # seconds without a key before the index of games is updated
UNDISTURBED = 1.0  # seconds without a key before an old game is checked
SLICE = 0.004  # seconds of checking old games, or of steps on the history's index, until the loop looks for a key
BETWEEN = 0.001  # seconds between two slices, in which other threads run
TURN = 0.005  # seconds of one turn of a search or of reading; a key that comes meanwhile waits no longer
TOLD = 3  # maximum messages about damage shown one by one; the rest is summed up by a count


def is_more(steps: Iterator[object], clock: Clock, seconds: float) -> bool:
    """Do steps for some seconds; return whether there may be more."""
    until = clock.passed() + seconds
    return any(clock.passed() >= until for _step in steps)


class JournalUpkeep:
    """Retries what the disk refuses; checks old games and updates the indexes while nobody presses a key."""

    def __init__(
        self, journal: Journal, clock: Clock, told: Callable[[Input], None], looked: Callable[[], None]
    ) -> None:
        """Use a journal.

        ``told`` is called with what the panel shows then; ``looked`` before, once all old games have been checked.
        """
        self._journal = journal
        self._clock = clock
        self._told = told
        self._looked = looked
        self._said = False  # whether the panel has shown that the disk refuses
        self._heard = False  # whether it has shown a message since the last key
        self._in_a_row = 0  # how many messages about damage it has shown since the first of them
        self._retry = Backoff(FIRST_RETRY, LAST_RETRY)
        self._idle: float | None = None  # when the index of games is updated
        self._steps: Iterator[object] = chain(iter(journal.check_next, False), self._checked(), self._indexing())
        self._work: float | None = clock.passed() + UNDISTURBED  # when steps are done; None if there are none

    @property
    def mark(self) -> int | None:
        """Return how many entries are not saved; None while the disk works."""
        return None if self._journal.fault is None else self._journal.unsaved()

    def trouble(self, *, later: bool = False) -> Text | None:
        """Return the message to show now, each only once: the disk refuses, or what was damaged.

        Args:
            later: Whether the next key would remove the message at once; a later call then returns it.
        """
        fault = self._journal.fault
        if fault is not None and self._retry.due is None:
            self._retry.failed(self._clock.passed())
        if later:
            return None
        if fault is None or self._said:
            return self._damage()
        self._said = self._heard = True  # damage is reported after the next key
        return _("Not saved: {why}. Leave the plug in: it is tried again", why=fault)

    def _damage(self) -> Text | None:
        """Return the next message about damage, at most one between two keys; after a few, the remaining count."""
        waiting = self._journal.notices
        if self._heard or not waiting:
            return None
        self._heard, self._in_a_row = True, self._in_a_row + 1
        if self._in_a_row <= TOLD:
            sentence = waiting.pop(0)
        else:
            sentence = _("More damage was found: {count}", count=len(waiting))
            waiting.clear()
        if not waiting:
            self._in_a_row = 0
        return sentence

    def tell_news(self, sentence: Text) -> None:
        """Show a sentence that is no fault, unless a fault has just been told."""
        if not self._heard:
            self._told(Notice(sentence))

    def save(self) -> bool:
        """Retry what is not saved. Return whether everything is saved."""
        if self._journal.fault is None:
            return True
        if self._journal.save():
            self._said = False
            self._retry.worked()
            self._idle = self._clock.passed() + IDLE
            return True
        return False

    def touched(self) -> None:
        """Postpone background work, because a key was pressed."""
        now, self._heard = self._clock.passed(), False
        if self._idle is not None:
            self._idle = now + IDLE
        if self._work is not None:
            self._work = now + UNDISTURBED

    def written(self) -> None:
        """Schedule an update of the index for the next idle time."""
        self._idle = self._clock.passed() + IDLE

    def look(self) -> None:
        """Do what is due; for programs without an event loop."""
        if self.due is not None and self.due <= self._clock.passed():
            self.tick()

    def finish(self) -> bool:
        """Save what is not saved, and the index. Return whether everything is saved."""
        saved = self.save()
        self._journal.update_index()
        return saved

    @property
    def due(self) -> float | None:
        """Return when to call `tick`, in seconds of ``Clock.passed``."""
        moments = (self._retry.due, self._idle, self._work)
        return min((moment for moment in moments if moment is not None), default=None)

    def tick(self) -> None:
        """Do what is due."""
        now = self._clock.passed()
        if self._retry.ready(now):
            if self.save():
                self._told(Notice(_("Everything is saved again")))
            else:
                self._retry.failed(now)
        if self._idle is not None and self._idle <= now:
            self._idle = None
            self._journal.update_index()
            self._steps, self._work = chain(self._steps, self._indexing()), now if self._work is None else self._work
        if self._work is not None and self._work <= now:
            self._work = self._next_work(now)
            trouble = self.trouble()
            if trouble is not None:
                self._told(Notice(trouble, refused=True))

    def _next_work(self, now: float) -> float | None:
        """Do steps for a slice, unless the disk refuses and no repair is possible. Return when to go on."""
        if self._journal.fault is not None:
            return now + LAST_RETRY
        if is_more(self._steps, self._clock, SLICE):
            return self._clock.passed() + BETWEEN
        self._steps = iter(())
        return None

    def _checked(self) -> Iterator[object]:
        """Report that the check of old games is over."""
        self._looked()
        self._told(Refresh())
        yield from ()

    def _indexing(self) -> Iterator[object]:
        """Bring the history's index up to date."""
        if self._journal.path is not None:
            from companion.history.history import History  # nothing at the start needs it

            yield from History(self._journal, self._journal.path, writes=True).each()


class SuggestionSearch:
    """A timed task that searches for corrections in short turns, whenever a state has an alarm."""

    def __init__(self, clock: Clock, found: Callable[[Input], None]) -> None:
        """Search nothing yet; ``found`` is called with the corrections, once they are found."""
        self._clock = clock
        self._found = found
        self._steps: Iterator[None] | None = None  # the search under way
        self._due = 0.0

    def look(self, context: ScreenContext, screen: Screen) -> None:
        """Begin a search if a screen has an alarm whose corrections are not known; else end the one under way."""
        self.cancel()
        game, alarm = context.game, screen.alarm(context)
        known = context.offered
        if game is None or alarm is None or (known is not None and known.meets(game.session, alarm)):
            return
        self._steps, self._due = self._search(game.session, alarm), self._clock.passed()

    def cancel(self) -> None:
        """End the search under way."""
        self._steps = None

    @property
    def due(self) -> float | None:
        """Return when to call `tick`: at once while there is something to search.

        It is a moment that has passed, so that the loop, which asks again, does not find it ahead.
        """
        return None if self._steps is None else self._due

    def tick(self) -> None:
        """Search for one turn."""
        if self._steps is not None and not is_more(self._steps, self._clock, TURN):
            self.cancel()

    def _search(self, session: Session, alarm: SearchReason) -> Iterator[None]:
        """Search in steps; report what was found at the end."""
        from companion.ui.suggestions import Search  # nothing at the start needs it

        search = Search(session, alarm)
        yield from search.steps()
        self._found(OfferedCorrections.of(session, alarm, search.suggestions()))


class Watchdog:
    """A timed task that pings the service manager. If the loop hangs, no ping is sent and systemd restarts the program.

    Args:
        clock: Supplies the monotonic time.
        period: Seconds between two pings.
        alive: Returns whether the key thread, which runs outside the loop, is healthy.
        beat: Sends one ping.
    """

    def __init__(self, clock: Clock, period: float, alive: Callable[[], bool], beat: Callable[[], None]) -> None:
        self._clock = clock
        self._period = period
        self._alive = alive
        self._beat = beat
        self._due = clock.passed()

    @property
    def due(self) -> float | None:
        """Return when the next ping is due."""
        return self._due

    def tick(self) -> None:
        """Send a ping if the keys are healthy."""
        self._due = self._clock.passed() + self._period
        if self._alive():
            self._beat()


IN_KEY = 0.02  # seconds of reading while a key waits
SHOWN = 0.5  # seconds after which a screen that waits shows how far it is
REMEMBERED = 100  # the most results of single games that are kept


class HistoryReading(HistoryReader):
    """A timed task that answers the questions of screens about finished games."""

    def __init__(self, journal: Journal, clock: Clock, told: Callable[[Input], None]) -> None:
        """Read nothing yet; ``told`` is called when the screen that waits should be shown again."""
        self._journal = journal
        self._clock = clock
        self._told = told
        self._history: History | None = None
        self._waits = False  # whether a screen waits
        self._show_at = 0.0  # when it is shown again
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
        self._steps = self._reading()
        self._results: list[GameResult] = []
        self._ratings: Ratings | None = None  # None until the first game is read
        self._figures: dict[object, Any] = {}  # the league, and what is known of persons

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
        return self._figure(None, self._league)

    def person(self, name: str) -> PersonReport | StillReading | None:
        """Return what is known of a person; None if the person played no finished game."""
        return self._figure(name, lambda: self._person(name))

    def _figure(self, what: object, make: Callable[[], T]) -> T | StillReading:
        """Return a figure, made once all games are read; until then read on, and return how much is left."""

        def made() -> T:
            if what not in self._figures:
                self._figures[what] = make()
            found: T = self._figures[what]
            return found

        found = self._read_on(IN_KEY, made)
        if isinstance(found, StillReading) and not found.failed:
            self._waits, self._show_at = True, self._clock.passed() + SHOWN
        return found

    def _league(self) -> tuple[LeagueRow, ...]:
        from companion.history.statistics import league

        return league(self._results, self._opened().people())

    def _person(self, name: str) -> PersonReport | None:
        from companion.history.reports import person_report

        assert self._ratings is not None  # all games are read
        return person_report(self._results, self._opened().people(), name, self._ratings)

    # Reading

    def _opened(self) -> History:
        if self._history is None:
            from companion.history.history import History  # nothing at the start needs it

            self._history = History(self._journal, self._journal.path, writes=True)
        return self._history

    def _reading(self) -> Iterator[None]:
        """Read and rate one game a step. Those that do not count are in lists, but not in figures."""
        from companion.history.selection import counts
        from companion.history.statistics import Ratings

        history = self._opened()
        self._ratings = ratings = Ratings(history.people())
        for result in history.each():
            if result is not None and counts(result):
                self._results.append(result)
                ratings.add(result)
            yield

    def _read_on(self, seconds: float, made: Callable[[], T]) -> T | StillReading:
        """Read for some seconds. Return what a function makes once all is read; until then how much is left."""
        if not self._failed:
            with LogAndContinue("reading the history"):
                people = self._opened().people()
                if people != self._people:
                    self._know(people)
                if is_more(self._steps, self._clock, seconds):
                    return StillReading(self._opened().remaining)
                return made()
            self._failed = True
        return StillReading(failed=True)

    @property
    def due(self) -> float | None:
        """Return when to call `tick`: at once while a screen waits."""
        return self._show_at - SHOWN if self._waits else None

    def tick(self) -> None:
        """Read for one turn. From time to time, and at the end, a turn shows the screen again; it then asks again."""
        if not self._waits:
            return
        if self._clock.passed() < self._show_at:
            left = self._read_on(TURN, lambda: None)
            if left is not None and not left.failed:
                return
        self._waits = False
        self._told(Refresh())
