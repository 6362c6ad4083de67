"""The machine's clock and time zone, through systemd's timedated.

It calls systemd's `busctl`, so no D-Bus library is needed.
"""

from __future__ import annotations

import re
import time
from datetime import datetime
from functools import cache
from pathlib import Path

from companion.app.ports import DeviceError
from companion.ui.screens.context import MachineAction
from companion.ui.screens.devices import ClockStatus, MoveClock, ReadClock, SetZone

from .system_command import output_of

_TIMEDATED = ("org.freedesktop.timedate1", "/org/freedesktop/timedate1")
_INTERFACE = "org.freedesktop.timedate1"

PROGRAM = Path("/usr/lib/systemd/systemd-timedated")  # the program behind it; without it nothing can be set
BY_HAND = "companion-clock.service"  # the unit that keeps the network from setting the clock while it runs

REGIONS = (
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific", "UTC",
)  # fmt: skip
"""The parts of the world; the database has further names for old programs."""


class TimedatedClock:
    """Shows and sets the clock and the time zone (`companion.app.machine.Feature`)."""

    due = None

    def __init__(self, busctl: str = "busctl", patience: float = 5.0, systemctl: str = "systemctl") -> None:
        self._busctl = busctl
        self._systemctl = systemctl
        self._patience = patience
        self.status = ClockStatus()  # clock and time zone when they were last read

    def do(self, action: MachineAction) -> None:
        """Do what is asked, then read the clock; raise DeviceError if the system refused."""
        match action:
            case SetZone(zone):
                self.set_zone(zone)
            case MoveClock(seconds):
                self.move(seconds)
            case ReadClock():
                pass
            case _:
                return
        self.status = self.read()

    def tick(self) -> None:
        """Do nothing: it never has to be called by itself."""

    def read(self) -> ClockStatus:
        """Return clock and time zone; raise DeviceError if timedated does not answer."""
        output = self._ask("get-property", *_TIMEDATED, _INTERFACE, "Timezone", "NTPSynchronized")
        found = re.fullmatch(r's "([^"]*)"\nb (true|false)\n', output)
        if found is None:
            raise DeviceError("The clock cannot be looked at: timedated answers something else.")
        return ClockStatus(datetime.now().astimezone(), found[1], found[2] == "true", _zones())

    def set_zone(self, zone: str) -> None:
        """Choose a time zone; this program uses it at once. Raises DeviceError if timedated refused."""
        self._call("SetTimezone", "sb", zone, "false")
        time.tzset()

    def move(self, seconds: int) -> None:
        """Move the clock on or back. The network may set it again later.

        systemd lets nobody set the clock while the network does, so a unit stops that meanwhile. After a move back the
        unit runs until the next boot, because the network's program would set the clock to the latest time it knows.

        Raises DeviceError if timedated refused.
        """
        by_network = self._ask("get-property", *_TIMEDATED, _INTERFACE, "NTP") == "b true\n"
        moved_back = False
        try:
            if by_network:
                self._by_hand("start")
            self._call("SetTime", "xbb", "--", str(seconds * 1_000_000), "true", "false")
            moved_back = seconds < 0
        finally:
            if by_network and not moved_back:
                self._by_hand("stop")

    def _by_hand(self, verb: str) -> None:
        command = (self._systemctl, "--no-ask-password", verb, BY_HAND)
        output_of(command, "The clock cannot be set", "systemd", self._patience)

    def _call(self, method: str, *arguments: str) -> None:
        self._ask("call", *_TIMEDATED, _INTERFACE, method, *arguments)

    def _ask(self, *words: str) -> str:
        command = (self._busctl, "--system", "--allow-interactive-authorization=no", *words)
        return output_of(command, "The clock cannot be set", "timedated", self._patience)


def timedated_clock() -> TimedatedClock | None:
    """Return what sets the clock of this machine; None where nothing does."""
    return TimedatedClock() if PROGRAM.exists() else None


@cache
def _zones() -> tuple[str, ...]:
    from zoneinfo import available_timezones

    return tuple(sorted(name for name in available_timezones() if name.partition("/")[0] in REGIONS))
