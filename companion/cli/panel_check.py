"""``companion doctor --panel``: shows the test picture, asks on the command line, and tries the other controller."""

from __future__ import annotations

import select
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from companion.app.ports import DeviceError, Panel, SystemClock
from companion.app.terminal import say
from companion.journal.act_as_owner import as_owner_of
from companion.ui.panel import draw
from companion.ui.translations import languages
from companion.ui.view import TestPictureBody, View
from hardware.device_factory import DeviceFactory
from hardware.gpio_chips import CONSUMER, busy
from hardware.owner_settings import Settings, load
from hardware.system import answer

from .common import WRONG, CommandError

PATIENCE = 60.0  # seconds to answer
SERVICE = "companion.service"

Ask = Callable[[str], str]  # asks a question; returns the answer, empty if none comes in time


def check_panel(config: Path | None, data: Path, ask: Ask | None = None) -> int:
    """Show the test picture until somebody says that it is whole; keep the controller that made it so.

    The choice is kept in the journal's folder. Without ``ask`` the terminal is asked. Returns the exit
    status: 0 if the panel is right, else 1.
    """
    settings = load(config, languages)
    _refuse_beside_another(settings)
    devices = DeviceFactory(settings, data)
    try:
        with closing(devices), closing(devices.panel()) as panel:
            return _test(devices, panel, ask or _ask, data)
    except DeviceError as fault:
        reason = str(fault).rstrip(".")
        raise CommandError(f"{reason}: sudo companion doctor says what to look at") from None


def _refuse_beside_another(settings: Settings) -> None:
    """Refuse while another program draws on the panel: the service, or another companion."""
    if answer("systemctl", "is-active", SERVICE) == "active":
        stop, start = (f"sudo systemctl {verb} {SERVICE}" for verb in ("stop", "start"))
        raise CommandError(f"the service draws on the panel: {stop}, then ask again; afterwards {start}")
    try:
        holders = busy(settings.board.used().values())
    except (ImportError, OSError):
        return  # whether the pins can be had, the plain doctor says
    if CONSUMER in holders.values():
        raise CommandError("another companion uses this board: end it first")


def _test(devices: DeviceFactory, panel: Panel, ask: Ask, data: Path) -> int:
    pair = devices.controllers(SystemClock())
    question = "Is the frame on the panel whole, with a line at each edge? 1: yes, 2: no "

    def whole() -> bool | None:
        """Show the picture, and return the answer; None if there is none."""
        if pair is not None:
            pair.blacken()
        panel.show(draw(View(TestPictureBody(("Is the frame whole?", "1: yes   2: no")))))
        return {"1": True, "2": False}.get(ask(question))

    answer = whole()
    if answer:
        say("The panel is set right.")
        return 0
    if pair is None or answer is None:
        say("Nothing was changed. sudo companion doctor says what else to look at.")
        return WRONG
    say(f"The other controller, {pair.other}:")
    pair.exchange()
    if not whole():
        say(f"It stays {pair.other}. Look at the panel's wires; sudo companion doctor says more.")
        return WRONG
    try:
        with as_owner_of(data):
            pair.keep()
    except DeviceError as fault:
        raise CommandError(f"{fault} Ask with sudo, or write chip into the settings") from None
    say(f"From now on the box drives the panel as {pair.used}.")
    return 0


def _ask(question: str) -> str:
    """Ask on the terminal until 1 or 2 is answered; return an empty text if nothing comes in time."""
    while True:
        say(question, end="", flush=True)
        ready, _writable, _broken = select.select([sys.stdin], [], [], PATIENCE)
        answer = sys.stdin.readline() if ready else ""
        if not answer or answer.strip() in ("1", "2"):
            say()
            return answer.strip()
