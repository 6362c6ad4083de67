"""Devices of the box: clock, panel, a drive with games, updates of the program."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from companion.core.text import N_, NC_, IllegalEventError, Text
from companion.ui.keys import HOME, KeyLayout
from companion.ui.saved_games import day_of
from companion.ui.screens.contents import (
    Contents,
    OpenedListScreen,
    OpenedScreen,
    PagedListScreen,
    menu,
    only_key,
    sentences,
)
from companion.ui.screens.context import (
    BACK_AT,
    Choice,
    MachineAction,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    Status,
    Transition,
    refuse,
)
from companion.ui.translations import _
from companion.ui.view import TestPictureBody, View

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


PLACES = (
    *(N_("Africa"), N_("America"), N_("Antarctica"), N_("Arctic"), N_("Asia"), N_("Atlantic"), N_("Australia")),
    *(N_("Europe"), N_("Indian"), N_("Pacific")),
    *(N_("Brussels"), N_("Chicago"), N_("London"), N_("Los Angeles"), N_("New York"), N_("Paris"), N_("Sydney")),
    *(N_("Tokyo"), N_("Toronto"), N_("Zurich")),
)
"""The parts of the world and the usual cities, by the names of the time zones."""


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
    """Return the part of a time zone's name that people know; those of `PLACES` are translated.

    >>> str(city("America/New_York"))
    'New York'
    """
    return Text(zone.rpartition("/")[2].replace("_", " "))


def title(clock: ClockStatus) -> Text:
    """Return date and time: 2026, 22 Nov, 21:05."""
    if clock.now is None:
        return _("Clock")
    return _("{day} {year}, {time}", day=day_of(clock.now), year=clock.now.year, time=f"{clock.now:%H:%M}")


TITLE = _("Test picture")


class PanelStatus(Status, frozen=True):
    """The controller that drives the panel, and the one that it may have instead."""

    used: str  # the name of the controller in use, such as ``SSD1306``
    other: str  # the name of the other one
    tested: bool = False

    def row(self, settings: Screen) -> Row:
        return Row(TITLE, Transition(PanelTestScreen(settings)))


class BeginPanelTest(MachineAction, frozen=True):
    """Action: show the test picture."""

    answered_later = True


class TryOtherController(MachineAction, frozen=True):
    """Action: drive the panel as the other controller."""

    answered_later = True


class EndPanelTest(MachineAction, frozen=True):
    """Action: end the test of the panel; keep the other controller from now on, or drive it as before."""

    keep: bool = False


class PanelTestScreen(OpenedScreen, frozen=True):
    """Says what the test picture asks, and with which keys it is answered."""

    def show(self, context: ScreenContext) -> ScreenContents:
        yes, no = (
            (_("1: the frame is whole"), _("2: it is not"))
            if _has_digits(context.key_layout)
            else (_("●: the frame is whole"), _("› ●: it is not"))
        )
        begun = Transition(TestPictureScreen(self.before), BeginPanelTest())
        return sentences(
            self,
            TITLE,
            (yes, no, _("No answer for a minute: all is as before")),
            [Choice("show", _("show it"), lambda: begun, "#")],
            _("# show it   * back"),
            _("# shows the picture, * goes back"),
        )


class TestPictureScreen(OpenedScreen, frozen=True):
    """The test picture, with the other controller once that is tried; after the test, the screen before."""

    tried: bool = False

    def show(self, context: ScreenContext) -> ScreenContents:
        panel = context.machine.get(PanelStatus)
        if panel is None or not panel.tested:
            return self.before.show(context)
        if self.tried:
            right = Transition(
                self.before,
                EndPanelTest(keep=True),
                _("The panel is driven as {controller} from now on", controller=panel.used),
                if_refused=self.before,
            )
            message = _("Back to {controller}. Look at the wires: companion doctor", controller=panel.other)
            wrong = Transition(self.before, EndPanelTest(), message, refused=True)
        else:
            message = _("The frame is whole: {controller} is right", controller=panel.used)
            right = Transition(self.before, EndPanelTest(), message)
            wrong = Transition(replace(self, tried=True), TryOtherController())
        question = _("{controller}: is the frame whole?", controller=panel.used)
        back = Transition(self.before, EndPanelTest())
        keys = _("1: yes   2: no") if _has_digits(context.key_layout) else _("●: yes   › ●: no")
        return Contents(
            self,
            View(TestPictureBody((question, keys))),
            (
                Choice("yes", Text(NC_("answer", "yes")), lambda: right, "1"),
                Choice("no", Text(NC_("answer", "no")), lambda: wrong, "2"),
                Choice("back", _("back"), lambda: back, "*", BACK_AT),
                only_key(str(HOME), lambda: back),
            ),
            _("1 is yes, 2 is no, * goes back"),
        )

    def refused(self, context: ScreenContext, why: IllegalEventError) -> Transition:
        return refuse(self.before, why.text)


def _has_digits(board: KeyLayout) -> bool:
    return {"1", "2"} <= set(board.keys)


class DriveStatus(Status, frozen=True):
    """The USB drive for backups; its name is empty if none was there when the settings were opened."""

    name: str = ""

    def row(self, settings: Screen) -> Row | None:
        begun = Transition(settings, BackUp(), _("Writing the backup"))
        return Row(_("Back up to USB"), begun) if self.name else None


class BackUp(MachineAction, frozen=True):
    """Action: back up all games to the USB drive."""

    answered_later = True


class LookedOver(Struct, frozen=True):
    """A game's file that was checked."""

    title: str
    told: Text  # what it declares, or what is wrong with it
    right: bool = False  # whether it can be added
    replaces: bool = False  # whether a game of its name was added before


