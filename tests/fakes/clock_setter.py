"""A clock of the machine that is set in memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from companion.app.ports import DeviceFault
from companion.ui.clock_state import ClockState

ZONES = ("America/New_York", "America/Toronto", "Asia/Tokyo", "Europe/London", "Europe/Paris", "UTC")


class MemoryClockSetter:
    """Sets a clock that is no machine's (`companion.app.ports.ClockSetter`).

    Attributes:
        moment: Its time.
        fault: What it refuses with; empty if it does as it is told.
    """

    def __init__(self, zone: str = "Europe/London", *, by_network: bool = False) -> None:
        self.moment = datetime(2026, 11, 22, 21, 5, tzinfo=UTC)
        self.fault = ""
        self.known = ClockState()
        self._zone = zone
        self._by_network = by_network

    def look(self) -> None:
        """Look, or raise the fault."""
        if self.fault:
            raise DeviceFault(self.fault)
        self.known = ClockState(self.moment.astimezone(ZoneInfo(self._zone)), self._zone, self._by_network, ZONES)

    def set_zone(self, zone: str) -> None:
        """Choose a time zone."""
        self._zone = zone
        self.look()

    def move(self, seconds: int) -> None:
        """Move the time."""
        self.moment += timedelta(seconds=seconds)
        self.look()
