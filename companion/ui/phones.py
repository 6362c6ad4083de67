"""Phones at the table, as data for the screens: who is paired, and the pairing that is open."""

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
    """A paired phone, or a browser on this computer.

    Attributes:
        number: Its number in the list of paired phones, from 1; 0 for a browser on this computer.
        name: Its name for people.
        role: What it may do.
        seat: Its seat, if it has the role of one seat.
    """

    number: int
    name: str
    role: Role
    seat: int | None = None


THIS_COMPUTER = Phone(0, "", Role.SCORER)
"""A browser on this computer."""


class OwnWifi(Struct, frozen=True):
    """The box's own Wi-Fi, where it can have one.

    Attributes:
        name: The network's name.
        password: The network's password.
        on: Whether it is on.
    """

    name: str
    password: str
    on: bool = False


class Phones(Struct, frozen=True):
    """The phones at the table.

    Attributes:
        address: The page's address for phones, such as ``http://192.168.1.7:8080``.
        paired: The paired phones.
        pin: The PIN of the open pairing, six digits; empty if none is open, or after too many wrong ones.
        link: The address that pairs a phone, in the code; empty if no pairing is open.
        guests: Whether phones that are not paired may watch.
        wifi: The box's own Wi-Fi; None where it cannot have one.
    """

    address: str
    paired: tuple[Phone, ...] = ()
    pin: str = ""
    link: str = ""
    guests: bool = False
    wifi: OwnWifi | None = None
