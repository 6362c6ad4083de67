"""Limits open connections by sender, and ends those whose requests or answers take too long.

uvicorn counts idle connections like busy ones, and has no deadline for a request that never ends or for a client that
never reads. Here a new connection may replace one that waits for its client: a stranger's first, so that strangers
never take the connections of paired phones.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from typing import ClassVar

import h11
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from .addresses import loopback
from .rate_limits import Limits, RateLimit, RecentAddresses, StrangerRate

Client = tuple[str, int]  # an address and a port; no two open connections have the same


class SenderTrust(IntEnum):
    """How far the sender of a connection is trusted; one of the lowest trust is replaced first."""

    STRANGER = 0  # nothing is known of it
    KNOWN_ADDRESS = 1  # a paired phone, or one that has the open pairing's link, lately asked from its address
    PAIRED = 2  # a paired phone sent a request over it


class OpenConnection:
    """An open connection: its transport, the trust in its sender, and its deadline."""

    def __init__(self, client: Client, transport: asyncio.Transport, rank: SenderTrust) -> None:
        self.client = client  # the client's address and port
        self.transport = transport  # the connection itself
        self.rank = rank  # how much it counts
        # When the server began to wait for the client: for a request, or for it to take its answer. None while the
        # client waits for the server.
        self.waiting_since: float | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._requests = 0  # two for a moment, if the next request came before the answer to this one

    def wait(self, within: float) -> None:
        """Wait for a request for some seconds, then end the connection."""
        if not self._requests and not self.transport.is_closing():
            loop = asyncio.get_running_loop()
            self.waiting_since = loop.time()
            self._deadline = loop.call_later(within, self.transport.abort)

    def stop_waiting(self) -> None:
        self.waiting_since = None
        if self._deadline is not None:
            self._deadline.cancel()

    @contextmanager
    def served(self, within: float) -> Iterator[None]:
        """Serve a request in the block, and wait for the next one after it."""
        self.stop_waiting()
        self._requests += 1
        try:
            yield
        finally:
            self._requests -= 1
            self.wait(within)

    @property
    def replacement_order(self) -> tuple[SenderTrust, bool, float]:
        """Return a sort key: the connection with the lowest is replaced first."""
        return self.rank, self.waiting_since is None, self.waiting_since or 0.0


class Connections:
    """All open connections of a server, and how often strangers connect and ask."""

    def __init__(self, limits: Limits, only_here: bool = False) -> None:
        """Begin without any; ``only_here`` means that only this computer reaches the page."""
        self._connection_rate, self._request_rate = StrangerRate(limits), StrangerRate(limits)
        self._limits = limits
        self._only_here = only_here
        self._known_addresses = RecentAddresses()
        self._known_rate = RateLimit(limits.phone_rate, limits.phone_burst)
        self._open: dict[Client, OpenConnection] = {}

    def may_connect(self, address: str) -> bool:
        return (self._known_rate if self._is_known(address) else self._connection_rate).take(address)

    def add(self, client: Client | None, transport: asyncio.Transport) -> None:
        """Take a connection, in place of another if there are too many; or end it."""
        if client is None:  # it has ended already
            transport.abort()
            return
        address = client[0]
        rank = SenderTrust.KNOWN_ADDRESS if self._is_known(address) else SenderTrust.STRANGER
        if rank is SenderTrust.STRANGER:
            strangers = [connection for connection in self._open.values() if connection.rank is SenderTrust.STRANGER]
            same = [connection for connection in strangers if connection.client[0] == address]
            if len(same) >= self._limits.strangers_each:
                self._replace(same)
            elif len(strangers) >= self._limits.strangers:
                self._replace(strangers)
        if len(self._open) >= self._limits.connections:
            self._replace(list(self._open.values()))
        transport.set_write_buffer_limits(high=0)  # a client that takes nothing is noticed at once
        self._open[client] = connection = OpenConnection(client, transport, rank)
        connection.wait(self._limits.request_timeout)

    def remove(self, client: Client | None) -> None:
        connection = None if client is None else self._open.pop(client, None)
        if connection is not None:
            connection.stop_waiting()

    def note_sender(self, scope: Scope, rank: SenderTrust) -> None:
        """Note whose connection a request came over."""
        client = _client(scope)
        self._known_addresses.note(client[0])
        if client in self._open:
            self._open[client].rank = max(self._open[client].rank, rank)

    def may_request(self, scope: Scope) -> bool:
        """Return whether a stranger's request is answered."""
        address = _client(scope)[0]
        return (self._known_rate if self._is_known(address) else self._request_rate).take(address)

    def get(self, scope: Scope) -> OpenConnection | None:
        return self._open.get(_client(scope))

    def _is_known(self, address: str) -> bool:
        return address in self._known_addresses or (self._only_here and loopback(address))

    def _replace(self, among: list[OpenConnection]) -> None:
        least = min(among, key=lambda connection: connection.replacement_order)
        self.remove(least.client)  # at once: more connections may come before it has closed
        least.transport.abort()


class LimitedConnection(H11Protocol):
    """uvicorn's connection, which asks `Connections` whether it may stay."""

    open: ClassVar[Connections]  # all open connections

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self.open.add(self.client, transport)

    def data_received(self, data: bytes) -> None:
        """Handle received bytes; what is no HTTP while an answer is under way ends the connection."""
        try:
            super().data_received(data)
        except h11.LocalProtocolError:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.open.remove(self.client)
        super().connection_lost(exc)


def limited_by(connections: Connections) -> type[LimitedConnection]:
    """Return the protocol class with which uvicorn handles each connection."""
    return type("LimitedConnection", (LimitedConnection,), {"open": connections})


class Deadlines:
    """ASGI middleware: ends a connection whose client does not finish its request, or does not take its answer."""

    def __init__(self, app: ASGIApp, connections: Connections, limits: Limits) -> None:
        self._app = app
        self._connections = connections
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = self._connections.get(scope)
        if connection is None:  # it was ended while the request was read, and uvicorn wants an answer all the same
            await Response(status_code=503)(scope, receive, send)
            return
        clock = asyncio.get_running_loop().time
        request_by, complete = clock() + self._limits.request_timeout, False

        async def received() -> Message:
            nonlocal complete
            if complete:  # what else may come is the end of the connection
                return await receive()
            try:
                async with asyncio.timeout_at(request_by):
                    message = await receive()
            except TimeoutError:
                connection.transport.abort()
                return {"type": "http.disconnect"}
            complete = not message.get("more_body", False)
            return message

        async def sent(message: Message) -> None:
            if connection.transport.is_closing():  # uvicorn has refused what came after the headers
                await asyncio.sleep(0)  # it notices the end, and misses no answer
                return
            connection.waiting_since = clock()
            try:
                async with asyncio.timeout(self._limits.write_timeout):
                    await send(message)
            except TimeoutError:
                connection.transport.abort()
            connection.waiting_since = None

        with connection.served(self._limits.request_timeout):
            await self._app(scope, received, sent)


def _client(scope: Scope) -> Client:
    host, port = scope.get("client") or ("", 0)
    return str(host), int(port)
