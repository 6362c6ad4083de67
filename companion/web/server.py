"""The page's HTTP server: frames go out as server-sent events, keys and texts come in.

Starlette and uvicorn are imported by this package's modules alone, and those only when a page is wanted. The server
runs in a thread of its own beside the one that decides, sleeps while nobody asks anything of it, and decides
nothing: it puts what comes in, and shows what was shown.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from typing import Any

import uvicorn

from companion.ui.keys import KEYPAD, KeyLayout

from .host_checks import HostCheck, loopback
from .http_limits import connections
from .limits import Limits
from .page_mirror import PageMirror
from .site import Put, Site

__all__ = ["PageFault", "PageMirror", "Server", "serve"]

GRACE = 1.0
"""Seconds that open connections have to end when the server stops."""

UNHEARD = 30_000
"""Milliseconds after which a client that no longer hears anything, as a phone that left the network, is given up."""

ROOM = 32_768
"""Bytes that the kernel keeps of what one client sends or is sent."""


class PageFault(OSError):
    """The page cannot be served; the message says why and what to do."""


class _Uvicorn(uvicorn.Server):
    """uvicorn without its clock: it sleeps until it is asked for something or told to stop."""

    def __init__(self, config: uvicorn.Config, site: Site) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self.site = site
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leave: asyncio.Event | None = None

    async def main_loop(self) -> None:
        """Wait until ``leave`` is called, instead of looking ten times a second."""
        self._leave = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(_unhandled)
        self.ready.set()
        await self._leave.wait()

    def leave(self) -> None:
        """Ask the server to stop; from any thread, as often as one likes."""
        if self._loop is not None and self._leave is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._leave.set)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, give other requests a moment, and hang up on whoever does not read."""
        self.site.close()
        asyncio.get_running_loop().call_later(GRACE, self._hang_up)
        await super().shutdown(sockets)

    def _hang_up(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()


def _unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Pass over what a socket says of a client that is gone; anything else is a fault of ours."""
    if not isinstance(context.get("exception"), OSError):
        loop.default_exception_handler(context)


class Server:
    """The page's server, running on a thread of its own.

    Attributes:
        url: Where browsers find it.
    """

    def __init__(self, url: str, inner: _Uvicorn, listening: socket.socket) -> None:
        self.url = url
        self._inner = inner
        self._thread = threading.Thread(target=self._run, args=(listening,), name="page", daemon=True)
        self._thread.start()
        inner.ready.wait()

    def _run(self, listening: socket.socket) -> None:
        try:
            with listening:
                asyncio.run(self._inner.serve([listening]))
        finally:
            self._inner.ready.set()  # whatever happened, nobody waits for the start any more

    @property
    def listeners(self) -> int:
        """Return how many pages are shown the frames now."""
        return self._inner.site.listeners

    @property
    def connections(self) -> int:
        """Return how many connections are open now."""
        return len(self._inner.server_state.connections)

    def stop(self) -> None:
        """Begin to stop: streams end, the port is free once ``join`` has returned; can be called again."""
        self._inner.leave()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the server has stopped; tell whether it has."""
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
) -> Server:
    """Serve the page until it is told to stop.

    Args:
        host: The address or name to listen on; ``0.0.0.0`` is every address of this computer.
        port: The port; 0 takes a free one.
        put: Takes each key pressed and each text written on a page; called from the server's thread, returns at once
            whether it took it.
        mirror: What the page shows.
        heartbeat: Seconds after which a stream that has nothing to say says that.
        board: The board whose keys the page shows.
        limits: What the server bears, if not the usual.

    Raises:
        PageFault: The address or the port cannot be had; no thread was started.
    """
    listening = _listen(host, port)
    address, port = listening.getsockname()[:2]
    limits = limits or Limits()
    site = Site(put, mirror, heartbeat, board, limits)
    hosts = {host.lower(), address}
    if not loopback(address):
        # the names that phones on the same network know this computer by
        hosts |= {socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}
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
        date_header=False,  # refreshed by the clock that does not run here
        backlog=128,  # as many at once; more wait outside
    )
    return Server(_url(host, port), _Uvicorn(config, site), listening)


def _listen(host: str, port: int) -> socket.socket:
    """Open the socket that browsers connect to.

    Raises:
        PageFault: The address or the port cannot be had.
    """
    if not 0 <= port <= 65535:
        raise PageFault(f"there is no port {port}; choose one from 1 to 65535 with --port")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # "localhost" is often both; every browser tries the older one too
        family, *_, address = min(found, key=lambda info: info[0] != socket.AF_INET)
        listening = socket.create_server(address[:2], family=family)
    except (socket.gaierror, UnicodeError):
        raise PageFault(f"{host} is no address of this computer; choose another with --host") from None
    except OSError as error:
        raise PageFault(_why(error, host, port)) from error
    _bound(listening)
    return listening


def _bound(listening: socket.socket) -> None:
    """Bound what the kernel does for each client; connections inherit it."""
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


def _url(host: str, port: int) -> str:
    """Return the address to open; for a server on every address, one that others reach it by."""
    if host in ("0.0.0.0", "::", ""):
        host = _own_address()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _own_address() -> str:
    """Return this computer's address on the network it uses, or the loopback's if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address nobody has: it picks the way out, and sends nothing
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
