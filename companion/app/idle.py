"""Background work while nobody presses a key: the journal is retried and checked, games are read, slips are searched.

It starts no thread and never waits: `due` says when to call `tick`. systemd's watchdog is pinged the same way.

Of a thousand games all results are read in about 20 ms on a computer, and in ten times that on a small box. If the
index of the history is missing, each game is read from its log, which takes much longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.app.failures import Backoff, LogAndContinue
from companion.app.inputs import Input, Notice, Refresh
from companion.app.ports import Clock
from companion.core.text import Text
from companion.history.renamed_and_hidden import People
from companion.journal import Journal
from companion.ui.saved_games import PersonHistory, StillReading
from companion.ui.screens.context import CurrentGame, Screen, ScreenContext
from companion.ui.screens.suggestions import OfferedCorrections
from companion.ui.suggestions import Search, SearchReason
from companion.ui.translations import _

if TYPE_CHECKING:
    from companion.history.history import History
    from companion.history.league import LeagueRow
    from companion.history.ratings import RatedGame
    from companion.history.results import GameResult


FIRST_RETRY = 0.5
LAST_RETRY = 8.0
"""Seconds before a refused write is retried: after the first failure, and at most. Each failure doubles the wait."""

IDLE = 60.0  # seconds without a key before the index of games is updated
UNDISTURBED = 1.0  # seconds without a key before an old game is checked
SLICE = 0.004  # seconds of checking old games, or of steps on the history's index, until the loop looks for a key
BETWEEN = 0.001  # seconds between two slices, in which other threads run
TOLD = 3  # maximum messages about damage shown one by one; the rest is summed up by a count


class JournalUpkeep:
    """Does one step of background work at each due time."""

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
        self._said = self._heard = False
        self._waiting: list[Text] = []
        self._in_a_row = 0
        self._retry = Backoff(FIRST_RETRY, LAST_RETRY)
        self._idle: float | None = None
        self._check: float | None = clock.passed() + UNDISTURBED
        self._steps: Iterator[object] | None = None  # while the index of the history is being updated
        self._update: float | None = None

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

    def _look_at_next(self, now: float) -> float | None:
        """Check old games for a slice, unless the disk refuses and no repair is possible. Return when to go on."""
        if self._journal.fault is not None:
            return now + LAST_RETRY
        if self._go_on(iter(self._journal.check_next, False), now):
            return self._clock.passed() + BETWEEN
        self._looked()
        self._told(Refresh())
        self._steps, self._update = None, now
        return None

    def _update_history(self, now: float) -> float | None:
        """Bring the history's index up to date for a slice. Return when to go on."""
        from companion.history.history import History  # nothing at the start needs it

        if self._journal.fault is not None or self._journal.path is None:
            return None  # the index is updated after everything is saved again
        steps = self._steps = self._steps or History(self._journal, self._journal.path, writes=True).each()
        if self._go_on(steps, now):
            return self._clock.passed() + BETWEEN
        self._steps = None
        return None

    def _go_on(self, steps: Iterator[object], now: float) -> bool:
        """Do steps until the slice is over or the disk refuses; return whether there are more."""
        return any(self._journal.fault is not None or self._clock.passed() >= now + SLICE for _step in steps)

    def _damage(self) -> Text | None:
        """Return the next message about damage, at most one between two keys; after a few, the remaining count."""
        found, self._journal.notices = self._journal.notices, []
        self._waiting += found
        if self._heard or not self._waiting:
            return None
        self._heard, self._in_a_row = True, self._in_a_row + 1
        if self._in_a_row <= TOLD:
            sentence = self._waiting.pop(0)
        else:
            sentence = _("More damage was found: {count}", count=len(self._waiting))
            self._waiting = []
        if not self._waiting:
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
        if self._check is not None:
            self._check = now + UNDISTURBED
        if self._update is not None:
            self._update = now + UNDISTURBED

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
        moments = (self._retry.due, self._idle, self._check, self._update)
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
            self._idle = self._steps = None
            self._journal.update_index()
            self._update = now if self._check is None else None  # after the check there is an update anyway
        if self._check is not None and self._check <= now:
            self._check = self._look_at_next(now)
            trouble = self.trouble()
            if trouble is not None:
                self._told(Notice(trouble, refused=True))
        if self._update is not None and self._update <= now:
            self._update = None  # a step that fails is not done again and again
            self._update = self._update_history(now)


SEARCHED = 0.005  # seconds of one turn of a search or of reading; a key that comes meanwhile waits no longer


class SuggestionSearch:
    """A timed task that searches for corrections in short turns, whenever a state has an alarm."""

    def __init__(self, clock: Clock, found: Callable[[Input], None]) -> None:
        """Search nothing yet; ``found`` is called with the corrections, once they are found."""
        self._clock = clock
        self._found = found
        self._alarm: SearchReason | None = None
        self._search: Search | None = None
        self._steps: Iterator[None] = iter(())
        self._game: CurrentGame | None = None
        self._due = 0.0

    def look(self, context: ScreenContext, screen: Screen) -> None:
        """Begin a search if a screen has an alarm whose corrections are not known; else end the one under way."""
        self.cancel()
        game, alarm = context.game, screen.alarm(context)
        known = context.offered
        if game is None or alarm is None or (known is not None and known.meets(game.session, alarm)):
            return
        self._alarm, self._game, self._due = alarm, game, self._clock.passed()

    def cancel(self) -> None:
        """End the search under way."""
        self._search = self._game = None

    @property
    def due(self) -> float | None:
        """Return when to call `tick`: at once while there is something to search.

        It is a moment that has passed, so that the loop, which asks again, does not find it ahead.
        """
        return None if self._game is None else self._due

    def tick(self) -> None:
        """Search for one turn; report what was found at the end."""
        game, alarm = self._game, self._alarm
        if game is None or alarm is None:
            return
        session = game.session
        if self._search is None:
            self._search = Search(session, alarm)
            self._steps = self._search.steps()
        until = self._clock.passed() + SEARCHED
        if any(self._clock.passed() >= until for _step in self._steps):
            return
        found = OfferedCorrections.of(session, alarm, self._search.suggestions())
        self.cancel()
        self._found(found)


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
                self._go_on(now + SEARCHED)
                return
            self._fail()
        self._waits = False
        self._told(Refresh())
