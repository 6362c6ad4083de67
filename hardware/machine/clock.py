"""The machine's clock and time zone: their screens, and how they are set through systemd's timedated."""

from __future__ import annotations

import re
import time
from datetime import datetime
from functools import cache
from pathlib import Path

from companion.app.ports import DeviceError
from companion.core.text import N_, Text
from companion.history.days import short_date
from companion.ui.screens.contents import OpenedListScreen, menu
from companion.ui.screens.context import (
    MachineAction,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    Status,
    Transition,
)
from companion.ui.translations import _
from hardware.system import BUSCTL, output_of

PROGRAM = Path("/usr/lib/systemd/systemd-timedated")  # the program behind it; without it nothing can be set
BY_HAND = "companion-clock.service"  # the unit that keeps the network from setting the clock while it runs
TIMEDATED = ("org.freedesktop.timedate1", "/org/freedesktop/timedate1", "org.freedesktop.timedate1")
FAILED = "The clock cannot be set"

REGIONS = (
    *(N_("Africa"), N_("America"), N_("Antarctica"), N_("Arctic"), N_("Asia"), N_("Atlantic"), N_("Australia")),
    *(N_("Europe"), N_("Indian"), N_("Pacific"), "UTC"),
)
"""The parts of the world; the database has further names for old programs."""

MINUTE, HOUR, DAY = 60, 3600, 86_400

MOVES = (
    (_("1 hour on"), HOUR),
    (_("1 hour back"), -HOUR),
    (_("10 minutes on"), 10 * MINUTE),
    (_("1 minute on"), MINUTE),
    (_("1 minute back"), -MINUTE),
    (_("1 day on"), DAY),
    (_("1 day back"), -DAY),
    (_("30 days on"), 30 * DAY),
    (_("30 days back"), -30 * DAY),
)
"""By how many seconds a row moves the clock: as an alarm clock is set, with any keys."""

USUAL = {
    "fr": ("Europe/Paris", "Europe/Brussels", "Europe/Zurich", "America/Toronto"),
    "ja": ("Asia/Tokyo",),
    "en": ("Europe/London", "America/New_York", "America/Chicago", "America/Los_Angeles", "Australia/Sydney"),
}
"""The time zones that are offered first, by language."""

CITIES = (
    *(N_("Brussels"), N_("Chicago"), N_("London"), N_("Los Angeles"), N_("New York"), N_("Paris"), N_("Sydney")),
    *(N_("Tokyo"), N_("Toronto"), N_("Zurich")),
)
"""The usual cities, by the names of the time zones."""


class ClockStatus(Status, frozen=True):
    """The machine's clock and time zone when they were last read."""

    now: datetime | None = None  # the local date and time; None before they are first read
    zone: str = ""  # the name of the time zone, such as ``Europe/Paris``
    by_network: bool = False  # whether the network sets the clock, so that nobody else needs to
    zones: tuple[str, ...] = ()  # the names of all time zones

    def row(self, settings: Screen) -> Row:
        return Row(_("Clock"), Transition(ClockScreen(settings), ReadClock()))


class ReadClock(MachineAction, frozen=True):
    """Action: read clock and time zone."""


class SetZone(MachineAction, frozen=True):
    """Action: set the time zone, such as ``Europe/Paris``."""

    zone: str


class MoveClock(MachineAction, frozen=True):
    """Action: move the clock on, or back if the seconds are negative."""

    seconds: int


class ClockScreen(OpenedListScreen, frozen=True):
    """The time zone, and what moves the clock where the network does not set it."""

    def show(self, context: ScreenContext) -> ScreenContents:
        clock = context.machine.get(ClockStatus) or ClockStatus()
        rows = [Row(_("Time zone"), Transition(ZoneScreen(self)), city(clock.zone))]
        if clock.by_network:
            rows.append(Row(_("Set by the network"), Transition(self)))
        else:
            rows += [Row(text, Transition(self, MoveClock(seconds))) for text, seconds in MOVES]
        return menu(self, title(clock), rows, self.before)


class ZoneScreen(OpenedListScreen, frozen=True):
    """The usual time zones of the language, then the parts of the world."""

    def show(self, context: ScreenContext) -> ScreenContents:
        clock = context.machine.get(ClockStatus) or ClockStatus()
        usual = [name for name in USUAL.get(context.words.language, ()) if name in clock.zones]
        rows = [Row(city(name), Transition(self.before, SetZone(name))) for name in usual]
        regions = dict.fromkeys(name.partition("/")[0] for name in clock.zones)
        rows += [Row(Text(region), Transition(CityScreen(self, self.before, region))) for region in regions]
        return menu(self, _("Time zone"), rows, self.before)


class CityScreen(OpenedListScreen, frozen=True):
    """The time zones of a part of the world, such as ``Europe``."""

    clock: Screen
    region: str

    def show(self, context: ScreenContext) -> ScreenContents:
        clock = context.machine.get(ClockStatus) or ClockStatus()
        names = [name for name in clock.zones if name.partition("/")[0] == self.region]
        rows = (Row(city(name), Transition(self.clock, SetZone(name))) for name in names)
        return menu(self, Text(self.region), rows, self.before)


def city(zone: str) -> Text:
    """Return the part of a time zone's name that people know; regions and usual cities are translated.

    >>> str(city("America/New_York"))
    'New York'
    """
    return Text(zone.rpartition("/")[2].replace("_", " "))


def title(clock: ClockStatus) -> Text:
    """Return date and time: 2026, 22 Nov, 21:05."""
    if clock.now is None:
        return _("Clock")
    return _("{day} {year}, {time}", day=short_date(clock.now), year=clock.now.year, time=f"{clock.now:%H:%M}")


class TimedatedClock:
    """Shows and sets the clock and the time zone (`companion.app.machine.Feature`)."""

    due = None

    def __init__(self) -> None:
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
        output = _ask("get-property", "Timezone", "NTPSynchronized")
        found = re.fullmatch(r's "([^"]*)"\nb (true|false)\n', output)
        if found is None:
            raise DeviceError("The clock cannot be looked at: timedated answers something else.")
        return ClockStatus(datetime.now().astimezone(), found[1], found[2] == "true", _zones())

    def set_zone(self, zone: str) -> None:
        """Choose a time zone; this program uses it at once. Raises DeviceError if timedated refused."""
        _ask("call", "SetTimezone", "sb", zone, "false")
        time.tzset()

    def move(self, seconds: int) -> None:
        """Move the clock on or back. The network may set it again later.

        systemd lets nobody set the clock while the network does, so a unit stops that meanwhile. After a move back the
        unit runs until the next boot, because the network's program would set the clock to the latest time it knows.

        Raises DeviceError if timedated refused.
        """
        by_network = _ask("get-property", "NTP") == "b true\n"
        moved_back = False
        try:
            if by_network:
                _by_hand("start")
            _ask("call", "SetTime", "xbb", "--", str(seconds * 1_000_000), "true", "false")
            moved_back = seconds < 0
        finally:
            if by_network and not moved_back:
                _by_hand("stop")


def _by_hand(verb: str) -> None:
    output_of(("systemctl", "--no-ask-password", verb, BY_HAND), FAILED, "systemd")


def _ask(what: str, *words: str) -> str:
    """Return timedated's answer to a call, or its properties."""
    return output_of((*BUSCTL, what, *TIMEDATED, *words), FAILED, "timedated")


@cache
def _zones() -> tuple[str, ...]:
    from zoneinfo import available_timezones

    return tuple(sorted(name for name in available_timezones() if name.partition("/")[0] in REGIONS))
