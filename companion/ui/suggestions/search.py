"""Searches for the single corrections of a round that make it legal, and ranks them."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log
from typing import Any

from companion.core.correction import line_between
from companion.core.errors import IllegalEventError
from companion.core.events import Event
from companion.core.prompt import DetailLevel, Prompt
from companion.core.session import Session

from .changes import ChangesToTry, ChangeToTry
from .entry_keys_and_odds import EntryToCheck, answered, entries_of, odds_of
from .search_reason import SearchReason
from .search_types import Priors, RoundChange, Suggestion

EFFORT = 8_000
"""Events applied at most in one search: about 0.1 s on a usual computer."""

QUESTION = 20
"""Events that take as long as one question of a game."""


class Search:
    """A search for single corrections, done in small steps."""

    def __init__(self, session: Session, alarm: SearchReason | None = None, priors: Priors | None = None) -> None:
        self._session, self._alarm, self._priors = session, alarm or SearchReason(), priors or Priors()
        self._game = session.header.game
        self._first, self._entries = entries_of(session, self._alarm)
        self._events = tuple(entry.event for entry in self._entries)
        self._ahead = [0.0]  # the odds of the entries before each place
        for entry in self._entries:
            self._ahead.append(self._ahead[-1] + entry.odds)
        self._effort = EFFORT
        last = self._entries[-1].before if self._alarm == SearchReason() and self._entries else session.state
        self._alerts = len(self._game.optional.alerts(last))  # those from before the alarm
        self._asked = None if self._alarm.undone is None else self._kind_after(self._entries[-1])
        self._result = self._result_on_table()
        self._found: dict[tuple[Event, ...], tuple[ChangeToTry, float]] = {}

    def _kind_after(self, entry: EntryToCheck) -> object:
        _event, state = entry.entered(entry.before)
        return question_kind(self._game.ask(state, DetailLevel.FULL, ()))

    def _result_on_table(self) -> Any:
        """Return the table of figures that lies on the table at the end of the round; None if that is not known."""
        if self._alarm.replaced is None and self._alarm.result is None:
            return None
        head = self._session.entry(self._session.head.number)
        event = self._alarm.result or head.event
        return self._game.outcome(head.before.state, event, self._game.apply(head.before.state, event)).table

    def steps(self) -> Iterator[None]:
        """Try one change after another; each step is short."""
        changes = ChangesToTry(self._game, self._entries, self._priors, self._alarm.wrong)
        for change in changes:
            if self._effort <= changes.asked * QUESTION:
                return
            if self._try(change):
                for answer, chance in change.alike:
                    self._try(change._replace(put=((answer,),), chance=chance))
                    yield None
            yield None

    def _try(self, change: ChangeToTry) -> bool:
        """Try a change, and note it if it makes the round legal. Return whether it does."""
        after = self._after(change)
        if after is None:
            return False
        states, events = after
        before = (event for event in self._events[: change.place] if event is not None)  # only the last can be None
        whole = (*before, *events)
        if whole == self._events or not self._explains(states, events):
            return False
        self._effort -= len(events)
        odds = sum(odds_of(self._game, state, event) for state, event in zip(states, events, strict=False))
        weight = change.chance + self._ahead[change.place] + odds
        known = self._found.get(whole)
        self._found[whole] = change, weight if known is None else _sum(weight, known[1])
        return True

    def _after(self, change: ChangeToTry) -> tuple[list[Any], list[Event]] | None:
        """Return the states and events from a change on, each state before its event; None if it is not legal."""
        state = self._entries[change.place].before
        states, events = [state], []
        try:
            for each in (*change.put, *self._entries[change.place + change.drop :]):
                self._effort -= 1
                if isinstance(each, EntryToCheck):
                    event, state = each.entered(state)
                else:
                    event, state = answered(self._game, state, each, change.tracking)
                if len(self._game.optional.alerts(state)) > self._alerts:
                    return None
                events.append(event)
                states.append(state)
        except IllegalEventError:
            return None
        return states, events

    def _explains(self, states: list[Any], events: list[Event]) -> bool:
        """Return whether the events after a change agree with what else is known."""
        alarm = self._alarm
        if alarm.seat is not None and (not events or getattr(events[-1], "player", None) != alarm.seat):
            return False
        if alarm.undone is not None and question_kind(self._game.ask(states[-1], DetailLevel.FULL, ())) == self._asked:
            return False
        if self._result is None:
            return True
        return bool(events) and self._game.outcome(states[-2], events[-1], states[-1]).table == self._result

    # What was found

    def suggestions(self) -> tuple[Suggestion, ...]:
        if not self._found:
            return ()
        best = max(weight for _change, weight in self._found.values())
        whole = sum(exp(weight - best) for _change, weight in self._found.values()) * (1 + self._priors.other)
        old = [step.event for step in self._session.entries()]
        made = []
        for events, (change, weight) in sorted(self._found.items(), key=lambda found: -found[1][1]):
            line = line_between(old, [*old[: self._first - 1], *events])
            if line is not None:
                was = self._events[change.place : change.place + change.drop]
                now = events[change.place : change.place + len(change.put)]
                replacement = RoundChange(self._first + change.place, was, now)
                made.append(Suggestion(line, exp(weight - best) / whole, replacement))
        return tuple(made)


def suggest(
    session: Session, alarm: SearchReason | None = None, priors: Priors | None = None
) -> tuple[Suggestion, ...]:
    """Return the single corrections that make the running round legal, the most likely first."""
    search = Search(session, alarm, priors)
    for _step in search.steps():
        pass
    return search.suggestions()


def question_kind(asked: object) -> object:
    """Return the kind of a question: which kinds of answers it has, and whether it asks for a player's card."""
    if not isinstance(asked, Prompt):
        return None
    return frozenset(map(type, asked.answers)), asked.seat is None, asked.sheet is None


def _sum(one: float, other: float) -> float:
    """Return the logarithm of the sum of two numbers, from theirs."""
    high, low = max(one, other), min(one, other)
    return high + log(1 + exp(low - high))
