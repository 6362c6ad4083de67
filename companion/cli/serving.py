"""For commands that run until they are stopped: handles signals, serves the page, pairs phones."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from companion.app.terminal import say

from .common import missing_package, service_folder

if TYPE_CHECKING:
    from companion.app.loop import Inbox
    from companion.app.machine.phones import PhonePairing
    from companion.app.ports import Clock
    from companion.journal import Journal
    from companion.web.page_mirror import PageMirror
    from companion.web.server import Server


def said(sentence: str) -> None:
    """Print a sentence at once."""
    say(f"companion: {sentence}", flush=True)


SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def stopped_by_signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function on a separate thread when this process is told to stop.

    Python runs a signal handler in the main thread, and only between bytecodes. A thread that has just begun to wait
    for a key would miss the signal. So the signal is written to a socket that another thread reads.
    """
    reading, writing = socket.socketpair()
    writing.setblocking(False)
    thread = Thread(target=_pass_on, args=(reading, stop), name="signals", daemon=True)
    thread.start()
    handlers = {number: signal.signal(number, lambda *_: None) for number in SIGNALS}
    before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        writing.close()
        thread.join()
        reading.close()


def _pass_on(reading: socket.socket, stop: Callable[[], None]) -> None:
    while numbers := reading.recv(16):
        if any(number in SIGNALS for number in numbers):
            stop()


# The page


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


def serve_page(stack: ExitStack, address: PageAddress, inbox: Inbox, mirror: PageMirror, **more: Any) -> Server:
    """Serve the page until the context stack closes, and set the port of its address to the one taken.

    ``more`` is for `companion.web.server.serve`. Raises SentenceError if the page cannot be served.
    """
    try:
        from companion.web.server import serve
    except ModuleNotFoundError as error:
        raise missing_package(error) from None
    server = serve(address.host, address.port, inbox.put_of_page, mirror, **more)
    address.port = server.port
    stack.callback(server.join)
    stack.callback(server.stop)
    return server


TELEVISION = "television"
"""The file in the service's folder below /run that tells `companion-tv.service` address and cookie of the wall."""


def tell_television(page: str = "", secret: str = "", language: str = "") -> None:
    """Write the wall's address for the browser on this machine, and its cookie, in the format of Netscape's cookies.

    Only the service, its group and root may read it. Without a page, what the start before wrote is removed.
    """
    from companion.journal.disk import written_beside

    folder = service_folder("RUNTIME_DIRECTORY")
    if not folder:
        return
    file = Path(folder, TELEVISION)
    with suppress(OSError):  # there may be no room; a television is optional
        file.unlink(missing_ok=True)
        if page:
            with written_beside(file, 0o640) as writing:
                writing.write(f"# {page}wall?lang={language}\n{_cookie(page, secret)}".encode())


def _cookie(page: str, secret: str) -> str:
    """Return the line of the cookie with a secret; empty without one, where browsers on this computer need none."""
    from urllib.parse import urlsplit

    from companion.web.access import COOKIE

    return f"{urlsplit(page).hostname}\tFALSE\t/\tFALSE\t{2**32 - 1}\t{COOKIE}\t{secret}\n" if secret else ""
