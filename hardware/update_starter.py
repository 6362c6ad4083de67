"""Updates of the box: a unit of systemd that root runs, and that this program may start (`companion.cli.update`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.inputs import Notice
from companion.app.ports import Clock, DeviceError
from companion.installation.places import InstallationPaths, version_of
from companion.ui.screens.context import MachineAction
from companion.ui.screens.devices import InstallUpdate, UpdateStage, UpdateStatus, fault_text
from companion.ui.translations import _

if TYPE_CHECKING:
    from subprocess import Popen

UNIT = "companion-update.service"
WAIT = 0.5  # seconds between two looks whether the system has done its work
UNITS = Path("/usr/lib/systemd/system")


class SystemdUpdater:
    """Lets systemd install a newer version (`companion.app.machine.Feature`), which starts this program again.

    The unit leaves one word about what came of it in the file `outcome`.
    """

    def __init__(self, clock: Clock, here: str, outcome: Path) -> None:
        self._clock = clock
        self._outcome = outcome
        self._running: Popen[bytes] | None = None
        self._before: int | None = None  # when the word of the update before was written
        self.status = UpdateStatus(here)  # how far the update is
        self.due: float | None = None  # when to see whether the system has done its work; None while it is not at work

    def do(self, action: MachineAction) -> None:
        """Begin an update, unless the system is at work; raise DeviceError if systemd cannot be asked."""
        if not isinstance(action, InstallUpdate) or self.status.stage is UpdateStage.AT_WORK:
            return
        self.start()
        self.status = UpdateStatus(self.status.here, UpdateStage.AT_WORK)
        self.due = self._clock.passed() + WAIT

    def tick(self) -> Notice | None:
        """Read the system's word when it has done its work; return the message about it."""
        word = self.word()
        if word is None:
            self.due = self._clock.passed() + WAIT
            return None
        self.due, here = None, self.status.here
        if word == "newest":
            self.status = UpdateStatus(here, UpdateStage.NOTHING_NEWER)
            return Notice(_("Nothing newer was found"))
        if word == "installed":
            self.status = UpdateStatus(here)
            return Notice(_("It is installed, and runs from the next start on"))
        self.status = UpdateStatus(here, UpdateStage.FAILED, word)
        return Notice(_("Not updated: {why}", why=fault_text(word)), refused=True)

    def start(self) -> None:
        """Start the unit, with a process that ends when the unit has; raise DeviceError if that cannot be done."""
        from subprocess import DEVNULL, Popen

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
            return self._outcome.read_text("ascii").strip()
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
