"""Updates of the box: two units of systemd that root runs, and that this program may start.

One looks at USB drives and at the address of the settings, the other installs what was found
(`companion.cli.update.update_from_menu`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.ports import DeviceError
from companion.installation.found_update import FoundUpdate, read_found
from companion.installation.places import InstallationPaths, version_of

if TYPE_CHECKING:
    from subprocess import Popen

LOOK = "companion-update-look.service"
INSTALL = "companion-update.service"
UNITS = Path("/usr/lib/systemd/system")


class SystemdUpdater:
    """Looks for newer versions, and installs them, through systemd.

    The units write what they `found` into a file.
    """

    def __init__(self, here: str, found: Path, systemctl: str = "systemctl") -> None:
        self._here = here
        self._found = found
        self._systemctl = systemctl
        self._running: Popen[bytes] | None = None
        self._installing = False

    @property
    def here(self) -> str:
        return self._here

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


def system_updater(places: InstallationPaths | None = None, units: Path = UNITS) -> SystemdUpdater | None:
    """Return what updates this box; None where the program was not installed from the package."""
    places = places or InstallationPaths()
    here = version_of(places.current)
    if here is None or not (units / LOOK).is_file() or not (units / INSTALL).is_file():
        return None
    return SystemdUpdater(here, places.found_update)
