"""Devices of the box: the test of its panel, updates of the program."""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace

from companion.core.text import NC_, IllegalEventError, Text
from companion.ui.keys import HOME, KeyLayout
from companion.ui.screens.contents import (
    Contents,
    OpenedScreen,
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
