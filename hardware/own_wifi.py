"""The box's own Wi-Fi: a unit of systemd that root runs, and that this program may start and stop.

NetworkManager opens the network (`systemd/own-wifi.sh`). Its name and password are made once, and kept in a file.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from companion.app.ports import DeviceFault
from companion.ui.phones import OwnWifi

from .system_command import output_of

UNIT = "companion-wifi.service"
INSTALLED = Path("/usr/lib/systemd/system") / UNIT

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters that are not mistaken for each other."""

NAMES = re.compile(rb"(Companion-[A-Z0-9]{4})\n([a-z0-9]{8,20})\n")
"""The file with name and password."""


class SystemdWifi:
    """Switches the own Wi-Fi through systemd.

    Args:
        file: Where name and password are kept, a line each.
        unit: The installed unit; without it, or without NetworkManager, the box cannot have a Wi-Fi of its own.
        systemctl: The systemctl program.
        patience: Seconds to wait for its answer.
    """

    def __init__(self, file: Path, unit: Path = INSTALLED, systemctl: str = "systemctl", patience: float = 2.0) -> None:
        self._file = file
        self._unit = unit
        self._systemctl = systemctl
        self._patience = patience
        self._on = False

    def network(self) -> OwnWifi | None:
        """Return name, password and the state last seen; None if this box cannot have a Wi-Fi of its own."""
        if not self._unit.is_file() or shutil.which("nmcli") is None:
            return None
        try:
            return OwnWifi(*self._names(), self._on)
        except OSError:
            return None

    def switch(self, on: bool) -> None:
        """Start or stop the network; this only begins it.

        Raises:
            DeviceFault: systemd refused.
        """
        verb, failed = ("start", "cannot be started") if on else ("stop", "cannot be stopped")
        command = (self._systemctl, "--no-ask-password", "--no-block", verb, UNIT)
        output_of(command, f"The own Wi-Fi {failed}", "systemd", self._patience)
        self._on = on

    def look(self) -> None:
        """Ask systemd whether the network is on, or about to be; without an answer it counts as off."""
        command = (self._systemctl, "show", "--property=ActiveState", "--value", UNIT)
        self._on = False
        if self.network() is not None:
            with suppress(DeviceFault):
                state = output_of(command, "The own Wi-Fi cannot be asked for", "systemd", self._patience).strip()
                self._on = state in ("active", "activating", "reloading")

    def _names(self) -> tuple[str, str]:
        """Return name and password; make them at the first time, and where a pulled plug left the file damaged.

        Raises:
            OSError: They cannot be kept.
        """
        with suppress(FileNotFoundError):
            kept = NAMES.fullmatch(self._file.read_bytes())
            if kept is not None:
                return kept[1].decode(), kept[2].decode()
        name = "Companion-" + "".join(secrets.choice(LETTERS).upper() for _ in range(4))
        password = "".join(secrets.choice(LETTERS) for _ in range(10))
        new = self._file.with_name(f"{self._file.name}.new")
        with new.open("wb") as file:
            file.write(f"{name}\n{password}\n".encode())
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._file)
        return name, password
