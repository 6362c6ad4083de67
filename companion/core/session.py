"""A game under way: a header and its log, folded into a state; undo, redo and corrections; who laid a card when.

Sessions share their steps, so undo takes the same time after ten lines or ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from .cards import Card
from .game import (
    CorrectionLine,
    Entry,
    Event,
    EventOutcome,
    Finish,
    Game,
    Line,
    LogHeader,
    Players,
    Progress,
    Redo,
    Standing,
    Substitute,
    Table,
    Undo,
    check_seat,
    standing,
)
from .games import as_declared, checked
from .text import N_, NN_, IllegalEventError, Seat, Text, listed

OVER = "over"
"""The phase of a game that is over."""


class Step:
    """A position in a log: the state after so many events that stand. By itself it is step 0, before the first."""

    __slots__ = ("before", "event", "number", "state", "typed")

    event: Event | None  # the last of them; None at step 0
    before: Step | None
    typed: str | None  # the keys typed for it, empty if it was chosen, None if not known; the log does not hold them

    def __init__(self, state: Any) -> None:
        self.number = 0  # how many events stand until here
        self.state = state
        self.event = self.before = self.typed = None

    def back(self) -> Iterator[EventStep]:
        """Yield this step and all earlier ones, latest first, without step 0."""
        step: Step | None = self
        while isinstance(step, EventStep):
            yield step
            step = step.before


class EventStep(Step):
    """One event that stands, the state after it, and the step before it."""

    __slots__ = ()

    event: Event
    before: Step

    def __init__(self, event: Event, state: Any, before: Step, typed: str | None = None) -> None:
        self.event = event
        self.state = state
        self.before = before
        self.typed = typed
        self.number = before.number + 1


def last_round_end(game: Game[Any], step: Step) -> Step | None:
    """Return the step that ended the last finished round, until a step; None before the end of the first."""
    finished = game.optional.finished_rounds
    count = finished(step.state)
    if not count:
        return None
    while step.before is not None and finished(step.before.state) == count:
        step = step.before
    return step


class Sitters(Struct, frozen=True):
    """Who sat where until somebody else took a seat."""

    names: tuple[str, ...]  # by seat
    until: int  # the number of the last entry made while they sat there; 0 if there was none


class Session:
    """A header and all lines since; adding a line gives a new session. The head is the step of the last event in force.

    The header has the players' names that count now: those of the log's first line, or of a later line.

    A game that the table has ended before its end is finished: its head stays, and its state is the one at the
    beginning of the running round, of which nothing counts.
    """

    __slots__ = ("_before", "_counted", "_undone", "first_line", "head", "header", "latest", "sat_before")

    first_line: LogHeader  # the header with the names of the log's first line
    latest: Entry | None  # the entry that undo would remove; None if there is none
    sat_before: tuple[Sitters, ...]  # who sat there before each substitution, the earliest first

    def __init__(
        self,
        header: LogHeader,
        head: Step | None = None,
        counted: Step | None = None,
        sat_before: tuple[Sitters, ...] = (),
        before: Session | None = None,
        latest: Entry | None = None,
        undone: Session | None = None,
    ) -> None:
        """Begin a session, or one whose steps are known.

        Args:
            counted: The last step that counts, if the table has ended the game before its end.
            before: The session before the latest entry.
            undone: The session that redo leads to.
        """
        self.first_line = header if before is None else before.first_line
        self.header = header
        self.head = head or Step(header.first)
        self.sat_before = sat_before
        self.latest = latest
        self._counted = counted
        self._before = before
        self._undone = undone

    def _with_undone(self, undone: Session | None) -> Session:
        """Return this session with another one that redo leads to."""
        if self._undone is undone:
            return self
        return Session(self.header, self.head, self._counted, self.sat_before, self._before, self.latest, undone)

    @property
    def seat_names(self) -> tuple[str, ...] | None:
        """Return the names that a later line of the log gave; None while those of its first line count."""
        return None if self.header is self.first_line else self.header.players

    @property
    def finished(self) -> bool:
        """Return whether the table has ended the game before its end."""
        return self._counted is not None

    @property
    def counted(self) -> Step:
        """Return the last step that counts: the head, unless the table has ended the game within a round."""
        return self._counted or self.head

    @property
    def state(self) -> Any:
        return self.counted.state

    @property
    def progress(self) -> Progress:
        """Return how far the game is, and whether it is over: at its end, or because the table has ended it."""
        progress = checked(self.header.game, self.state, len(self.header.players))
        if not self.finished:
            return progress
        winners = None if progress.round is None else self.header.winners_so_far(self.state, progress.totals)
        ended = replace(progress, winners=winners, turn=None, phase=OVER, leader=None, may_start=None, finished=True)
        return as_declared(self.header.game, ended, len(self.header.players))

    @property
    def standing(self) -> Standing:
        """Return who leads, or has won; at the end of a round those lead who win if the game ends there."""
        header, progress = self.header, self.progress
        ended = last_round_end(header.game, self.counted) is self.counted
        leaders = header.winners_so_far(self.state, progress.totals) if ended else None
        return standing(header.game, progress, header.best, leaders)

    @property
    def outcome(self) -> EventOutcome | None:
        """Return what the latest event that stands has led to; None if nothing was entered."""
        head = self.head
        if head.event is None or head.before is None:
            return None
        return self.header.game.outcome(head.before.state, head.event, head.state)

    @property
    def score_sheet(self) -> Table:
        """Return the game's score sheet; of a game that the table has ended it says so, and marks the winners."""
        sheet = self.header.game.score_sheet(self.state)
        if not self.finished:
            return sheet
        winners = self.progress.winners or ()
        title = Text(N_("{players} ahead, ended early"), players=listed(map(Seat, winners)))
        level = len(winners) in (0, len(self.header.players))
        return replace(sheet, title=Text(N_("Ended early")) if level else title, marked=winners)

    @property
    def undone(self) -> Entry | None:
        """Return the entry that redo would restore; None if there is none."""
        return None if self._undone is None else self._undone.latest

    def add(self, line: Line, typed: str | None = None) -> Session:
        """Return the session with one more line.

        Args:
            typed: The keys typed for it, empty if it was chosen; None if they are not known.

        Raises:
            IllegalEventError: The line is illegal here; this session is unchanged.
        """
        match line:
            case Event() if self._counted is None:
                head = EventStep(line, self.header.game.apply(self.head.state, line), self.head, typed)
                return Session(self.header, head, None, self.sat_before, self._with_undone(None), line)
            case Finish() if not self.progress.over:
                counted = self.head
                if self.progress.round is not None:
                    counted = last_round_end(self.header.game, counted) or self.step(0)
                return Session(self.header, self.head, counted, self.sat_before, self._with_undone(None), line)
            case Event() | Finish():
                raise _over()
            case Undo():
                if self._before is None:
                    raise IllegalEventError("nothing-to-undo", N_("there is nothing to take back"))
                return self._before._with_undone(self)
            case Redo():
                if self._undone is None:
                    raise IllegalEventError("nothing-to-redo", N_("there is nothing to bring back"))
                return self._undone
            case Players(names):
                return self._seated(line, names, tuple(self._renamed(each, names) for each in self.sat_before))
            case Substitute(player, name):
                if self.progress.over:
                    raise _over()
                check_seat(player, len(self.header.players))
                names = (*self.header.players[:player], name, *self.header.players[player + 1 :])
                return self._seated(line, names, (*self.sat_before, Sitters(self.header.players, self.head.number)))
        return self._corrected(line)

    def steps(self) -> Iterator[EventStep]:
        return self.head.back()

    def entries(self, first: int = 1) -> list[EventStep]:
        """Return the steps in force from a number on, in order."""
        return [*takewhile(lambda step: step.number >= first, self.head.back())][::-1]

    def entry(self, number: int) -> EventStep:
        """Return the step of an entry by its number, counted from 1; raise if there is none."""
        step = self.step(number)
        if not isinstance(step, EventStep):
            raise IllegalEventError("no-such-event", N_("entries are counted from 1"))
        return step

    def step(self, number: int) -> Step:
        """Return the step after so many entries; step 0 is before the first. Raise if there are fewer."""
        if not 0 <= number <= self.head.number:
            raise _no_such_entry(number, self.head.number)
        step = self.head
        while step.number > number and step.before is not None:
            step = step.before
        return step

    def before(self, number: int) -> Any:
        return self.step(number - 1).state

    def _seated(self, line: Entry, names: tuple[str, ...], sat_before: tuple[Sitters, ...]) -> Session:
        """Return the session after a line that says who sits where."""
        header = self.header.with_players(names)
        return Session(header, self.head, self._counted, sat_before, self._with_undone(None), line)

    def _renamed(self, sitters: Sitters, names: tuple[str, ...]) -> Sitters:
        """Return who sat there before a substitution, once the names of some seats are corrected for the whole game."""
        seats = zip(sitters.names, self.header.players, names, strict=True)
        return Sitters(tuple(was if new == now else new for was, now, new in seats), sitters.until)

    def _corrected(self, line: CorrectionLine) -> Session:
        """Return the session after a correction, with all later entries made again as they are."""
        if line.event < 1:
            raise IllegalEventError("no-such-event", N_("entries are counted from 1"))
        if line.drop < 0:
            raise IllegalEventError("drop-below-zero", N_("{number} entries cannot be dropped"), number=line.drop)
        if not line.drop and not line.put:
            raise IllegalEventError("nothing-corrected", N_("nothing is dropped and nothing is put"))
        kept, last = line.event - 1, line.event + line.drop - 1
        count = self.head.number + self.finished  # the finish is the last entry
        if last > count:
            raise _no_such_entry(last, count)
        new, later = N_("the new entry {number} does not fit: {why}"), N_("then entry {number} no longer fits: {why}")
        entries: list[tuple[int, Event | Finish, str | None, str]] = [
            *((number, entry, None, new) for number, entry in enumerate(line.put, line.event)),
            *((step.number, step.event, step.typed, later) for step in self.entries(last + 1)),
        ]
        if self.finished and last < count:
            entries.append((count, Finish(), None, later))
        made = Session(self.header, self.step(min(kept, self.head.number)), self._counted if kept == count else None)
        for number, entry, typed, refusal in entries:
            try:
                made = made.add(entry, typed)
            except IllegalEventError as refused:
                raise IllegalEventError(refused.reason, refusal, number=number, why=refused.text) from refused
        sat_before = tuple(Sitters(each.names, _moved(each.until, line)) for each in self.sat_before)
        return Session(self.header, made.head, made._counted, sat_before, self._with_undone(None), line)


