"""The box's own Wi-Fi: a unit of systemd that root runs, and that this program may start and stop.

NetworkManager opens the network. Root's script (`systemd/own_wifi.py`) makes its name and password once; here they are
only read.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from contextlib import suppress
from pathlib import Path

from companion.app.inputs import Notice
from companion.app.ports import Clock, DeviceError
from companion.ui.screens.context import MachineAction
from companion.ui.screens.phones import OwnWifiStatus, ReadWifi, SwitchWifi
from companion.ui.translations import _

from .system_command import output_of

STARTS = 30.0  # seconds in which the own Wi-Fi starts

UNIT = "companion-wifi.service"
INSTALLED = Path("/usr/lib/systemd/system") / UNIT

NETWORK = Path("/var/lib/companion-wifi/network")  # the file with name and password; root writes it

NAMES = re.compile(rb"((Companion-[A-Z0-9]{4})\n([a-z0-9]{10})\n)([0-9a-f]{16})\n")
"""Its lines: name, password, and a check of the two."""


class SystemdWifi:
    """Switches the own Wi-Fi through systemd, and tells if it did not start (`companion.app.machine.Feature`).

    `file` has name and password. Without the installed unit, or without NetworkManager, the box cannot have a Wi-Fi of
    its own.
    """

    def __init__(
        self,
        clock: Clock,
        file: Path = NETWORK,
        unit: Path = INSTALLED,
        systemctl: str = "systemctl",
        patience: float = 2.0,
    ) -> None:
        self._clock = clock
        self._file = file
        self._unit = unit
        self._systemctl = systemctl
        self._patience = patience
        self._on = False
        self.due: float | None = None  # when it had time to start; None if it does not start now

    def do(self, action: MachineAction) -> None:
        """Switch it, or find out whether it is on; raise DeviceError if the system refused."""
        match action:
            case ReadWifi():
                self.look()
            case SwitchWifi(on):
                self.switch(on)
                self.due = self._clock.passed() + STARTS if on else None

    def tick(self) -> Notice | None:
        """Find out once more whether it is on."""
        if self.due is None or self.due > self._clock.passed():
            return None
        self.due = None
        self.look()
        network = self.status
        return None if network is not None and network.on else Notice(_("The own Wi-Fi did not start"), refused=True)

    @property
    def status(self) -> OwnWifiStatus | None:
        """Return name, password and the state last seen; None if this box cannot have a Wi-Fi of its own."""
        if not self._unit.is_file() or shutil.which("nmcli") is None:
            return None
        names = names_in(self._file)
        return None if names is None else OwnWifiStatus(*names, self._on)

    def switch(self, on: bool) -> None:
        """Start or stop the network; this only begins it. Raises DeviceError if systemd refused."""
        verb, failed = ("start", "cannot be started") if on else ("stop", "cannot be stopped")
        command = (self._systemctl, "--no-ask-password", "--no-block", verb, UNIT)
        output_of(command, f"The own Wi-Fi {failed}", "systemd", self._patience)
        self._on = on

    def look(self) -> None:
        """Ask systemd whether the network is on, or about to be; without an answer it counts as off."""
        command = (self._systemctl, "show", "--property=ActiveState", "--value", UNIT)
        self._on = False
        if self.status is not None:
            with suppress(DeviceError):
                state = output_of(command, "The own Wi-Fi cannot be asked for", "systemd", self._patience).strip()
                self._on = state in ("active", "activating", "reloading")


def names_in(file: Path) -> tuple[str, str] | None:
    """Return name and password; None where there are none, or they are damaged: the next start makes others."""
    try:
        kept = NAMES.fullmatch(file.read_bytes())
    except OSError:
        return None
    if kept is None or hashlib.sha256(kept[1]).hexdigest()[:16] != kept[4].decode():
        return None
    return kept[2].decode(), kept[3].decode()
