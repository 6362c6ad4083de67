"""A game under way: a header and its log, folded into a state; undo, redo and corrections.

Sessions share their steps, so undo takes the same time after ten lines or ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from .errors import IllegalEventError
from .events import CorrectionLine, Entry, Event, Line, Redo, SeatNames, Undo
from .game import LogHeader
from .game_checks import checked
from .scores_and_turn import Progress
from .text import N_, NN_


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


class _Stack:
    """A linked stack of the sessions that undo or redo leads to, nearest first, each with its log line."""

    __slots__ = ("header", "line", "rest", "step")

    def __init__(self, session: Session, line: Entry, rest: _Stack | None) -> None:
        self.header = session.header
        self.step = session.head
        self.line = line
        self.rest = rest


class Session:
    """A header and all lines since; adding a line gives a new session. The head is the last step in force.

    The header has the players' names that count: those of the log's first line, or of a later line.
    """

    __slots__ = ("_past", "_undone", "first_line", "head", "header")

    def __init__(
        self,
        header: LogHeader,
        head: Step | None = None,
        first_line: LogHeader | None = None,
        past: _Stack | None = None,
        undone: _Stack | None = None,
    ) -> None:
        """Begin a session, or one whose steps are known, without anything to undo."""
        self.first_line = first_line or header  # with the names of the log's first line
        self.header = header
        self.head = head or Step(header.first)
        self._past = past
        self._undone = undone

    def _after(self, header: LogHeader, head: Step, past: _Stack | None, undone: _Stack | None = None) -> Session:
        """Return the session after one more line."""
        return Session(header, head, self.first_line, past, undone)

    @property
    def seat_names(self) -> tuple[str, ...] | None:
        """Return the names that a later line of the log gave; None while those of its first line count."""
        return None if self.header is self.first_line else self.header.players

    @property
    def state(self) -> Any:
        return self.head.state

    @property
    def progress(self) -> Progress:
        return checked(self.header.game, self.head.state, len(self.header.players))

    @property
    def latest(self) -> Entry | None:
        """Return the entry that undo would remove; None if there is none."""
        return None if self._past is None else self._past.line

    @property
    def undone(self) -> Entry | None:
        """Return the entry that redo would restore; None if there is none."""
        return None if self._undone is None else self._undone.line

    def add(self, line: Line, typed: str | None = None) -> Session:
        """Return the session with one more line.

        Args:
            typed: The keys typed for it, empty if it was chosen; None if they are not known.

        Raises:
            IllegalEventError: The line is illegal here; this session is unchanged.
        """
        if isinstance(line, Event):  # the usual line
            head: Step = self._grown(self.head, line, typed)
        elif isinstance(line, Undo):
            return self._undo()
        elif isinstance(line, Redo):
            return self._redo()
        elif isinstance(line, SeatNames):
            return self._after(self.header.with_players(line.names), self.head, _Stack(self, line, self._past))
        else:
            head = self._corrected(line)
        return self._after(self.header, head, _Stack(self, line, self._past))

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
            raise IllegalEventError(
                "no-such-event",
                NN_("there is no entry {number}; {count} stands", "there is no entry {number}; {count} stand"),
                number=number,
                count=self.head.number,
            )
        step = self.head
        while step.number > number and step.before is not None:
            step = step.before
        return step

    def before(self, number: int) -> Any:
        return self.step(number - 1).state

    def _grown(self, step: Step, event: Event, typed: str | None = None) -> EventStep:
        return EventStep(event, self.header.game.apply(step.state, event), step, typed)

    def _undo(self) -> Session:
        if self._past is None:
            raise IllegalEventError("nothing-to-undo", N_("there is nothing to take back"))
        past = self._past
        return self._after(past.header, past.step, past.rest, _Stack(self, past.line, self._undone))

    def _redo(self) -> Session:
        if self._undone is None:
            raise IllegalEventError("nothing-to-redo", N_("there is nothing to bring back"))
        undone = self._undone
        return self._after(undone.header, undone.step, _Stack(self, undone.line, self._past), undone.rest)

    def _corrected(self, line: CorrectionLine) -> Step:
        """Return the last step after a correction, with all later events applied again."""
        if line.event < 1:
            raise IllegalEventError("no-such-event", N_("entries are counted from 1"))
        if line.drop < 0:
            raise IllegalEventError("drop-below-zero", N_("{number} entries cannot be dropped"), number=line.drop)
        if not line.drop and not line.put:
            raise IllegalEventError("nothing-corrected", N_("nothing is dropped and nothing is put"))
        last = line.event + line.drop - 1
        self.step(last)  # raises if there is no such entry
        later = self.entries(last + 1)
        step = self.step(line.event - 1)
        for number, event in enumerate(line.put, line.event):
            step = self._fitted(step, event, number, N_("the new entry {number} does not fit: {why}"))
        for lost in later:
            refusal = N_("then entry {number} no longer fits: {why}")
            step = self._fitted(step, lost.event, lost.number, refusal, lost.typed)
        return step

    def _fitted(self, step: Step, event: Event, number: int, template: str, typed: str | None = None) -> Step:
        try:
            return self._grown(step, event, typed)
        except IllegalEventError as refused:
            raise IllegalEventError(refused.reason, template, number=number, why=refused.text) from refused
