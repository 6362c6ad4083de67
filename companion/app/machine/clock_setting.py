"""Sets the machine's clock and time zone, through the operating system."""

from __future__ import annotations

from typing import Protocol

from companion.ui.screens.commands import MachineAction
from companion.ui.screens.machine.clock_setting import ClockStatus, MoveClock, ReadClock, SetZone


class ClockSetter(Protocol):
    """Reads and sets the machine's clock and time zone. Every method may raise DeviceError."""

    def read(self) -> ClockStatus:
        """Return clock and time zone."""

    def set_zone(self, zone: str) -> None:
        """Set the time zone."""

    def move(self, seconds: int) -> None:
        """Move the clock on, or back if the seconds are negative."""


class ClockFeature:
    """Shows and sets the clock.

    Attributes:
        due: Always None: it never has to be called by itself.
    """

    due = None

    def __init__(self, setter: ClockSetter) -> None:
        self._setter = setter
        self.status = ClockStatus()  # clock and time zone when they were last read

    def do(self, action: MachineAction) -> None:
        """Do what is asked, then read the clock; raise DeviceError if the system refused."""
        match action:
            case SetZone(zone):
                self._setter.set_zone(zone)
            case MoveClock(seconds):
                self._setter.move(seconds)
            case ReadClock():
                pass
            case _:
                return
        self.status = self._setter.read()

    def tick(self) -> None:
        """Do nothing."""
