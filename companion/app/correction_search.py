"""Looks for likely corrections while nobody presses a key; the next key cancels the search."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.ui.screens.suggestion_texts import OfferedCorrections, told_apart
from companion.ui.suggestions import Search, SearchReason, offers

from .app_state import AppState
from .ports import Clock

SLICE = 0.005  # seconds of one turn of the search; a key that comes meanwhile waits no longer


class SuggestionSearch:
    """A timed task that searches for corrections in short turns, whenever a state has an alarm."""

    def __init__(self, clock: Clock, found: Callable[[OfferedCorrections], None]) -> None:
        """Search nothing yet; ``found`` is called with the corrections, once they are found."""
        self._clock = clock
        self._found = found
        self._alarm: SearchReason | None = None
        self._search: Search | None = None
        self._steps: Iterator[None] = iter(())
        self._state: AppState | None = None
        self._due = 0.0

    def look(self, state: AppState) -> None:
        """Begin a search if a state has an alarm whose corrections are not known; else end the one under way."""
        self.cancel()
        game, alarm = state.context.game, state.screen.alarm(state.context)
        known = state.context.offered
        if game is None or alarm is None or (known is not None and known.meets(game.session, alarm)):
            return
        self._alarm, self._state, self._due = alarm, state, self._clock.passed()

    def cancel(self) -> None:
        """End the search under way."""
        self._search = self._state = None

    @property
    def due(self) -> float | None:
        """Return when to call `tick`: at once while there is something to search.

        It is a moment that has passed, so that the loop, which asks again, does not find it ahead.
        """
        return None if self._state is None else self._due

    def tick(self) -> None:
        """Search for one turn; report what was found at the end."""
        state, alarm = self._state, self._alarm
        if state is None or alarm is None:
            return
        session = state.context.require_game().session
        if self._search is None:
            self._search = Search(session, alarm)
            self._steps = self._search.steps()
        until = self._clock.passed() + SLICE
        for _step in self._steps:
            if self._clock.passed() >= until:
                return
        found = told_apart(session, alarm, offers(self._search.suggestions()))
        self.cancel()
        self._found(found)
