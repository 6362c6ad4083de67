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
    "address": _("The drive or address cannot be read, or has no packages"),
    "signature": _("It is damaged, or not signed by a release key"),
    "failed": _("That version failed on this box before"),
    "install": _("It cannot be installed. The box stays as it was"),
}
"""Why there is no update, by the word that `companion.cli.update` writes."""

OTHER = _("That failed. Its reason: sudo companion update")


class UpdateStage(Enum):
    """The stages of an update."""

    UNKNOWN = "unknown"
    AT_WORK = "at work"
    NOTHING_NEWER = "nothing newer"
    FAILED = "failed"


class UpdateStatus(Status, frozen=True):
    """This box's version, and how far an update is."""

    here: str
    stage: UpdateStage = UpdateStage.UNKNOWN
    fault: str = ""  # what failed: a key of the texts above, or another word

    def row(self, settings: Screen) -> Row:
        return Row(_("Update"), Transition(UpdateScreen(settings)), self.here)


class InstallUpdate(MachineAction, frozen=True):
    """Action: look for a newer version of the program, and install it."""

    answered_later = True


class UpdateScreen(OpenedScreen, frozen=True):
    """What came of an update, and the question whether to look for one."""

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return what is known, and the key for the next step; without an installation, the screen before."""
        update = context.machine.get(UpdateStatus)
        if update is None:
            return self.before.show(context)
        keys: tuple[Choice, ...] = ()
        if update.stage is UpdateStage.AT_WORK:
            foot, unknown = _("* back"), _("* goes back")
        elif update.stage is UpdateStage.UNKNOWN:
            foot, unknown = _("# yes   * back"), _("# installs it, * goes back")
            keys = (Choice("install", _("install"), lambda: Transition(self, InstallUpdate()), "#"),)
        else:
            foot, unknown = _("# look   * back"), _("# looks again, * goes back")
            keys = (Choice("look", _("look"), lambda: Transition(self, InstallUpdate()), "#"),)
        return sentences(self, _("Update"), said(update), keys, foot, unknown)


def said(update: UpdateStatus) -> tuple[Text, ...]:
    look = _("Look at drives and at the address, and install what is newer?")
    match update.stage:
        case UpdateStage.AT_WORK:
            return (_("Looking and installing takes some minutes"), _("You can play on meanwhile"))
        case UpdateStage.NOTHING_NEWER:
            return (_("Nothing newer was found"), _("This box has {version}", version=update.here))
        case UpdateStage.FAILED:
            return (fault_text(update.fault),)
        case _:
            return (_("This box has {version}", version=update.here), look)


def fault_text(kind: str) -> Text:
    return FAULTS.get(kind, OTHER)