class DriveGamesStatus(Status, frozen=True):
    """The games on the USB drive that was plugged in when the settings were opened."""

    plugged: bool = False
    names: tuple[str, ...] = ()  # the files, as last listed
    looked_over: LookedOver | None = None  # the file that was chosen last

    def row(self, settings: Screen) -> Row | None:
        opened = Transition(DriveGamesScreen(settings), ListDriveGames())
        return Row(_("Games from USB"), opened) if self.plugged else None


class ListDriveGames(MachineAction, frozen=True):
    """Action: list the game files on the USB drive."""


class CheckGameFile(MachineAction, frozen=True):
    """Action: find out what a file on the drive declares."""

    name: str


class AddGame(MachineAction, frozen=True):
    """Action: add the game that a file on the drive declares."""

    name: str


class DriveGamesScreen(PagedListScreen, frozen=True):
    """The game files on the drive; choosing one looks it over."""

    def show(self, context: ScreenContext) -> ScreenContents:
        status = context.machine.get(DriveGamesStatus)
        names = () if status is None else status.names
        if not names:
            told = _("No game's file is on the drive: NAME.toml, or games/NAME.toml")
            return sentences(self, _("Games from USB"), [told])

        def row(here: Screen, name: str) -> Row:
            looks = CheckGameFile(name)
            return Row(name, Transition(DriveGameScreen(here, name), looks, if_refused=self))

        return menu(self, _("Games from USB"), self.paged(names, row, _("More games"), context), self.newer)


class DriveGameScreen(OpenedScreen, frozen=True):
    """What a file on the drive declares, and the key that adds it."""

    name: str

    def show(self, context: ScreenContext) -> ScreenContents:
        status = context.machine.get(DriveGamesStatus)
        assert status is not None  # the list has the row only then, and asked for the look
        looked = status.looked_over
        assert looked is not None
        if not looked.right:
            return sentences(self, looked.title, [context.words.sentence(looked.told)])
        told = [looked.told, _("It takes the place of the game of this name") if looked.replaces else _("Add it?")]
        added = Transition(self.before, AddGame(self.name), _("Added: {game}", game=looked.title))
        keys = (Choice("add", _("add"), lambda: added, "#"),)
        return sentences(self, looked.title, told, keys, _("# add   * back"), _("# adds it, * goes back"))


