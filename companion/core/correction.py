"""A correction under way: replaces, inserts, removes or swaps entries, then asks for each that no longer fits.

Later entries whose player follows from the turn are given to the player whose turn it is now, without asking. A sheet
that asks for one more figure now, as for the bonus of a bid that is exact now, is entered again. Nothing is added to
the log meanwhile. When every entry fits again, one line of the log holds the whole correction.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import Enum
from functools import cached_property
from itertools import takewhile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .game import (
    Amend,
    CorrectionLine,
    Event,
    Finish,
    Game,
    Progress,
    Splice,
    cells_of,
    event_from_answers,
    questions_of,
)
from .games import checked
from .prompt import DetailLevel
from .session import EventStep, Session, Step, seen_in, sentence
from .text import N_, IllegalEventError, Seat, Text, listed


def player_by_turn(game: Game[Any], event: Event) -> int | None:
    """Return the player of an event that the player to act makes; None for any other event."""
    player: int | None = getattr(event, "player", None) if isinstance(event, game.optional.by_turn) else None
    return player


def apply_or_reseat(game: Game[Any], state: Any, event: Event) -> tuple[Event, Any]:
    """Return a later entry as it fits in another state, and the state after it.

    It stays as it is if it fits; otherwise the player whose turn it is has made it.

    Raises:
        IllegalEventError: It fits in neither way.
    """
    try:
        return event, game.apply(state, event)
    except IllegalEventError:
        player = player_by_turn(game, event)
        turn = None if player is None else game.progress(state).turn
        if turn in (None, player):
            raise
    moved = replace(event, player=turn)
    return moved, game.apply(state, moved)


def apply_later(game: Game[Any], before: Any, state: Any, event: Event) -> tuple[Event, Any]:
    """Return a later entry as it fits in a corrected state without asking, and the state after it.

    If it fits nobody, the same answers are given again: the key that ended a turn may now be a pass.

    Raises:
        IllegalEventError: It does not fit in any of these ways.
    """
    try:
        return apply_or_reseat(game, state, event)
    except IllegalEventError:
        for again in _typed_again(game, before, state, event):
            with suppress(IllegalEventError):
                return again, game.apply(state, again)
        raise


def _typed_again(game: Game[Any], before: Any, state: Any, event: Event) -> Iterator[Event]:
    """Yield the events of the player to act that the same answers make in another state."""
    if not isinstance(event, game.optional.by_turn):
        return
    answers = game.answers(before, event)
    for tracking in game.trackings:
        with suppress(IllegalEventError):
            made = event_from_answers(game, state, tracking, answers)
            if isinstance(made, game.optional.by_turn) and type(made) is not type(event):
                yield made


def check_asked(game: Game[Any], before: Any, state: Any, event: Event) -> None:
    """Raise if a sheet that was entered before a correction asks for a figure more after it.

    Args:
        before: The state before the correction.
        state: The state after it.
    """
    tracking = next(iter(game.trackings))
    try:
        was, now = (cells_of(game, tracking, each, event) for each in (before, state))
    except LookupError:  # only a log has such an entry: no questions lead to it
        return
    for column, row in now:
        if (column, row) not in was:
            raise IllegalEventError("asked", N_("{label} of {player} is asked for now"), label=column, player=Seat(row))


# The correction


class CorrectionKind(Enum):
    """The kinds of corrections, by how they begin."""

    REPLACE = "replace"
    INSERT = "insert"
    REMOVE = "remove"
    SWAP = "swap"


class Stand(Struct, frozen=True):
    """Where a correction stands: what is corrected so far, and the first later entry that no longer fits."""

    step: Step  # the last corrected step
    # the entry of the session that is asked for now, or before which a new one is; None when all entries fit
    entry: EventStep | None
    why: Text | None = None  # why that entry no longer fits; None for the entry the correction began with
    phase: bool = False  # whether it no longer fits because another kind of entry comes first
    changed: tuple[int, ...] = ()  # the numbers of the entries that were replaced, removed or given to another player
    # the entries that were given to another player, each with what it has become
    moved: tuple[tuple[Event, Event], ...] = ()


class Correction(Struct, frozen=True, dict=True):
    """A correction under way: what it began with, and what was given since for each entry asked for.

    A swap exchanges an entry and the one after it; what was entered changes places, the players whose turn it is stay.
    """

    session: Session  # the session before the correction; it stays in force until the correction is complete
    first: int  # the number of the entry it begins with; when entries are inserted, of the one they stand before
    kind: CorrectionKind = CorrectionKind.REPLACE  # what it begins with
    given: tuple[Event | None, ...] = ()  # an event for each entry asked for, or None to leave it out

    @cached_property
    def stand(self) -> Stand:
        """Return where the correction stands after what was given.

        Raises:
            IllegalEventError: There is no entry to begin with, or what was given or swapped does not fit.
        """
        if not self.given:
            return self._begun()
        correction = Correction(self.session, self.first, self.kind)
        for event in self.given:
            if not correction.fits:
                correction = correction.leave_out() if event is None else correction.put(event)
        return correction.stand

    def _begun(self) -> Stand:
        """Return the stand before anything is given."""
        entry = self.session.entry(self.first)
        if self.kind is not CorrectionKind.SWAP:
            return Stand(entry.before, entry)
        step = entry.before
        for old in (self.session.entry(self.first + 1), entry):
            step = self._with_later(step, old)
        return self._from(step, self.first + 2, (self.first, self.first + 1))

    @property
    def fits(self) -> bool:
        return self.stand.entry is None

    @property
    def inserts(self) -> bool:
        """Return whether a new entry is asked for."""
        if self.fits:
            return False
        return self.kind is CorrectionKind.INSERT if self.stand.why is None else self._lacks_entries

    @property
    def _lacks_entries(self) -> bool:
        """Return whether other entries come first: of an earlier round, or of a round that is being inserted."""
        if not self.stand.phase or isinstance(self.was, self.session.header.game.optional.by_turn):
            return False
        now, then = self._rounds
        inserted = self.kind is CorrectionKind.INSERT and self.entry.number == self.first
        return inserted or (now is not None and then is not None and now < then)

    @property
    def superfluous(self) -> bool:
        """Return whether the entry asked for has lost its place, in the round in which the correction began.

        That round is over, or the next entry, of another kind, fits in its place.
        """
        if self.fits or not self.stand.phase or self.kind is CorrectionKind.INSERT:
            return False
        now, then = self._rounds
        if now is None or then is None or then != self._began:
            return False
        if now != then:
            return now > then
        game = self.session.header.game
        if isinstance(self.was, game.optional.by_turn) or self.entry is self.session.head:
            return False
        following = self.session.entry(self.entry.number + 1).event
        if type(following) is type(self.was):
            return False
        try:
            game.apply(self.state, following)
        except IllegalEventError:
            return False
        return True

    @property
    def _rounds(self) -> tuple[int | None, int | None]:
        """Return the round in which an entry is asked for, and the round it was entered in."""
        progress = self.session.header.game.progress
        return progress(self.state).round, progress(self.entry.before.state).round

    @property
    def _began(self) -> int | None:
        """Return the round in which the correction begins."""
        return self.session.header.game.progress(self.session.before(self.first)).round

    @property
    def entry(self) -> EventStep:
        """Return the entry of the session that is asked for; there is one until all entries fit."""
        assert self.stand.entry is not None
        return self.stand.entry

    @property
    def was(self) -> Event:
        return self.entry.event

    @property
    def state(self) -> Any:
        return self.stand.step.state

    @property
    def previous(self) -> Correction | None:
        """Return the correction before its last step; None at its first.

        A step gives an entry, or leaves out several one after the other.
        """
        begun = self.kind is CorrectionKind.REMOVE  # then its own entry is left out from the beginning
        given = self.given[:-1]
        while len(given) > begun and given[-1] is None is self.given[-1]:
            given = given[:-1]
        return None if len(self.given) <= begun else Correction(self.session, self.first, self.kind, given)

    def put(self, event: Event) -> Correction:
        """Replace the entry by an event, or raise if it does not fit; go on to the next entry that no longer fits.

        An entry that only lacked another one before it, of another kind, stays.
        """
        stand, number = self.stand, self.entry.number
        step = EventStep(event, self.session.header.game.apply(self.state, event), stand.step)
        if self.inserts or self._lacked(step, event):
            return self._giving(self._from(step, number, stand.changed, stand.moved), event)
        changed = stand.changed if event == self.was else (*stand.changed, number)
        return self._giving(self._from(step, number + 1, changed, stand.moved), event)

    def leave_out(self) -> Correction:
        """Remove the entry, and go on to the next entry that no longer fits."""
        stand, number = self.stand, self.entry.number
        return self._giving(self._from(stand.step, number + 1, (*stand.changed, number), stand.moved), None)

    def without_superfluous(self) -> Correction:
        """Remove the entry, and those after it that have no place left either."""
        correction = self
        while correction.superfluous:
            correction = correction.leave_out()
        return correction

    def end_here(self) -> Correction:
        """Remove the entry and all later ones."""
        stand, removed = self.stand, self.session.entries(self.entry.number)
        changed = (*stand.changed, *(old.number for old in removed))
        return self._giving(Stand(stand.step, None, changed=changed, moved=stand.moved), *(None for _old in removed))

    def _giving(self, stand: Stand, *given: Event | None) -> Correction:
        """Return the correction with more entries given. Where it stands then is passed in, so nothing is replayed."""
        correction = Correction(self.session, self.first, self.kind, (*self.given, *given))
        correction.__dict__["stand"] = stand
        return correction

    def as_typed(self, tracking: DetailLevel) -> Event | None:
        """Return the event that the old answers make in the corrected state; None if it does not fit.

        It can differ from the old event: the same card, laid by another player.
        """
        game, before = self.session.header.game, self.entry.before.state
        try:
            event = event_from_answers(game, self.state, tracking, game.answers(before, self.was))
            if event is None:
                return None
            game.apply(self.state, event)
            was, now = (cells_of(game, tracking, *each) for each in ((before, self.was), (self.state, event)))
        except (IllegalEventError, LookupError):  # no questions lead to an entry that only logs have
            return None
        # figures mean the same in the same cells only
        return event if type(event) is type(self.was) and was == now else None

    def line(self) -> CorrectionLine | None:
        """Return the smallest amend or splice for the whole correction; None if nothing changed."""
        return line_between(_events(self.session.head), _events(self.stand.step))

    def _lacked(self, step: Step, event: Event) -> bool:
        """Return whether the entry asked for is no turn, and fits after an event of another kind."""
        by_turn = self.session.header.game.optional.by_turn
        if not self.stand.phase or type(event) is type(self.was) or isinstance(self.was, by_turn):
            return False
        try:
            self._with_later(step, self.entry)
        except IllegalEventError:
            return False
        return True

    def _with_later(self, step: Step, old: EventStep) -> EventStep:
        """Return the step after an old entry, given to the player to act if it no longer fits."""
        return EventStep(
            *apply_later(self.session.header.game, old.before.state, step.state, old.event), step, old.typed
        )

    def _from(
        self, step: Step, number: int, changed: tuple[int, ...], moved: tuple[tuple[Event, Event], ...] = ()
    ) -> Stand:
        """Return the stand after a step, with the old entries from ``number`` on entered again as far as they fit."""
        game, began = self.session.header.game, self._began
        for old in self.session.entries(number):
            try:
                grown = self._with_later(step, old)
                is_sheet = grown.event is old.event and not isinstance(old.event, game.optional.by_turn)
                if is_sheet and began is not None and game.progress(old.before.state).round == began:
                    check_asked(game, old.before.state, step.state, old.event)
            except IllegalEventError as refused:
                why = sentence(game, refused, seen_in(refused, step))
                return Stand(step, old, why, refused.reason == "phase", changed, moved)
            step = grown
            if step.event != old.event:
                changed, moved = (*changed, old.number), (*moved, (old.event, step.event))
        return Stand(step, None, changed=changed, moved=moved)


def line_between(old: Sequence[Event], new: Sequence[Event]) -> CorrectionLine | None:
    """Return the smallest amend or splice that turns some events into others; None if they are equal.

    An amend replaces one entry by one, a splice any number by any number.
    """
    first = _alike(old, new)
    last = _alike(old[first:][::-1], new[first:][::-1])
    drop, put = len(old) - last - first, tuple(new[first : len(new) - last])
    if drop == len(put) == 1:
        return Amend(first + 1, put[0])
    return Splice(first + 1, drop, put) if drop or put else None


def correction_in_words(game: Game[Any], line: CorrectionLine) -> Text:
    """Return what a correction puts in the place of the entries that it replaces."""
    return listed(entry_in_words(game, entry) for entry in line.put) if line.put else Text(N_("taken out"))


def entry_in_words(game: Game[Any], entry: Event | Finish) -> Text:
    """Return a short text for an entry: an event, or the table's ending of the game."""
    return game.describe(entry) if isinstance(entry, Event) else Text(N_("the game ends here"))


