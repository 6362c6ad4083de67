"""Consequences of a correction beyond its own entry: tricks, trump, scores, alerts, players of later entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from .correction import Correction, CorrectionKind
from .event_from_answers import questions_of
from .events import Event
from .game import Game
from .game_checks import checked
from .scores_and_turn import Progress
from .session import Step
from .text import Text


class TrickChange(Struct, frozen=True):
    """A trick that another player wins after a correction."""

    moment: Text  # the round and the trick, short
    winner: int | None  # who wins it now; None if it is no longer complete
    before: int | None  # who had won it; None if it was not complete


class CorrectionEffects(Struct, frozen=True):
    """The consequences of a correction beyond its own entry."""

    tricks: tuple[TrickChange, ...] = ()  # the tricks that another player wins
    symbol: tuple[Text, Text] | None = None  # the lasting symbol's word before and after; None without such a symbol
    winners: bool = False  # whether somebody else wins the game, or it is over only before or only after
    # the scores by seat before and after, if a round ended since and they differ
    totals: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    alerts: tuple[Text, ...] = ()  # the alerts that are new
    gone: tuple[Text, ...] = ()  # the alerts that are no longer there
    given: int = 0  # how many entries go to another player
    other: tuple[Event, ...] = ()  # the entries that have become another kind of entry, such as a pass

    @property
    def asks(self) -> bool:
        """Return whether they are so many that the table should agree to them."""
        turned = self.symbol is not None and self.symbol[0] != self.symbol[1]
        return bool(self.tricks or turned or self.winners or self.totals or self.alerts or self.given or self.other)


def consequences(correction: Correction) -> CorrectionEffects:
    """Return what a complete correction changes besides the entry it began with."""
    game, old, new = correction.session.header.game, correction.session.head, correction.step
    before, after = game.optional.alerts(old.state), game.optional.alerts(new.state)
    other = tuple(now for was, now in correction.moved if type(now) is not type(was))
    begun, was, now = (
        checked(game, state) for state in (correction.session.before(correction.first), old.state, new.state)
    )
    totals = was.totals, now.totals
    counted = not _is_sheet(correction) and _ended_since(begun, was, now)
    return CorrectionEffects(
        _tricks(game, old, new, correction.first),
        _symbol(game, old, new),
        counted and was.winners != now.winners,
        totals if counted and totals[0] != totals[1] else None,
        tuple(alert for alert in after if alert not in before),
        tuple(alert for alert in before if alert not in after),
        len(correction.moved) - len(other),
        other,
    )


def asks(correction: Correction) -> bool:
    """Return whether the table is shown what a complete correction changes before it is written."""
    return correction.edit is CorrectionKind.SWAP or consequences(correction).asks


def _tricks(game: Game[Any], old: Step, new: Step, first: int) -> tuple[TrickChange, ...]:
    was, now = list(_won(game, old, first)), list(_won(game, new, first))
    changed = []
    for place in range(max(len(was), len(now))):
        (moment, before) = was[place] if place < len(was) else (None, None)
        (shown, winner) = now[place] if place < len(now) else (moment, None)
        marked = (place >= len(was) or before is not None) and (place >= len(now) or winner is not None)
        if marked and winner != before:  # a trick entered as a whole names its winner itself
            assert shown is not None
            changed.append(TrickChange(shown, winner, before))
    return tuple(changed)


def _won(game: Game[Any], head: Step, first: int) -> Iterator[tuple[Text, int | None]]:
    """Yield each trick ended by an entry from a number on: the moment, and the seat marked as its winner."""
    moment = game.short
    for step in reversed(list(head.back())):
        if step.number < first:
            continue
        outcome = game.outcome(step.before.state, step.event, step.state)
        if outcome.won:
            seats = () if outcome.finished is None else outcome.finished.seats
            yield moment(step.before.state), next((seat for seat, line in enumerate(seats) if line.won), None)


def _symbol(game: Game[Any], old: Step, new: Step) -> tuple[Text, Text] | None:
    if game.optional.lasting is None:
        return None
    before, after = game.view(old.state).headline, game.view(new.state).headline
    return None if before is None or after is None else (before.word, after.word)


def _is_sheet(correction: Correction) -> bool:
    """Return whether the result of a whole round or game is entered again; that it changes scores is no news."""
    game, entry = correction.session.header.game, correction.session.entry(correction.first)
    alone = correction.edit is CorrectionKind.REPLACE and set(correction.changed) <= {correction.first}
    if not alone or isinstance(entry.event, game.optional.by_turn):
        return False
    try:
        asked = questions_of(game, next(iter(game.trackings)), entry.before.state, entry.event)
    except LookupError:  # only a log has such an entry
        return False
    shown = any(prompt.sheet is not None for prompt, _answer in asked)
    return shown and _ended_since(checked(game, entry.before.state), checked(game, entry.state))


def _ended_since(begun: Progress, *later: Progress) -> bool:
    """Return whether a round or the game ended between one state and any of the others."""
    return any(each.over or each.round != begun.round for each in later)
