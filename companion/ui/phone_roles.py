"""A paired phone, and what it may do."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from companion.gamelog import name_key


class Role(Enum):
    """What a paired phone may do."""

    SCORER = "scorer"
    """Answers every question."""
    SEAT = "seat"
    """Answers when its person is asked."""
    SPECTATOR = "spectator"
    """Watches."""


class Phone(Struct, frozen=True):
    """A paired phone, or a browser on this computer."""

    number: int  # its number in the list of paired phones, from 1; 0 for a browser on this computer
    name: str
    role: Role
    # who holds it, if it answers for one person; as a scorer, the name given when it was paired, until a role is chosen
    person: str = ""


THIS_COMPUTER = Phone(0, "", Role.SCORER)
"""A browser on this computer."""


def seat_of(person: str, players: Sequence[str]) -> int | None:
    """Return the seat on which a person sits; None if the person does not play.

    >>> seat_of("bea", ("Aki", "Bea"))
    1
    """
    keys = [name_key(player) for player in players]
    return keys.index(name_key(person)) if name_key(person) in keys else None
