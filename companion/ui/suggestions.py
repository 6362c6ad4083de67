"""Suggests single corrections where an alert, a refusal or a result shows that something was mistyped.

`suggest` searches the round for every single change that would make it legal: another answer to one question, an
entry left out, put in, or exchanged with its neighbour. Each is weighted by how likely the slip is with the keys that
were really typed, and by how likely people hold and lay such cards (`odds` in `companion.core.game`). It can only say
what is likely: a slip and a breach of the rules look alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import exp, log
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.correction import line_between
from companion.core.entries_after_correction import player_by_turn
from companion.core.errors import IllegalEventError
from companion.core.events import CorrectionLine, Event
from companion.core.game import Game
from companion.core.game_checks import checked
from companion.core.prompt import Answer, DetailLevel, Prompt
from companion.core.session import EventStep, Session

from .mistyping import ChangesToTry, ChangeToTry, EntryToCheck, NoticedFault, Priors, answered

SHORT = 8
"""If the running round has fewer entries than this, the round before it is searched, too."""

USUAL = -3.0
"""The logarithm of the probability of an entry whose own is not known."""

EFFORT = 8_000
"""Events applied at most in one search: about 0.1 s on a usual computer."""

QUESTION = 20
"""Events that take as long as one question of a game."""

MOST = 3
"""Offers at most."""

LEAST = 0.02
"""The probability below which nothing is offered."""


class SearchReason(Struct, frozen=True):
    """Why corrections are searched; by default an alert that the last entry raised."""

    # the answers of an entry that the game refused; each suggestion then contains this entry, too, or what was meant
    # instead
    refused: tuple[Answer, ...] = ()
    keys: str | None = None  # the keys typed for the refused entry, if they are known
    seat: int | None = None  # the player who must have made the refused entry, if that is known
    # the last card of a round, whose place the table's figures have taken, since they differ from those of the cards. A
    # suggestion puts cards back that lead to these figures
    replaced: Event | None = None
    # the figures on the table at the end of the round, as one event, since they differ from those of the cards; a
    # suggestion leads to them
    result: Event | None = None
    wrong: NoticedFault | None = None  # what people say is wrong; only such corrections are suggested then
    # the entry that was just taken back because of the question after it; a suggestion contains it, too, and leads to a
    # question of another kind
    undone: Event | None = None

    @classmethod
    def of_event(cls, session: Session, event: Event, keys: str | None = None) -> SearchReason:
        """Return the reason for an event that the game refuses.

        If its player is not the one whose turn it is, a suggestion must make it that player's turn.
        """
        game, state = session.header.game, session.state
        player = player_by_turn(game, event)
        return cls(game.answers(state, event), keys, None if checked(game, state).turn in (None, player) else player)


class Suggestion(Struct, frozen=True):
    """A single correction that makes the round legal; as an offer it can stand for several."""

    line: CorrectionLine  # the correction as a line of the log
    weight: float  # its probability; those of all suggestions add up to 1 at most
    number: int  # the number of the entry where the change begins
    was: tuple[Event | None, ...]  # the entries it replaces; None for one that the game refused
    now: tuple[Event, ...]  # the entries that take their place
    # whether it is the likeliest of several that are offered as one: something was forgotten there, but not even people
    # know what
    open: bool = False


class Search:
    """A search for single corrections, done in small steps."""

    def __init__(self, session: Session, reason: SearchReason | None = None, priors: Priors | None = None) -> None:
        self._session, self._reason, self._priors = session, reason or SearchReason(), priors or Priors()
        self._game = session.header.game
        self._first, self._entries = _entries_to_check(session, self._reason)
        self._events = tuple(entry.event for entry in self._entries)
        # the logarithm of the probability of all entries before each place
        self._ahead = [*accumulate((entry.log_probability for entry in self._entries), initial=0.0)]
        self._effort = EFFORT
        last = self._entries[-1].before if self._reason == SearchReason() and self._entries else session.state
        self._alerts = len(self._game.optional.alerts(last))  # those from before the one that is explained
        self._asked = None  # the kind of question that follows the entry taken back
        if self._reason.undone is not None:
            _event, state = self._entries[-1].entered(self._entries[-1].before)
            self._asked = question_kind(self._game.ask(state, DetailLevel.FULL, ()))
        self._table = None  # the figures on the table at the end of the round, if they are known
        if self._reason.replaced is not None or self._reason.result is not None:
            head = session.entry(session.head.number)
            event, before = self._reason.result or head.event, head.before.state
            self._table = self._game.outcome(before, event, self._game.apply(before, event)).table
        self._found: dict[tuple[Event, ...], tuple[ChangeToTry, float]] = {}  # by the events; with the log probability

    def steps(self) -> Iterator[None]:
        """Try one change after another; each step is short."""
        changes = ChangesToTry(self._game, self._entries, self._priors, self._reason.wrong)
        for change in changes:
            if self._effort <= changes.asked * QUESTION:
                return
            if self._try(change):
                for alike in change.alike:
                    self._try(alike)
                    yield None
            yield None

    def _try(self, change: ChangeToTry) -> bool:
        """Try a change, and note it if it makes the round legal. Return whether it does."""
        states, events = [self._entries[change.place].before], list[Event]()
        try:
            for each in (*change.put, *self._entries[change.place + change.drop :]):
                self._effort -= 1
                if isinstance(each, EntryToCheck):
                    event, state = each.entered(states[-1])
                else:
                    event, state = answered(self._game, states[-1], each, change.tracking)
                if len(self._game.optional.alerts(state)) > self._alerts:
                    return False
                events.append(event)
                states.append(state)
        except IllegalEventError:
            return False
        before = (event for event in self._events[: change.place] if event is not None)  # only the last can be None
        whole = (*before, *events)
        if whole == self._events or not self._explains(states, events):
            return False
        self._effort -= len(events)
        weight = change.log_probability + self._ahead[change.place]
        weight += sum(_log_probability(self._game, *each) for each in zip(states, events, strict=False))
        if whole in self._found:  # two slips can have the same effect
            high, low = sorted((weight, self._found[whole][1]), reverse=True)
            weight = high + log(1 + exp(low - high))
        self._found[whole] = change, weight
        return True

    def _explains(self, states: list[Any], events: list[Event]) -> bool:
        """Return whether the events after a change agree with what else is known."""
        reason = self._reason
        if reason.seat is not None and (not events or getattr(events[-1], "player", None) != reason.seat):
            return False
        if reason.undone is not None and question_kind(self._game.ask(states[-1], DetailLevel.FULL, ())) == self._asked:
            return False
        if self._table is None:
            return True
        return bool(events) and self._game.outcome(states[-2], events[-1], states[-1]).table == self._table

    def suggestions(self) -> tuple[Suggestion, ...]:
        """Return what was found so far, the most likely first."""
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
                made.append(Suggestion(line, exp(weight - best) / whole, self._first + change.place, was, now))
        return tuple(made)


def suggest(
    session: Session, reason: SearchReason | None = None, priors: Priors | None = None
) -> tuple[Suggestion, ...]:
    """Return the single corrections that make the running round legal, the most likely first."""
    search = Search(session, reason, priors)
    for _step in search.steps():
        pass
    return search.suggestions()


def offers(suggestions: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Return the few likeliest; different cards that may be missing at the same place count as one."""
    groups: dict[object, list[Suggestion]] = {}
    for each in suggestions:
        groups.setdefault((each.number, each.was, each.now if each.was else ()), []).append(each)
    made = (
        replace(group[0], weight=sum(each.weight for each in group), open=len(group) > 1) for group in groups.values()
    )
    return tuple(offer for offer in sorted(made, key=lambda offer: -offer.weight)[:MOST] if offer.weight >= LEAST)


