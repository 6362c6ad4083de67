"""The command ``simulate``: runs the application as a page on this computer, without a device."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from companion.app.box import Box
from companion.app.loop import Inbox, Stop, run
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import SystemClock
from companion.app.terminal import say
from companion.web.page_mirror import PageMirror
from hardware.board import USUAL, load
from hardware.machine.usb_drive import UsbBackupDrive, UsbGames

from .common import InUseError, finish, folder, journal_in, with_data
from .serving import PageAddress, pairing_for, serve_page, stopped_by_signals

if TYPE_CHECKING:
    from companion.app.machine import Feature
    from companion.app.machine.phones import PhonePairing
    from companion.app.ports import Panel

MOST_READ = 65536  # bytes of a page that are looked through for its name
FIRST_PIN = 600.0  # seconds that the PIN printed at the start is valid


def simulate_arguments(one: ArgumentParser) -> None:
    with_data(one)
    one.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this computer only)")
    one.add_argument("--port", type=_port, default=8080, help="the port to listen on (default: 8080)")
    boards = f"(see hardware/boards; default: {USUAL})"
    one.add_argument("--board", metavar="NAME", default=USUAL, help=f"the board shown {boards}")
    one.add_argument("--oled", metavar="BUS", type=int, help="show the picture on an SSD1306 on this I2C bus too")
    one.add_argument("--club", action="store_true", help="be the box of a club, for `companion bridge`")
    one.add_argument("--open", action="store_true", help="open a browser where there is one")


def _port(written: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", written) or int(written) > 65535:
        raise ArgumentTypeError(f"{written!r} is not a port from 0 to 65535")
    return int(written)


def simulate(arguments: Namespace) -> int:
    """Serve the application as a page until told to stop."""
    board = load(arguments.board).keyed()
    inbox, clock, mirror = Inbox(), SystemClock(), PageMirror()
    with ExitStack() as stack:
        try:
            journal = stack.enter_context(journal_in(folder(arguments)))
        except InUseError:
            running = running_page(arguments.host, arguments.port) if arguments.open else None
            if running is None:
                raise
            say(f"Tabletop Companion runs already: {running}", flush=True)
            _open_browser(running)
            return 0
        outputs = Outputs(_oled(arguments.oled) or MemoryPanel(), clock, page=mirror)
        stack.callback(outputs.close)
        address = PageAddress(arguments.host, arguments.port)
        pairing = pairing_for(journal, clock, address)
        data = folder(arguments)
        machine: list[Feature] = [UsbBackupDrive(data, clock), UsbGames(data)]
        if arguments.club:
            from companion.app.machine.club_calls import ClubCalls

            machine.append(ClubCalls(journal, clock))
        box = Box(journal, outputs, clock, None, board=board, pairing=pairing, machine=machine)
        server = serve_page(stack, address, inbox, mirror, board=board, phones=pairing, folder=journal.path)
        stack.enter_context(stopped_by_signals(lambda: inbox.put(Stop())))
        own = server.local_url if pairing is None else f"{server.local_url}here/{pairing.own_secret}"
        say(f"Tabletop Companion: {own}  (Ctrl-C ends it; every entry is saved)", flush=True)
        if pairing is not None:
            pairing.keep_own()
            _invite(pairing)
            box.show_machine()
        if arguments.open:
            _open_browser(own)
        run(box, inbox, clock)
        return finish(box)


def _invite(pairing: PhonePairing) -> None:
    """Open a pairing unless phones are paired already, and print what to do on a phone."""
    if pairing.phones.phones:
        say("The paired phones go on by themselves; another one: Settings, Phones.", flush=True)
        return
    pin = pairing.host(FIRST_PIN)
    if not pairing.status.reachable:
        say("There is no network yet. The page /table shows address and code once there is one.", flush=True)
        return
    say(f"On a phone in the same network: {pairing.status.address}/join  PIN {pin}", flush=True)
    say("The page shows the next PIN when a phone has joined.", flush=True)


def _oled(bus: int | None) -> Panel | None:
    if bus is None:
        return None
    from hardware.panel import open_panel
    from hardware.panel_bus import PanelSpec

    return open_panel(PanelSpec(port=bus))


def running_page(host: str, port: int) -> str | None:
    """Return the address on this computer of a page that another process serves; None if none of ours answers."""
    from urllib.request import urlopen

    url = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{port}/"
    with suppress(OSError, ValueError), urlopen(url, timeout=5) as answer:
        return url if b"Tabletop Companion" in answer.read(MOST_READ) else None
    return None


def _open_browser(url: str) -> None:
    import webbrowser

    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)
