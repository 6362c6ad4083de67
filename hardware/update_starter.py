"""Updates of the box: two units of systemd that root runs, and that this program may start.

One looks at USB drives and at the address of the settings, the other installs what was found
(`companion.cli.update.update_from_menu`).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.app.inputs import Notice
from companion.app.ports import Clock, DeviceError
from companion.installation.found_update import FoundUpdate, read_found
from companion.installation.places import InstallationPaths, version_of
from companion.ui.screens.context import MachineAction
from companion.ui.screens.devices import InstallUpdate, LookForUpdate, UpdateStage, UpdateStatus, fault_text
from companion.ui.translations import _

if TYPE_CHECKING:
    from subprocess import Popen

LOOK = "companion-update-look.service"
INSTALL = "companion-update.service"
WAIT = 0.5  # seconds between two looks whether the system has done its work
UNITS = Path("/usr/lib/systemd/system")


class SystemdUpdater:
    """Looks for newer versions, and installs them, through systemd (`companion.app.machine.Feature`).

    The units write what they `found` into a file.
    """

    def __init__(self, clock: Clock, here: str, found: Path, systemctl: str = "systemctl") -> None:
        self._clock = clock
        self._found = found
        self._systemctl = systemctl
        self._running: Popen[bytes] | None = None
        self._installing = False
        self.status = UpdateStatus(here)  # how far the update is
        self.due: float | None = None  # when to see whether the system has done its work; None while it is not at work

    def do(self, action: MachineAction) -> None:
        """Begin to look, unless the system is at work, or begin to install the version that was found."""
        match action:
            case LookForUpdate() if not self.status.at_work:
                self._begin(self.look, UpdateStatus(self.status.here, UpdateStage.LOOKING))
            case InstallUpdate() if self.status.stage is UpdateStage.FOUND:
                self._begin(self.install, replace(self.status, stage=UpdateStage.INSTALLING))

    def _begin(self, begin: Callable[[], None], status: UpdateStatus) -> None:
        try:
            begin()
        except DeviceError:
            self.status = replace(status, stage=UpdateStage.FAILED, fault="other")
        else:
            self.status, self.due = status, self._clock.passed() + WAIT

    def tick(self) -> Notice | None:
        """Read the system's answer when it is there; return the message, if it has one."""
        outcome = self.outcome()
        if outcome is None:
            self.due = self._clock.passed() + WAIT
            return None
        before, self.due = self.status, None
        self.status = after = _after(before, outcome)
        if before.stage is not UpdateStage.INSTALLING:
            return Notice()
        if after.stage is UpdateStage.FAILED:
            return Notice(_("Not updated: {why}", why=fault_text(after.fault)), refused=True)
        return Notice(_("{version} is installed. It runs from the next start on", version=after.version))

    def look(self) -> None:
        """Begin to look; this returns at once. Raises DeviceError if systemd cannot be asked."""
        self._start(LOOK)
        self._installing = False

    def install(self) -> None:
        """Begin to install what was found. The package restarts this program.

        Raises DeviceError if systemd cannot be asked.
        """
        self._start(INSTALL)
        self._installing = True

    def outcome(self) -> FoundUpdate | None:
        """Return what was found or what failed; None while the unit runs. Why it failed is in the unit's log."""
        status = None if self._running is None else self._running.poll()
        if status is None:
            return None
        self._running = None
        if status == 0:
            return read_found(self._found)
        # A unit that installs says what failed. One that looks writes it and ends well, unless it could not start.
        failed = read_found(self._found).fault if self._installing else ""
        return FoundUpdate(fault=failed or "other")

    def _start(self, unit: str) -> None:
        """Start a unit, with a process that ends when the unit has."""
        from subprocess import DEVNULL, Popen

        command = (self._systemctl, "--no-ask-password", "start", unit)
        try:
            self._running = Popen(command, stdin=DEVNULL, stdout=DEVNULL)
        except OSError as error:
            raise DeviceError(f"{self._systemctl} cannot be run.") from error


def _after(status: UpdateStatus, outcome: FoundUpdate) -> UpdateStatus:
    """Return the status after the system has done what it was asked for."""
    if outcome.fault:
        return replace(status, stage=UpdateStage.FAILED, fault=outcome.fault)
    if status.stage is UpdateStage.INSTALLING:
        return replace(status, stage=UpdateStage.INSTALLED)
    if not outcome.version:
        return replace(status, stage=UpdateStage.NOTHING_NEWER)
    from urllib.parse import urlsplit  # nothing at the start needs it

    host = urlsplit(outcome.place).hostname
    place = host or PurePosixPath(outcome.place).parent.name
    return replace(status, stage=UpdateStage.FOUND, version=outcome.version, place=place, on_drive=not host)


def system_updater(clock: Clock, places: InstallationPaths | None = None, units: Path = UNITS) -> SystemdUpdater | None:
    """Return what updates this box; None where the program was not installed from the package."""
    places = places or InstallationPaths()
    here = version_of(places.current)
    if here is None or not (units / LOOK).is_file() or not (units / INSTALL).is_file():
        return None
    return SystemdUpdater(clock, here, places.found_update)