def question_kind(asked: object) -> object:
    """Return the kind of a question: which kinds of answers it has, and whether it asks for a player's card."""
    if not isinstance(asked, Prompt):
        return None
    return frozenset(map(type, asked.answers)), asked.seat is None, asked.sheet is None


def _entries_to_check(session: Session, reason: SearchReason) -> tuple[int, list[EntryToCheck]]:
    """Return the number of the first entry to search, and the entries from it on: those of the round.

    An entry that was refused, taken back or replaced comes last.
    """
    game, steps = session.header.game, [*session.steps()]

    def entry(event: Event, before: Any, typed: str | None) -> EntryToCheck:
        likely = _log_probability(game, before, event)
        return EntryToCheck(game, event, before, game.answers(before, event), typed, likely)

    if reason.replaced is not None:
        del steps[0]
    ended = [place for place, step in enumerate(steps) if _ends_round(game, step)]
    if (reason == SearchReason() or reason.result is not None) and ended[:1] == [0]:
        del ended[0]  # the last entry ended the round that is searched
    reach = next((place for place in ended if place >= SHORT), len(steps))
    entries = [entry(step.event, step.before.state, step.typed) for step in steps[:reach][::-1]]
    first = len(steps) - len(entries) + 1
    if reason.refused:
        entries.append(EntryToCheck(game, None, session.state, reason.refused, reason.keys, USUAL))
    elif reason.undone is not None:
        entries.append(entry(reason.undone, session.state, reason.keys))
    elif reason.replaced is not None:
        entries.append(entry(reason.replaced, session.before(session.head.number), reason.keys))
    return first, entries


def _ends_round(game: Game[Any], step: EventStep) -> bool:
    return game.outcome(step.before.state, step.event, step.state).table is not None


def _log_probability(game: Game[Any], state: Any, event: Event) -> float:
    """Return the logarithm of an event's probability; 0 in a game that cannot say."""
    return 0.0 if game.optional.odds is None else game.optional.odds(state, event)
