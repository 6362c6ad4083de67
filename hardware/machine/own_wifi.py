"""The box's own Wi-Fi: a unit of systemd that root runs, and that this program may start and stop.

NetworkManager opens the network. A script of root's (`systemd/networks.py`) makes its name and password once; here they
are only read.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from companion.app.inputs import Notice
from companion.app.ports import Clock
from companion.ui.keys import HOME
from companion.ui.pictures import qr_rows, wifi_text
from companion.ui.screens.contents import Contents, OpenedScreen, back_to, only_key
from companion.ui.screens.context import (
    Choice,
    MachineAction,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    Status,
    Transition,
    leave,
)
from companion.ui.translations import _
from companion.ui.view import Body, CodeBody, TextBody, View
from hardware.system import output_of

STARTS = 65.0  # seconds in which the network opens or ends: its unit may take 60

UNIT = "companion-wifi.service"
INSTALLED = Path("/usr/lib/systemd/system") / UNIT
RUNNING = Path("/run/companion-wifi")  # the unit's folder: it is there while the network is on, or about to be
NETWORK = Path("/var/lib/companion-wifi/network")  # the file with name and password; root writes it

NAMES = re.compile(r"(Companion-[A-Z0-9]{4})\n([a-z0-9]{10})\n[0-9a-f]{16}\n")
"""Its lines: name, password, and a check of the two for earlier versions."""


class OwnWifiStatus(Status, frozen=True):
    """Name and password of the own Wi-Fi, and whether it is on."""

    name: str
    password: str
    on: bool = False

    def row_of_phones(self, phones: Screen) -> Row:
        return Row(_("Own Wi-Fi"), Transition(OwnWifiScreen(phones)), _("on") if self.on else _("off"))


class SwitchWifi(MachineAction, frozen=True):
    """Action: switch the own Wi-Fi on or off."""

    answered_later = True
    on: bool


class OwnWifiScreen(OpenedScreen, frozen=True):
    """The box's own Wi-Fi: on or off, and the QR code with which phones join it."""

    def show(self, context: ScreenContext) -> ScreenContents:
        wifi = context.machine.get(OwnWifiStatus)
        assert wifi is not None  # the list has its row only then
        switch = _("switch off") if wifi.on else _("switch on")
        body: Body[object]
        if wifi.on:
            rows = qr_rows(wifi_text(wifi.name, wifi.password))
            body = CodeBody(_("Own Wi-Fi"), rows, (wifi.name, wifi.password))
        else:
            body = TextBody(
                _("Own Wi-Fi"),
                (_("The box opens a Wi-Fi for phones, and leaves the one at home. It ends by itself"),),
            )
        foot = _("# off  * back") if wifi.on else _("# on   * back")
        return Contents(
            self,
            View(body, foot),
            (
                Choice("switch", switch, lambda: Transition(self, SwitchWifi(not wifi.on)), "#"),
                back_to(self.before),
                only_key(str(HOME), lambda: leave(self)),
            ),
            _("# switches it on or off, * goes back"),
        )


class OwnWifi:
    """Switches the own Wi-Fi through systemd, and tells if it did not start (`companion.app.machine.Feature`).

    Without the installed unit, or without NetworkManager, the box cannot have a Wi-Fi of its own.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wanted = False  # what was asked for last; it counts until `due`, and then what the system has made of it
        self.due: float | None = None

    @property
    def status(self) -> OwnWifiStatus | None:
        """Return name, password and state; None if this box cannot have a Wi-Fi of its own."""
        names = self.names()
        return None if names is None else OwnWifiStatus(*names, self.runs() if self.due is None else self._wanted)

    def do(self, action: MachineAction) -> None:
        """Switch it; raise DeviceError if systemd refused."""
        if isinstance(action, SwitchWifi):
            self.switch(action.on)
            self._wanted, self.due = action.on, self._clock.passed() + STARTS

    def tick(self) -> Notice | None:
        """Say so if the network did not open."""
        if self.due is None or self.due > self._clock.passed():
            return None
        self.due = None
        failed = self._wanted and not self.runs()
        return Notice(_("The own Wi-Fi did not start"), refused=True) if failed else None

    def names(self) -> tuple[str, str] | None:
        """Return name and password; None if this box cannot have a Wi-Fi of its own."""
        return names_in(NETWORK) if INSTALLED.is_file() and shutil.which("nmcli") is not None else None

    def runs(self) -> bool:
        """Return whether the network is on, or about to be."""
        return RUNNING.is_dir()

    def switch(self, on: bool) -> None:
        """Begin to open or to end the network; raise DeviceError if systemd refused."""
        verb, failed = ("start", "cannot be started") if on else ("stop", "cannot be stopped")
        output_of(("systemctl", "--no-ask-password", "--no-block", verb, UNIT), f"The own Wi-Fi {failed}", "systemd")


def names_in(file: Path) -> tuple[str, str] | None:
    """Return name and password; None where there are none, or they are damaged: the next start makes others."""
    try:
        found = NAMES.fullmatch(file.read_text("utf-8", errors="replace"))
    except OSError:
        return None
    return None if found is None else (found[1], found[2])
