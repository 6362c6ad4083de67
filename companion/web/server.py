"""The page's HTTP server: frames go out as server-sent events, keys, texts and requests come in.

Only this package imports Starlette and uvicorn, and only when a page is wanted. The server runs on a thread of its
own, sleeps between requests and makes no decisions: it hands over input and shows the frames it is given.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from pathlib import Path
from typing import Any

import uvicorn

from companion.ui.keys import KEYPAD, KeyLayout

from .addresses import local_url, loopback, own_names, url_of
from .host_checks import HostCheck
from .http_limits import connections
from .limits import Limits
from .loop_requests import Put
from .page_mirror import PageMirror
from .phone_checks import NoPhones, PhoneDirectory
from .site import Site

__all__ = ["PageFault", "PageMirror", "Server", "serve"]

GRACE = 1.0
"""Seconds that open connections get to finish when the server stops."""

UNHEARD = 30_000
"""Milliseconds without acknowledgement before a client is dropped, such as a phone that left the network."""

ROOM = 32_768
"""Size in bytes of the kernel's send and receive buffers for each client."""


class PageFault(OSError):
    """The page cannot be served; the message says why and what to do."""


class _Uvicorn(uvicorn.Server):
    """uvicorn without its ten wake-ups a second: it sleeps until a request or a stop."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self.site = site
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leave: asyncio.Event | None = None

    async def main_loop(self) -> None:
        """Wait until ``leave`` is called, instead of polling ten times a second."""
        self._leave = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(_unhandled)
        self.ready.set()
        await self._leave.wait()

    def leave(self) -> None:
        """Ask the server to stop. Thread-safe, and may be called repeatedly."""
        if self._loop is not None and self._leave is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._leave.set)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, give other requests ``GRACE`` seconds, then abort connections that are still open."""
        self.site.close()
        asyncio.get_running_loop().call_later(GRACE, self._hang_up)
        await super().shutdown(sockets)

    def _hang_up(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()


def _unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Ignore socket errors of clients that are gone; report everything else."""
    if not isinstance(context.get("exception"), OSError):
        loop.default_exception_handler(context)


class Server:
    """The page's server, running on a thread of its own.

    Attributes:
        url: Where browsers find it.
        local_url: Where browsers on this computer find it.
        port: The port.
    """

    def __init__(self, host: str, port: int, inner: _Uvicorn, listening: socket.socket) -> None:
        self.url = url_of(host, port)
        self.local_url = local_url(host, port)
        self.port = port
        self._inner = inner
        self._thread = threading.Thread(target=self._run, args=(listening,), name="page", daemon=True)
        self._thread.start()
        inner.ready.wait()

    def _run(self, listening: socket.socket) -> None:
        try:
            with listening:
                asyncio.run(self._inner.serve([listening]))
        finally:
            self._inner.ready.set()  # even after an error, so that nobody waits for the start forever

    @property
    def listeners(self) -> int:
        """Return how many pages receive frames now."""
        return self._inner.site.listeners

    @property
    def connections(self) -> int:
        """Return how many connections are open now."""
        return len(self._inner.server_state.connections)

    def stop(self) -> None:
        """Begin to stop: streams end. The port is free once ``join`` has returned. May be called repeatedly."""
        self._inner.leave()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the server has stopped. Return whether it has."""
        self._thread.join(timeout)
        return not self._thread.is_alive()


def serve(
    host: str,
    port: int,
    put: Put,
    mirror: PageMirror,
    *,
    heartbeat: float = 15.0,
    board: KeyLayout = KEYPAD,
    limits: Limits | None = None,
    phones: PhoneDirectory | None = None,
    folder: Path | None = None,
) -> Server:
    """Serve the page until told to stop.

    Args:
        host: The address or name to listen on; ``0.0.0.0`` means every address of this computer.
        port: The port; 0 takes a free one.
        put: Called from the server's thread with each key, text or request from a page. It must return at once, and
            say whether it took the input.
        mirror: Supplies the frames.
        heartbeat: Seconds without data after which a stream sends an empty message.
        board: The board whose keys the page shows.
        limits: Time and size limits; None means the usual ones.
        phones: The paired phones; None means that only this computer uses the page.
        folder: The journal's folder, for the history; None if the journal is kept in memory.

    Raises:
        PageFault: The address or port is not available; no thread was started.
    """
    listening = _listen(host, port)
    address, port = listening.getsockname()[:2]
    limits = limits or Limits()
    site = Site(put, mirror, heartbeat, board, limits, phones or NoPhones(), folder)
    hosts = {host.lower(), address}
    if not loopback(address):
        hosts |= own_names()
    config = uvicorn.Config(
        HostCheck(site.app, frozenset(hosts)),
        http=connections(limits),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,  # uvicorn updates the date in the loop that is replaced here
        backlog=128,  # length of the queue of connections to accept
    )
    return Server(host, port, _Uvicorn(config, site), listening)


def _listen(host: str, port: int) -> socket.socket:
    """Open the listening socket.

    Raises:
        PageFault: The address or port is not available.
    """
    if not 0 <= port <= 65535:
        raise PageFault(f"there is no port {port}; choose one from 1 to 65535 with --port")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # "localhost" often has both kinds of address; prefer IPv4, which every browser tries
        family, *_, address = min(found, key=lambda info: info[0] != socket.AF_INET)
        listening = socket.create_server(address[:2], family=family)
    except (socket.gaierror, UnicodeError):
        raise PageFault(f"{host} is no address of this computer; choose another with --host") from None
    except OSError as error:
        raise PageFault(_why(error, host, port)) from error
    _bound(listening)
    return listening


def _bound(listening: socket.socket) -> None:
    """Limit the kernel's buffers and time-out for each client; accepted connections inherit these options.

    asyncio sets TCP_NODELAY only where the listening socket names its protocol, which `socket.create_server` does not.
    Without it, the second part of an answer waits 40 ms for an acknowledgement.
    """
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ROOM)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNHEARD)


def _why(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {port} is taken; choose another with --port"
        case errno.EACCES:
            return f"port {port} is not for ordinary users; choose one above 1023 with --port"
        case errno.EADDRNOTAVAIL:
            return f"{host} is no address of this computer; choose another with --host"
        case _:
            return f"the page cannot be served on {host}, port {port}: {error.strerror or error}"
