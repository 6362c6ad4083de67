"""Updates of the box: their screen, and the unit of systemd that root runs and this program may start.

The unit runs `companion.cli.update`.
"""

from __future__ import annotations

from pathlib import Path
from subprocess import DEVNULL, Popen

from companion.app.inputs import Notice
from companion.app.ports import Clock, DeviceError
from companion.core.text import Text
from companion.installation.places import InstallationPaths, version_of
from companion.ui.screens.contents import OpenedScreen, sentences
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

UNIT = "companion-update.service"
UNITS = Path("/usr/lib/systemd/system")
WAIT = 0.5  # seconds between two looks whether the unit has ended

FAULTS = {
    "nowhere": _("Plug in a USB drive with the package, or set an address"),
    "address": _("The drive or address cannot be read, or has no packages"),
    "signature": _("It is damaged, or not signed by a release key"),
    "failed": _("That version failed on this box before"),
    "install": _("It cannot be installed. The box stays as it was"),
}
"""Why there is no update, by the word that `companion.cli.update` writes."""

OTHER = _("That failed. Its reason: sudo companion update")
NOTHING_NEWER = _("Nothing newer was found")
AT_WORK = "at work"


class UpdateStatus(Status, frozen=True):
    """This box's version, and what came of the last update."""

    here: str
    word: str = ""  # the word that the unit left; empty before it, and `AT_WORK` until it comes

    def row(self, settings: Screen) -> Row:
        return Row(_("Update"), Transition(UpdateScreen(settings)), self.here)


class InstallUpdate(MachineAction, frozen=True):
    """Action: look for a newer version of the program, and install it."""

    answered_later = True


class UpdateScreen(OpenedScreen, frozen=True):
    """Asks whether to look for a newer version and install it, or says how far that is and how it ended."""

    anew: bool = False  # whether it asks although an update has ended

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the question or the result; on a box that cannot be updated, the screen before."""
        update = context.machine.get(UpdateStatus)
        if update is None:
            return self.before.show(context)
        result = UpdateScreen(self.before)
        keys: tuple[Choice, ...] = ()
        told: tuple[Text, ...]
        here = _("This box has {version}", version=update.here)
        if update.word == AT_WORK:
            told = _("Looking and installing takes some minutes"), _("You can play on meanwhile")
            foot, unknown = _("* back"), _("* goes back")
        elif not update.word or self.anew:
            look = _("Look at drives and at the address, and install what is newer?")
            told, foot, unknown = (here, look), _("# yes   * back"), _("# installs it, * goes back")
            keys = (Choice("install", _("install"), lambda: Transition(result, InstallUpdate()), "#"),)
        else:
            newest = update.word == "newest"
            told = (NOTHING_NEWER, here) if newest else (FAULTS.get(update.word, OTHER),)
            foot, unknown = _("# look   * back"), _("# looks again, * goes back")
            keys = (Choice("look", _("look"), lambda: Transition(UpdateScreen(self.before, anew=True)), "#"),)
        return sentences(self, _("Update"), told, keys, foot, unknown)


class SystemdUpdater:
    """Lets systemd install a newer version (`companion.app.machine.Feature`), which starts this program again.

    The unit leaves one word about how it ended in the file `outcome`.
    """

    def __init__(self, clock: Clock, here: str, outcome: Path) -> None:
        self._clock = clock
        self._outcome = outcome
        self._running: Popen[bytes] | None = None
        self._before: int | None = None  # when the word of the update before was written
        self.status = UpdateStatus(here)  # how far the update is
        self.due: float | None = None  # when to see whether the unit has ended; None while it does not run

    def do(self, action: MachineAction) -> None:
        """Begin an update, unless the unit runs; raise DeviceError if systemd cannot be asked."""
        if isinstance(action, InstallUpdate) and self.status.word != AT_WORK:
            self.start()
            self.status = UpdateStatus(self.status.here, AT_WORK)
            self.due = self._clock.passed() + WAIT

    def tick(self) -> Notice | None:
        """Read the unit's word when it has ended; return the message about it."""
        word = self.word()
        if word is None:
            self.due = self._clock.passed() + WAIT
            return None
        self.due = None
        installed = word == "installed"  # this program goes on with the version before
        self.status = UpdateStatus(self.status.here, "" if installed else word)
        if installed:
            return Notice(_("It is installed, and runs from the next start on"))
        if word == "newest":
            return Notice(NOTHING_NEWER)
        return Notice(_("Not updated: {why}", why=FAULTS.get(word, OTHER)), refused=True)

    def start(self) -> None:
        """Start the unit, with a process that ends when the unit has; raise DeviceError if that cannot be done."""
        self._before = self._written()
        command = ("systemctl", "--no-ask-password", "start", UNIT)
        try:
            self._running = Popen(command, stdin=DEVNULL, stdout=DEVNULL)
        except OSError as error:
            raise DeviceError("systemctl cannot be run.") from error

    def word(self) -> str | None:
        """Return the word about an update that has ended, "other" if it left none; None while the unit runs."""
        if self._running is None or self._running.poll() is None:
            return None
        self._running = None
        if self._written() == self._before:
            return "other"
        try:
            return self._outcome.read_text("ascii").strip() or "other"
        except (OSError, ValueError):
            return "other"

    def _written(self) -> int | None:
        """Return when the word was written, in nanoseconds; None if there is none."""
        try:
            return self._outcome.stat().st_mtime_ns
        except OSError:
            return None


def system_updater(clock: Clock, places: InstallationPaths | None = None, units: Path = UNITS) -> SystemdUpdater | None:
    """Return what updates this box; None where the program was not installed from the package."""
    places = places or InstallationPaths()
    here = version_of(places.current)
    if here is None or not (units / UNIT).is_file():
        return None
    return SystemdUpdater(clock, here, places.update_outcome)
