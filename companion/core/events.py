"""Events that every game has, and the lines of a log: events, undo, redo, corrections, players' names, the finish.

A game's own events are frozen structs with a ``type`` tag, declared beside its rules.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct


class Event(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """Something that happened at the table; each game declares its own."""


class Start(Event, frozen=True, tag="start"):
    """The event that names who starts."""

    player: int


class Finish(Struct, frozen=True, tag_field="type", tag="finish", forbid_unknown_fields=True):
    """Ends the game here: the running round counts for nothing. It is numbered like an event; no game knows of it."""


E = TypeVar("E", bound=Event | Finish)


class Undo(Struct, frozen=True, tag_field="type", tag="undo", forbid_unknown_fields=True):
    """Undoes the latest entry."""


class Redo(Struct, frozen=True, tag_field="type", tag="redo", forbid_unknown_fields=True):
    """Restores the entry undone last."""


class ReplaceEvent(Struct, Generic[E], frozen=True, tag_field="type", tag="amend", forbid_unknown_fields=True):
    """Replaces one event by another."""

    drop: ClassVar[int] = 1
    event: int  # its number among the events in force, counted from 1
    to: E  # the new event

    @property
    def put(self) -> tuple[E]:
        return (self.to,)


class ReplaceEvents(Struct, Generic[E], frozen=True, tag_field="type", tag="splice", forbid_unknown_fields=True):
    """Replaces any number of consecutive events by any number of events."""

    # the number of the first replaced event, counted from 1 among those in force; one beyond the last appends
    event: int
    drop: int  # how many events are replaced
    put: tuple[E, ...]


class SeatNames(Struct, frozen=True, tag_field="type", tag="players", forbid_unknown_fields=True):
    """Says who really sits where, for the whole game from its first line; seats and events stay as they are."""

    names: tuple[str, ...]  # the names by seat


class Substitute(Struct, frozen=True, tag_field="type", tag="substitute", forbid_unknown_fields=True):
    """Says that somebody else sits in a seat from here on; seats and events stay as they are."""

    player: int
    name: str


CorrectionLine = ReplaceEvent[Any] | ReplaceEvents[Any]
Entry = Event | CorrectionLine | SeatNames | Substitute | Finish
"""One step of undo and redo: an event, a correction, players' names, somebody else in a seat, or the finish."""

Line = Entry | Undo | Redo