def _alike(old: Sequence[Event], new: Sequence[Event]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def _events(step: Step) -> list[Event]:
    return [before.event for before in step.back()][::-1]


# What it changes


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
    game, old, new = correction.session.header.game, correction.session.head, correction.stand.step
    before, after = game.optional.alerts(old.state), game.optional.alerts(new.state)
    other = tuple(now for was, now in correction.stand.moved if type(now) is not type(was))
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
        len(correction.stand.moved) - len(other),
        other,
    )


def asks(correction: Correction) -> bool:
    """Return whether the table is shown what a complete correction changes before it is written."""
    return correction.kind is CorrectionKind.SWAP or consequences(correction).asks


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
    alone = correction.kind is CorrectionKind.REPLACE and set(correction.stand.changed) <= {correction.first}
    ended = alone and has_sheet(game, entry)
    return ended and _ended_since(checked(game, entry.before.state), checked(game, entry.state))


def has_sheet(game: Game[Any], entry: EventStep) -> bool:
    """Return whether figures of an entry are asked for in a sheet."""
    if isinstance(entry.event, game.optional.by_turn):
        return False
    try:
        asked = questions_of(game, next(iter(game.trackings)), entry.before.state, entry.event)
    except LookupError:  # only a log has such an entry
        return False
    return any(prompt.sheet is not None for prompt, _answer in asked)


def _ended_since(begun: Progress, *later: Progress) -> bool:
    """Return whether a round or the game ended between one state and any of the others."""
    return any(each.over or each.round != begun.round for each in later)
