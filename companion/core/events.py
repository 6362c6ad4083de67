"""What people enter: the events every game knows, and the lines a log is made of.

A game's own events are frozen structs with a ``type`` tag, declared beside its rules.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct


class Event(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """Something that happened at the table."""


E = TypeVar("E", bound=Event)


class Start(Event, frozen=True, tag="start"):
    """The table says who starts."""

    player: int


class Undo(Struct, frozen=True, tag_field="type", tag="undo", forbid_unknown_fields=True):
    """Take the latest line that took effect back."""


class Redo(Struct, frozen=True, tag_field="type", tag="redo", forbid_unknown_fields=True):
    """Bring the last undone line back."""


class Amend(Struct, Generic[E], frozen=True, tag_field="type", tag="amend", forbid_unknown_fields=True):
    """Put another event in the place of one that stands: a splice of one for one.

    Attributes:
        event: Which of the events that stand, counted from 1.
        to: The event that takes its place.
    """

    drop: ClassVar[int] = 1
    event: int
    to: E

    @property
    def put(self) -> tuple[E]:
        """Return the event that takes the place, as a splice has it."""
        return (self.to,)


class Splice(Struct, Generic[E], frozen=True, tag_field="type", tag="splice", forbid_unknown_fields=True):
    """Put any number of events in the place of any number of neighbours that stand.

    Attributes:
        event: The first of those replaced, counted from 1 among the events that stand; one beyond the last appends.
        drop: How many are replaced.
        put: The events that take their place.
    """

    event: int
    drop: int
    put: tuple[E, ...]


CorrectionLine = Amend[Any] | Splice[Any]
Entry = Event | CorrectionLine
"""One step of undo and redo: an event or a correction."""

Line = Entry | Undo | Redo
