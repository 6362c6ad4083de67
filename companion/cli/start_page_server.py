"""Starts the page's server beside the application, and the pairing of phones with it."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from .common import CommandError

if TYPE_CHECKING:
    from companion.app.loop import Inbox
    from companion.app.machine.phones import PhonePairing
    from companion.app.ports import Clock
    from companion.journal import Journal
    from companion.ui.keys import KeyLayout
    from companion.web.page_mirror import PageMirror
    from companion.web.server import Server


class PageAddress:
    """The page's address for phones, found at each call: a network may come up later."""

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self.port = port

    def __call__(self) -> str:
        from companion.web.addresses import url_of

        return url_of(self.host, self.port).removesuffix("/")


def pairing_for(journal: Journal, clock: Clock, address: PageAddress) -> PhonePairing | None:
    """Return the pairing of phones with a page; None if only this computer reaches the page."""
    from companion.web.addresses import loopback

    if loopback(address.host.lower()):
        return None
    from companion.app.machine.phones import PhonePairing

    return PhonePairing(journal, clock, address)


def serve_page(
    stack: ExitStack,
    address: PageAddress,
    inbox: Inbox,
    mirror: PageMirror,
    board: KeyLayout | None = None,
    pairing: PhonePairing | None = None,
    folder: Path | None = None,
    early: bool = False,
) -> Server:
    """Serve the page until the context stack closes, and set the port of its address to the one taken.

    The other arguments are those of `companion.web.server.serve`. Raises SentenceError if the page cannot be served.
    """
    try:
        from companion.ui.keys import KEYPAD
        from companion.web.server import serve
    except ModuleNotFoundError as error:
        raise missing_package("the page", error, "page") from None
    server = serve(
        address.host,
        address.port,
        inbox.put_of_page,
        mirror,
        board=board or KEYPAD,
        phones=pairing,
        folder=folder,
        early=early,
    )
    address.port = server.port
    stack.callback(server.join)
    stack.callback(server.stop)
    return server


def missing_package(what: str, error: ModuleNotFoundError, extra: str) -> CommandError:
    """Return an error that names the missing package and the command that installs it for this Python."""
    import shlex  # only when something is missing

    pip = f"{shlex.quote(sys.executable)} -m pip install 'tabletop-companion[{extra}]'"
    return CommandError(f"{what} needs {error.name}; to install it: {pip}")
