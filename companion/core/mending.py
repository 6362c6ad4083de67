"""Mending what was entered: another event in the place of one, and then of each that no longer fits after it.

Nothing is entered meanwhile. When everything fits again, the lines that lead there are found: after each of them
stands a game that could have been, so they can be written one after the other into any log.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from .entering import entered
from .errors import Refused
from .events import Amend, Event, Line, Redo, Undo
from .prompt import Tracking
from .session import Session, Step
from .text import Text

MOST_AMENDS = 8
"""With more entries to replace than this, no order of doing so one by one is looked for."""


@dataclass(frozen=True, slots=True)
class Mending:
    """A session that is being mended, as far as everything fits.

    Attributes:
        session: What stands as long as the mending is not finished.
        number: The entry asked for now, as it is counted in the session; beyond the last when all fits.
        step: What comes before it, mended.
        why: Why the entry no longer fits there; None where it is the one that was wrong.
    """

    session: Session
    number: int
    step: Step
    why: Text | None = None

    @classmethod
    def opening(cls, session: Session, number: int) -> Mending:
        """Begin with the entry that was wrong.

        Raises:
            Refused: No event of that number stands.
        """
        session.step(number)
        return cls(session, number, session.step(number - 1))

    @property
    def fits(self) -> bool:
        """Tell whether everything after it fits."""
        return self.number > self.session.head.number

    @property
    def was(self) -> Event:
        """Return the entry asked for, as it stands in the session."""
        event = self.session.step(self.number).event
        assert event is not None  # only the beginning has none
        return event

    @property
    def state(self) -> Any:
        """Return the state in which another event is put in its place."""
        return self.step.state

    def put(self, event: Event) -> Mending:
        """Put an event in the entry's place, and go on to the next that no longer fits.

        Raises:
            Refused: It does not fit either.
        """
        return self._from(self._grown(self.step, event))

    def leave_out(self) -> Mending:
        """Put nothing in its place, and go on to the next that no longer fits."""
        return self._from(self.step)

    def end_here(self) -> Mending:
        """Leave it out, and all that come after it."""
        return replace(self, number=self.session.head.number + 1, why=None)

    def as_typed(self, tracking: Tracking) -> Event | None:
        """Return what the same answers make of the entry here, if that fits: the same card by another player."""
        game = self.session.header.game
        try:
            answers = game.answers(self.session.before(self.number), self.was)
            event = entered(game, self.state, tracking, answers)
            if event is not None:
                self._grown(self.step, event)
        except Refused:
            return None
        return event

    def replaced(self) -> int:
        """Return how many of the entries are others now, or gone."""
        old, new = _events(self.session.head), _events(self.step)
        return sum(one != other for one, other in zip(old, new, strict=False)) + abs(len(old) - len(new))

    def lines(self) -> tuple[Line, ...]:
        """Return the lines that lead from the session to what was mended, once it fits."""
        return lines_to(self.session, self.step)

    def _grown(self, step: Step, event: Event) -> Step:
        return Step(event, self.session.header.game.apply(step.state, event), step)

    def _from(self, step: Step) -> Mending:
        later = [old.event for old in self.session.steps() if old.number > self.number][::-1]
        for number, event in enumerate(later, self.number + 1):
            assert event is not None  # only the beginning has none
            try:
                step = self._grown(step, event)
            except Refused as refused:
                return replace(self, number=number, step=step, why=refused.text)
        return replace(self, number=self.session.head.number + 1, step=step, why=None)


def lines_to(session: Session, wanted: Step) -> tuple[Line, ...]:
    """Return lines after which the events of a step stand in a session, and after each of which it is a valid one.

    Amends alone where some order of them is allowed: an amend that makes a later entry impossible is not. Else
    the latest lines are undone, no more of them than needed, and what was undone is entered anew behind the
    amends: two cards that were swapped are never both on the table, whichever of them is amended first. What only
    has to be brought back is brought back.
    """
    events = _events(wanted)
    if session.undone is not None and _events(session.add(Redo()).head) == events:
        return (Redo(),)
    undone = 0
    while True:
        amends = _amends(session, events)
        if amends is not None:
            return (*(Undo() for _ in range(undone)), *amends, *events[session.head.number :])
        session = session.add(Undo())  # to the very beginning at most, which needs no amends
        undone += 1


def _amends(session: Session, events: list[Event]) -> list[Amend] | None:
    """Return amends that make the events that stand the first of some others, each allowed in its turn, if any."""
    stand = _events(session.head)
    if len(stand) > len(events):
        return None
    wrong = [
        Amend(number, event) for number, (old, event) in enumerate(zip(stand, events, strict=False), 1) if old != event
    ]
    if len(wrong) > MOST_AMENDS:
        return None
    amends: list[Amend] = []
    while wrong:
        for amend in reversed(wrong):  # the latest first: what it frees, an earlier one may need
            with_it = _allowed(session, amend)
            if with_it is not None:
                break
        else:
            return None
        session = with_it
        wrong.remove(amend)
        amends.append(amend)
    return amends


def _allowed(session: Session, amend: Amend) -> Session | None:
    try:
        return session.add(amend)
    except Refused:
        return None


def _events(step: Step) -> list[Event]:
    """Return the events up to a step, first to last."""
    return list(_back(step))[::-1]


def _back(step: Step) -> Iterator[Event]:
    at: Step | None = step
    while at is not None and at.event is not None:
        yield at.event
        at = at.before