FAULTS = {
    "nowhere": _("Plug in a USB drive with the package, or set an address"),
    "address": _("The address does not answer, or has no package"),
    "drive": _("The USB drive cannot be read"),
    "unsigned": _("The signature is missing: copy the .sig file, too"),
    "signature": _("It is damaged, or not signed by a release key"),
    "space": _("The card has no room for it"),
    "package": _("It is no package for this box"),
    "failed": _("That version failed on this box before"),
    "install": _("It cannot be installed. The box stays as it was"),
}
"""Why there is no update, by the kind of fault."""

OTHER = _("That failed. Its reason: sudo companion update")
NAME, HOST = 14, 20
"""Characters of a drive's name and of an address that fit with the question."""


class UpdateStage(Enum):
    """The stages of an update."""

    UNKNOWN = "unknown"
    LOOKING = "looking"
    FOUND = "found"
    NOTHING_NEWER = "nothing newer"
    FAILED = "failed"
    INSTALLING = "installing"
    INSTALLED = "installed"


class UpdateStatus(Status, frozen=True):
    """This box's version, and how far an update is."""

    here: str
    stage: UpdateStage = UpdateStage.UNKNOWN
    version: str = ""
    place: str = ""  # where the newer version is: the name of a USB drive, or the host of an address
    on_drive: bool = False
    fault: str = ""  # what failed: see `companion.cli.update.fetch_package.UpdateError`

    @property
    def at_work(self) -> bool:
        return self.stage in (UpdateStage.LOOKING, UpdateStage.INSTALLING)

    def row(self, settings: Screen) -> Row:
        return Row(_("Update"), Transition(UpdateScreen(settings), LookForUpdate()), self.here)


class LookForUpdate(MachineAction, frozen=True):
    """Action: look for a newer version of the program."""

    answered_later = True


class InstallUpdate(MachineAction, frozen=True):
    """Action: install the newer version that was found."""

    answered_later = True


class UpdateScreen(OpenedScreen, frozen=True):
    """What was found, and what can be done about it."""

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return what is known, and the key for the next step; without an installation, the screen before."""
        update = context.machine.get(UpdateStatus)
        if update is None:
            return self.before.show(context)
        keys: tuple[Choice, ...] = ()
        if update.at_work:
            foot, unknown = _("* back"), _("* goes back")
        elif update.stage is UpdateStage.FOUND:
            foot, unknown = _("# yes   * back"), _("# installs it, * goes back")
            keys = (Choice("install", _("install"), lambda: Transition(self, InstallUpdate()), "#"),)
        else:
            foot, unknown = _("# look   * back"), _("# looks again, * goes back")
            keys = (Choice("look", _("look"), lambda: Transition(self, LookForUpdate()), "#"),)
        return sentences(self, _("Update"), said(update), keys, foot, unknown)


def said(update: UpdateStatus) -> tuple[Text, ...]:
    here, version = update.here, update.version
    place = _shortened(update.place, NAME if update.on_drive else HOST)
    match update.stage:
        case UpdateStage.LOOKING:
            return (_("Looking at USB drives and at the address of the settings"),)
        case UpdateStage.FOUND:
            found = _("{version} is on the USB drive {place}") if update.on_drive else _("{version} is at {place}")
            return (
                Text(found.template, version=version, place=place),
                _("This box has {version}. Install it?", version=here),
            )
        case UpdateStage.NOTHING_NEWER:
            return (_("Nothing newer was found"), _("This box has {version}", version=here))
        case UpdateStage.FAILED:
            return (fault_text(update.fault),)
        case UpdateStage.INSTALLING:
            return (_("Installing {version} takes some minutes", version=version), _("You can play on meanwhile"))
        case UpdateStage.INSTALLED:
            return (_("{version} is installed. It runs from the next start on", version=version),)
        case _:
            return (_("This box has {version}", version=here),)


def fault_text(kind: str) -> Text:
    return FAULTS.get(kind, OTHER)


def _shortened(place: str, longest: int) -> str:
    """Return a place without characters that cannot be shown, and not too long."""
    shown = "".join(letter for letter in place if letter.isprintable())
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"
