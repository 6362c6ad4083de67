"""A game under way: the fold of its lines, with undo, redo and amend.

Every version shares all it can with the one before, so taking a line back costs the same after ten
lines or ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .errors import Refused
from .events import Amend, Event, Line, Redo, Undo
from .game import Header
from .text import N_


class Step:
    """An event that stands, the state it led to, and the step before it."""

    __slots__ = ("before", "event", "number", "state")

    def __init__(self, event: Event | None, state: Any, before: Step | None) -> None:
        """Put an event on top of the steps before it; the first step has neither."""
        self.event = event
        self.state = state
        self.before = before
        self.number: int = before.number + 1 if before else 0


class _Stack:
    """Steps that can be gone to, nearest first, each with the line that lies between."""

    __slots__ = ("line", "rest", "step")

    def __init__(self, step: Step, line: Event | Amend, rest: _Stack | None) -> None:
        self.step = step
        self.line = line
        self.rest = rest


class Session:
    """A header and everything entered since; adding a line gives a new session.

    Attributes:
        header: Who plays what.
        head: The last event that stands.
    """

    __slots__ = ("_past", "_undone", "head", "header")

    def __init__(
        self,
        header: Header,
        head: Step | None = None,
        past: _Stack | None = None,
        undone: _Stack | None = None,
    ) -> None:
        """Open a new game; the other arguments are the session's own."""
        self.header = header
        self.head = head or Step(None, header.first, None)
        self._past = past
        self._undone = undone

    @property
    def state(self) -> Any:
        """Return the state after the last event that stands."""
        return self.head.state

    @property
    def latest(self) -> Event | Amend | None:
        """Return the line that undo would take back, if there is one."""
        return None if self._past is None else self._past.line

    @property
    def undone(self) -> Event | Amend | None:
        """Return the line that redo would bring back, if there is one."""
        return None if self._undone is None else self._undone.line

    def add(self, line: Line) -> Session:
        """Return the session with one more line.

        Raises:
            Refused: The line cannot be; this session is what still stands.
        """
        if isinstance(line, Undo):
            return self._undo()
        if isinstance(line, Redo):
            return self._redo()
        head = self._amended(line) if isinstance(line, Amend) else self._grown(self.head, line)
        return Session(self.header, head, _Stack(self.head, line, self._past))

    def steps(self) -> Iterator[Step]:
        """Yield the steps whose events stand, latest first."""
        step: Step | None = self.head
        while step is not None and step.event is not None:
            yield step
            step = step.before

    def step(self, number: int) -> Step:
        """Return the step of the event that stands as the given number, from 1; 0 is the beginning.

        Raises:
            Refused: No event of that number stands.
        """
        if not 0 <= number <= self.head.number:
            raise Refused(
                "no-such-event",
                N_("there is no entry {number}; {count} stand"),
                number=number,
                count=self.head.number,
            )
        step = self.head
        while step.number > number and step.before is not None:
            step = step.before
        return step

    def before(self, number: int) -> Any:
        """Return the state in which the event of that number was entered."""
        return self.step(number - 1).state

    def _grown(self, step: Step, event: Event) -> Step:
        return Step(event, self.header.game.apply(step.state, event), step)

    def _undo(self) -> Session:
        if self._past is None:
            raise Refused("nothing-to-undo", N_("there is nothing to take back"))
        past = self._past
        return Session(self.header, past.step, past.rest, _Stack(self.head, past.line, self._undone))

    def _redo(self) -> Session:
        if self._undone is None:
            raise Refused("nothing-to-redo", N_("there is nothing to bring back"))
        undone = self._undone
        return Session(self.header, undone.step, _Stack(self.head, undone.line, self._past), undone.rest)

    def _amended(self, line: Amend) -> Step:
        if line.event < 1:
            raise Refused("no-such-event", N_("entries are counted from 1"))
        old = self.step(line.event)
        later = [step for step in self.steps() if step.number > line.event]
        assert old.before is not None  # it has a number from 1
        step = self._grown(old.before, line.to)
        for lost in reversed(later):
            assert lost.event is not None  # only the beginning has none
            try:
                step = self._grown(step, lost.event)
            except Refused as refused:
                raise Refused(
                    "amend-breaks",
                    N_("then entry {number} no longer fits: {why}"),
                    number=lost.number,
                    why=refused.text,
                ) from refused
        return step
