"""Starts the page's server beside the application, and the pairing of phones with it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from .common import missing_package

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
    from companion.ui.keys import KEYPAD

    try:
        from companion.web.server import serve
    except ModuleNotFoundError as error:
        raise missing_package(error) from None
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
