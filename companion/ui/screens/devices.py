"""Updates of the program."""

from __future__ import annotations

from enum import Enum

from companion.core.text import Text
from companion.ui.screens.contents import (
    OpenedScreen,
    sentences,
)
from companion.ui.screens.context import (
    Choice,
    MachineAction,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    Status,
    Transition,
)
from companion.ui.translations import _

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
