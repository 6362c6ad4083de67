"""Starts the page's server beside the application, and the pairing of phones with it."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from .common import CommandError

if TYPE_CHECKING:
    from companion.app.loop import Inbox
    from companion.app.machine.phones import Pairing
    from companion.app.ports import Clock
    from companion.journal import Journal
    from companion.ui.keys import KeyLayout
    from companion.web.page_mirror import PageMirror
    from companion.web.server import Server


class PageAddress:
    """The page's address for phones, found anew at each call: a network may come up later.

    Attributes:
        host: The address that the page is served on.
        port: The port.
    """

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self.port = port

    def __call__(self) -> str:
        from companion.web.addresses import url_of

        return url_of(self.host, self.port).removesuffix("/")


def pairing_for(journal: Journal, clock: Clock, address: PageAddress) -> Pairing | None:
    """Return the pairing of phones with a page; None if only this computer reaches the page."""
    from companion.web.addresses import loopback

    if loopback(address.host.lower()):
        return None
    from companion.app.machine.phones import Pairing

    return Pairing(journal, clock, address)


def serve_page(
    stack: ExitStack,
    address: PageAddress,
    inbox: Inbox,
    mirror: PageMirror,
    board: KeyLayout | None = None,
    pairing: Pairing | None = None,
    folder: Path | None = None,
    early: bool = False,
) -> Server:
    """Serve the page until the context stack closes.

    Args:
        stack: Ends the server.
        address: Where to serve the page; its port is set to the one taken.
        inbox: The loop's queue.
        mirror: Supplies the frames.
        board: The board whose keys the page shows; None is the keypad.
        pairing: The paired phones; None if only this computer uses the page.
        folder: The journal's folder, for the history; None if the journal is kept in memory.
        early: Whether the page may begin before this computer has the address, such as before its network is up.

    Raises:
        CommandError: The page cannot be served.
    """
    try:
        from companion.app.web_queue import WebQueue
        from companion.ui.keys import KEYPAD
        from companion.web.server import PageError, serve
    except ModuleNotFoundError as error:
        raise missing_package("the page", error, "page") from None
    try:
        server = serve(
            address.host,
            address.port,
            WebQueue(inbox.put).put,
            mirror,
            board=board or KEYPAD,
            phones=pairing,
            folder=folder,
            early=early,
        )
    except PageError as fault:
        raise CommandError(str(fault)) from None
    address.port = server.port
    stack.callback(server.join)
    stack.callback(server.stop)
    return server


def missing_package(what: str, error: ModuleNotFoundError, extra: str) -> CommandError:
    """Return an error that names the missing package and the command that installs it for this Python."""
    import shlex  # only when something is missing

    pip = f"{shlex.quote(sys.executable)} -m pip install 'tabletop-companion[{extra}]'"
    return CommandError(f"{what} needs {error.name}; to install it: {pip}")
