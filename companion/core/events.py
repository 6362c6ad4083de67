"""What people enter: the events every game knows, and the lines a log is made of.

A game's own events are frozen structs with a ``type`` tag, declared beside its rules.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class Event(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """Something that happened at the table."""


class Start(Event, frozen=True, tag="start"):
    """The table says who starts."""

    player: int


class Undo(Struct, frozen=True, tag_field="type", tag="undo", forbid_unknown_fields=True):
    """Take the latest line that took effect back."""


class Redo(Struct, frozen=True, tag_field="type", tag="redo", forbid_unknown_fields=True):
    """Bring the last undone line back."""


class Amend(Struct, frozen=True, tag_field="type", tag="amend", forbid_unknown_fields=True):
    """Put another event in the place of one that stands.

    Attributes:
        event: Which of the events that stand, counted from 1.
        to: The event that takes its place.
    """

    event: int
    to: Any


Line = Event | Undo | Redo | Amend
