"""Prepares a round's entries for the search for corrections: the keys of each, and how likely it was."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.core.entries_after_correction import reseated
from companion.core.errors import IllegalEventError
from companion.core.event_from_answers import event_from_answers, tracking_of
from companion.core.events import Event
from companion.core.game import Game
from companion.core.prompt import Answer, DetailLevel, Prompt, Skip
from companion.core.session import EventStep, Session

from .search_reason import SearchReason

SHORT = 8
"""If the running round has fewer entries than this, the round before it is searched, too."""

USUAL = -3.0
"""The logarithm of the probability of an entry whose own is not known."""


@dataclass(frozen=True, eq=False)
class EntryToCheck:
    """An entry of the round."""

    game: Game[Any]
    event: Event | None  # the event; None for an entry that the game refused
    before: Any  # the state before it
    answers: tuple[Answer, ...]  # the answers that make it there
    typed: str | None  # the keys typed for it; None if they are not known
    odds: float  # the logarithm of its probability

    @cached_property
    def tracking(self) -> DetailLevel:
        """Return the level of detail at which the entry was made; the most detailed one if that is not known."""
        with suppress(LookupError, IllegalEventError):
            if self.event is not None:
                return tracking_of(self.game, DetailLevel.FULL, self.before, self.event)
        return DetailLevel.FULL

    def entered(self, state: Any) -> tuple[Event, Any]:
        """Return the event that the entry makes in another state, and the state after it.

        The entry goes to the player whose turn it is. If it does not fit then, its answers are given again: the same
        key can end a turn, or pass.

        Raises:
            IllegalEventError: It makes no legal event there.
        """
        if self.event is not None:
            event = reseated(self.game, state, self.event)
            with suppress(IllegalEventError):
                return event, self.game.apply(state, event)
        return answered(self.game, state, self.answers, self.tracking)


def answered(
    game: Game[Any], state: Any, answers: tuple[Answer, ...], tracking: DetailLevel = DetailLevel.FULL
) -> tuple[Event, Any]:
    """Return the event that answers make in a state, and the state after it; raise if they make none.

    A sheet that is whole with these answers is agreed to: other figures can end the round.
    """
    if tracking is DetailLevel.FULL:  # the usual case, made without the questions on the way
        made = game.ask(state, tracking, answers)
        if isinstance(made, Prompt) and made.whole:
            made = game.ask(state, tracking, (*answers, Skip()))
    else:
        made = event_from_answers(game, state, tracking, answers)
    if made is None or isinstance(made, Prompt):
        raise IllegalEventError("unfinished", "")
    return made, game.apply(state, made)


def odds_of(game: Game[Any], state: Any, event: Event) -> float:
    """Return the logarithm of an event's probability; 0 in a game that cannot say."""
    return 0.0 if game.optional.odds is None else game.optional.odds(state, event)


def entries_of(session: Session, alarm: SearchReason) -> tuple[int, list[EntryToCheck]]:
    """Return the number of the first entry to search, and the entries from it on: those of the round.

    An entry that was refused, taken back or replaced comes last.
    """
    game, steps = session.header.game, [*session.steps()]
    if alarm.replaced is not None:
        del steps[0]
    ended = [place for place, step in enumerate(steps) if _ends_round(game, step)]
    if (alarm == SearchReason() or alarm.result is not None) and ended[:1] == [0]:
        del ended[0]  # the last entry ended the round that is searched
    reach = next((place for place in ended if place >= SHORT), len(steps))
    scope = steps[:reach][::-1]
    entries = [_entry(game, step.event, step.before.state, step.typed) for step in scope]
    if alarm.refused:
        entries.append(EntryToCheck(game, None, session.state, alarm.refused, alarm.keys, USUAL))
    elif alarm.undone is not None:
        entries.append(_entry(game, alarm.undone, session.state, alarm.keys))
    elif alarm.replaced is not None:
        entries.append(_entry(game, alarm.replaced, session.before(session.head.number), alarm.keys))
    return len(steps) - len(scope) + 1, entries


def _entry(game: Game[Any], event: Event, before: Any, typed: str | None) -> EntryToCheck:
    return EntryToCheck(game, event, before, game.answers(before, event), typed, odds_of(game, before, event))


def _ends_round(game: Game[Any], step: EventStep) -> bool:
    return game.outcome(step.before.state, step.event, step.state).table is not None
