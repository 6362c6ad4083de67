"""The clock and the time zone of the machine, for night hours and the dates of games."""

from __future__ import annotations

from companion.core.text import Text
from companion.ui.clock_state import ClockState
from companion.ui.dates import day_of
from companion.ui.translations import Translator, _

from .commands import ChooseZone, MoveClock
from .context import Screen, ScreenContext, Transition
from .list_menu import menu
from .screen_contents import ListScreen, ScreenContents

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


class ClockScreen(ListScreen, frozen=True):
    """The time zone, and what moves the clock where the network does not set it.

    Attributes:
        before: The screen it was opened from.
    """

    before: Screen

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the list, with date and time as its title."""
        words, clock = context.words, context.clock or ClockState()
        rows = [(words(_("Time zone")), city(clock.zone), Transition(ZoneScreen(self)))]
        if clock.by_network:
            rows.append((words(_("Set by the network")), "", Transition(self)))
        else:
            rows += [(words(text), "", Transition(self, MoveClock(seconds))) for text, seconds in MOVES]
        return menu(self, words, title(clock, words), rows, self.before)


class ZoneScreen(ListScreen, frozen=True):
    """The usual time zones of the language, then the parts of the world.

    Attributes:
        before: The screen of the clock.
    """

    before: Screen

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the list."""
        words, clock = context.words, context.clock or ClockState()
        usual = [name for name in USUAL.get(words.language, ()) if name in clock.zones]
        rows = [(city(name), "", Transition(self.before, ChooseZone(name))) for name in usual]
        regions = dict.fromkeys(name.partition("/")[0] for name in clock.zones)
        rows += [(region, "", Transition(CityScreen(self.before, self, region))) for region in regions]
        return menu(self, words, _("Time zone"), rows, self.before)


class CityScreen(ListScreen, frozen=True):
    """The time zones of a part of the world.

    Attributes:
        clock: The screen of the clock.
        before: The list of the parts of the world.
        region: The part of the world, such as ``Europe``.
    """

    clock: Screen
    before: Screen
    region: str

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the list."""
        words, clock = context.words, context.clock or ClockState()
        names = [name for name in clock.zones if name.partition("/")[0] == self.region]
        rows = ((city(name), "", Transition(self.clock, ChooseZone(name))) for name in names)
        return menu(self, words, self.region, rows, self.before)


def city(zone: str) -> str:
    """Return the part of a time zone's name that people know.

    >>> city("America/New_York")
    'New York'
    """
    return zone.rpartition("/")[2].replace("_", " ")


def title(clock: ClockState, words: Translator) -> str:
    """Return date and time: 2026, 22 Nov, 21:05."""
    if clock.now is None:
        return words(_("Clock"))
    parts = {"year": clock.now.year, "day": day_of(clock.now), "time": f"{clock.now:%H:%M}"}
    return words(Text(_("{day} {year}, {time}").template, **parts))
