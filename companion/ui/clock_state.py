"""The clock of the machine, as data for the screens."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class ClockState(Struct, frozen=True):
    """The machine's clock and time zone when they were last looked at.

    Attributes:
        now: The local date and time; None before the first look.
        zone: The name of the time zone, such as ``Europe/Paris``.
        by_network: Whether the network sets the clock, so that nobody else needs to.
        zones: The names of all time zones.
    """

    now: datetime | None = None
    zone: str = ""
    by_network: bool = False
    zones: tuple[str, ...] = ()