def _moved(number: int, line: CorrectionLine) -> int:
    """Return the number of an entry after a correction.

    A replaced entry has the number of the new one in its place, or of the last new one if there are fewer.
    """
    if number < line.event:
        return number
    beyond = line.event + line.drop - 1
    return number + len(line.put) - line.drop if number >= beyond else min(number, line.event - 1 + len(line.put))


def _over() -> IllegalEventError:
    return IllegalEventError("over", N_("the game is over"))


def _no_such_entry(number: int, count: int) -> IllegalEventError:
    template = NN_("there is no entry {number}; {count} stands", "there is no entry {number}; {count} stand")
    return IllegalEventError("no-such-event", template, number=number, count=count)


# A card that was seen before


SEEN = "seen"
"""The reason of an IllegalEventError for a card seen before; its argument ``card`` is the card."""


def seen_in(refused: IllegalEventError, step: Step, given: tuple[object, ...] = ()) -> Step | None:
    """Return the latest step that holds the card refused as seen; None if it is among the answers given now."""
    card = refused.text.args.get("card") if refused.reason == SEEN else None
    at: Step | None = step
    while card is not None and at is not None and not holds(given, card):
        if holds(at.event, card):
            return at
        at = at.before
    return None


def holds(part: object, card: object) -> bool:
    return any(held is card for _holder, held in _cards(part))


def sentence(game: Game[Any], refused: IllegalEventError, seen: Step | None) -> Text:
    """Return the refusal's sentence, with who laid the card before and when."""
    if seen is None or seen.event is None or seen.before is None:
        return refused.text
    holder, card = next(each for each in _cards(seen.event) if each[1] is refused.text.args["card"])
    when, entry = game.moment(seen.before.state), game.describe(seen.event)
    player = getattr(holder, "player", None)
    if player is not None:
        return Text(N_("{why}: {player}, {when}"), why=refused.text, player=Seat(player), when=when)
    return Text(N_("{why}: {told}"), why=refused.text, told=when if entry == card.label else entry)


def _cards(part: object, holder: object = None) -> Iterator[tuple[object, Card]]:
    """Yield the cards within an event or an answer, each after the innermost struct that holds it."""
    match part:
        case Card():
            yield holder, part
        case Struct():
            for name in part.__struct_fields__:
                yield from _cards(getattr(part, name), part)
        case tuple():
            for each in part:
                yield from _cards(each, holder)
