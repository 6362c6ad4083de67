"""A paired phone, and what it may do."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct


class Role(Enum):
    """What a paired phone may do."""

    SCORER = "scorer"
    """Answers every question."""
    SEAT = "seat"
    """Answers when its seat is asked."""
    SPECTATOR = "spectator"
    """Watches."""


class Phone(Struct, frozen=True):
    """A paired phone, or a browser on this computer."""

    number: int  # its number in the list of paired phones, from 1; 0 for a browser on this computer
    name: str
    role: Role
    seat: int | None = None  # its seat, if it has the role of one seat


THIS_COMPUTER = Phone(0, "", Role.SCORER)
"""A browser on this computer."""
