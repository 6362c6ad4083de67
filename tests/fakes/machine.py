"""The machine around the box, in memory, for tests and pictures: USB drive, updates, clock, controller of the panel."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from companion.app.ports import Clock, DeviceError
from companion.core.text import N_, Text
from hardware.machine.clock import ClockStatus, TimedatedClock
from hardware.machine.own_wifi import OwnWifi
from hardware.machine.panel_test import ExchangeableController
from hardware.machine.update import SystemdUpdater
from hardware.machine.usb_drive import LookedOver, UsbBackupDrive, UsbGames
from hardware.panel_bus import PanelSpec

from .clock import FixedClock

ZONES = ("America/New_York", "America/Toronto", "Asia/Tokyo", "Europe/London", "Europe/Paris", "UTC")


class MemoryDrive(UsbBackupDrive):
    """A USB drive that is always plugged in, and forgets every backup."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(Path(), clock)

    def drive(self) -> str:
        return "STICK"

    def back_up(self, _day: date | None) -> tuple[str, int]:
        """Return where a backup would be."""
        return f"{self.drive()}/companion-backup.zip", 0


class MemoryGames(UsbGames):
    """A USB drive with two game files, one of them wrong."""

    def __init__(self) -> None:
        super().__init__(Path())

    def plugged(self) -> bool:
        return True

    def names(self) -> list[str]:
        return ["golf", "knack"]

    def look_over(self, name: str) -> LookedOver:
        if name == "knack":
            wrong = Text(N_("a game asks at least one question"))
            return LookedOver(name, Text(N_("line {line}: {wrong}"), line=12, wrong=wrong))
        players = Text(N_("{least} to {most} players"), least=2, most=6)
        return LookedOver("Golf", players, "golf")

    def add(self, _name: str) -> None:
        """Add nothing."""


class MemoryUpdater(SystemdUpdater):
    """An updater that installs nothing.

    Attributes:
        left: The word that the next update leaves; None while one goes on.
        asked: How often it was asked for an update.
    """

    def __init__(self, left: str | None = None, here: str = "0.2.0", clock: Clock | None = None) -> None:
        super().__init__(clock or FixedClock(), here, Path())
        self.left = left
        self.asked = 0

    def start(self) -> None:
        """Begin an update, as it were."""
        self.asked += 1

    def word(self) -> str | None:
        """Return the word, and forget it."""
        left, self.left = self.left, None
        return left


class MemoryClockSetter(TimedatedClock):
    """Sets a clock that is no machine's.

    Attributes:
        moment: Its time.
        zone: Its time zone.
        fault: What it refuses to be read with; empty if it does as it is told.
    """

    def __init__(self, zone: str = "Europe/London", *, by_network: bool = False) -> None:
        """Set it to an evening in a time zone."""
        super().__init__()
        self.moment = datetime(2026, 11, 22, 21, 5, tzinfo=UTC)
        self.fault = ""
        self.zone = zone
        self._by_network = by_network

    def read(self) -> ClockStatus:
        """Return clock and zone, or raise the fault."""
        if self.fault:
            raise DeviceError(self.fault)
        return ClockStatus(self.moment.astimezone(ZoneInfo(self.zone)), self.zone, self._by_network, ZONES)

    def set_zone(self, zone: str) -> None:
        """Choose a time zone."""
        self.zone = zone

    def move(self, seconds: int) -> None:
        self.moment += timedelta(seconds=seconds)


class MemoryControllers(ExchangeableController):
    """A panel that notes how it is driven.

    Attributes:
        kept: The one that was kept; empty if none was.
        full: Whether the disk is full, so that nothing can be kept.
    """

    def __init__(self, clock: Clock) -> None:
        super().__init__(None, PanelSpec(), None, clock)  # type: ignore[arg-type]  # it drives no panel
        self.kept = ""
        self.full = False

    def blacken(self) -> None:
        """Send nothing."""

    def exchange(self) -> None:
        self._used, self._other = self._other, self._used

    def keep(self) -> None:
        """Keep it, or raise the fault of a full disk."""
        if self.full:
            raise DeviceError("the disk is full")
        self.kept = self.used


class MemoryWifi(OwnWifi):
    """An own Wi-Fi of the box.

    Attributes:
        works: Whether its unit runs, whatever was asked for.
    """

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.works = False

    def names(self) -> tuple[str, str]:
        return "Companion-7F3A", "kx4973mqpt"

    def runs(self) -> bool:
        return self.works

    def switch(self, on: bool) -> None:
        """Switch nothing."""
