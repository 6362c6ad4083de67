"""The page's HTTP server: frames go out as server-sent events, keys, texts and requests come in.

Only this package imports Starlette and uvicorn, and only when a page is wanted. The server runs on a thread of its
own, sleeps between requests and makes no decisions: it hands over input and shows the frames it is given.
"""

from __future__ import annotations

import asyncio
import math
import socket
import threading
from pathlib import Path
from typing import Any

import uvicorn

from companion.ui.keys import KEYPAD, KeyLayout

from .access import LARGEST_HEADERS, HostCheck, NoPhones, PhoneDirectory
from .addresses import local_url, loopback, own_names, url_of
from .limits import BACKLOG, Connections, Limits, PageNotServedError, listen
from .page_mirror import PageMirror
from .requests import Put
from .site import Site

__all__ = ["PageMirror", "PageNotServedError", "Server", "serve"]

GRACE = 1.0  # seconds that open connections get to finish when the server stops


class Server(uvicorn.Server):
    """The page's server on a thread of its own; it sleeps until a request or a stop."""

    def __init__(self, host: str, config: uvicorn.Config, site: Site, listening: socket.socket) -> None:
        """Begin to serve on a listening socket; return once requests are answered."""
        super().__init__(config)
        self.port = int(listening.getsockname()[1])
        self.url = url_of(host, self.port)  # where browsers find it
        self.local_url = local_url(host, self.port)  # where browsers on this computer find it
        self._site = site
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._serve_on, args=(listening,), name="page", daemon=True)
        self._thread.start()
        self._ready.wait()

    def _serve_on(self, listening: socket.socket) -> None:
        try:
            with listening:
                asyncio.run(self.serve([listening]))
        finally:
            self._ready.set()  # even after an error, so that nobody waits for the start forever

    async def main_loop(self) -> None:
        """Wait until ``stop`` is called, instead of polling ten times a second."""
        self._stopping = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(_unhandled)
        self._ready.set()
        await self._stopping.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, give other requests ``GRACE`` seconds, then abort connections that are still open."""
        self._site.close()
        asyncio.get_running_loop().call_later(GRACE, self._hang_up)
        await super().shutdown(sockets)

    def _hang_up(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    @property
    def listeners(self) -> int:
        """Return how many pages receive frames now."""
        return len(self._site.streams)

    @property
    def connections(self) -> int:
        return len(self.server_state.connections)

    def stop(self) -> None:
        """Begin to stop: streams end. The port is free once ``join`` has returned. May be called repeatedly."""
        if self._loop is not None and self._stopping is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._stopping.set)

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the server has stopped. Return whether it has."""
        self._thread.join(timeout)
        return not self._thread.is_alive()


def _unhandled(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Ignore socket errors of clients that are gone; report everything else."""
    if not isinstance(context.get("exception"), OSError):
        loop.default_exception_handler(context)


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
    early: bool = False,
) -> Server:
    """Serve the page until told to stop.

    Args:
        host: The address or name to listen on; ``0.0.0.0`` or ``::`` means every address of this computer.
        port: The port; 0 takes a free one.
        put: Called from the server's thread with each key, text or request from a page. It must return at once, and
            say whether it took the input.
        mirror: Supplies the frames.
        heartbeat: Seconds without data after which a stream sends an empty message.
        board: The board whose keys the page shows.
        limits: Time and size limits; None means the usual ones.
        phones: The paired phones; None means that only this computer uses the page.
        folder: The journal's folder, for the history; None if the journal is kept in memory.
        early: Whether the address may be one that this computer has not got yet, such as before its network is up.

    Raises:
        PageNotServedError: The address or port is not available; no thread was started.
    """
    listening = listen(host, port, early)
    address = listening.getsockname()[0]
    only_here = loopback(address)
    connections = Connections(limits or Limits(), only_here)
    hosts = {host.lower(), address}
    if not only_here:
        listening.may_connect = connections.may_connect
        hosts |= own_names()
    site = Site(put, mirror, heartbeat, board, phones or NoPhones(), connections, folder)
    config = uvicorn.Config(
        HostCheck(site.app, frozenset(hosts), connections),
        http=connections.protocol,  # type: ignore[arg-type]  # uvicorn only calls it
        h11_max_incomplete_event_size=LARGEST_HEADERS,
        timeout_keep_alive=math.ceil(connections.limits.timeout),
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,  # uvicorn updates the date in the loop that is replaced here
        backlog=BACKLOG,
    )
    return Server(host, config, site, listening)
