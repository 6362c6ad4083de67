"""The limits of the page's server in one table, and what holds them: rates, streams, connections and their deadlines.

uvicorn counts idle connections like busy ones, and has no deadline for a request that never ends or for a client that
never reads. Here a new connection may replace one that waits for its client: a stranger's first, so that strangers
never take the connections of paired phones.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import struct
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from enum import IntEnum
from functools import partial
from typing import Any

import h11
from msgspec import Struct
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.core.text import N_, SentenceError

from .addresses import loopback
from .error_answers import RequestError


class Rate(Struct, frozen=True):
    """A limit on how often something may happen: times a second, and the most at once after a pause."""

    each_second: float
    burst: int


class Limits(Struct, frozen=True):
    """The limits of one server."""

    # of paired phones and of this computer, each by itself
    phone: Rate = Rate(100, 300)  # requests; two hands and a held-down key send 30 a second
    history: Rate = Rate(2, 60)  # pages of the history; each reads the journal's folder
    role: Rate = Rate(0.2, 10)  # changes of the role; each is written to the disk
    streams: int = 64  # the most streams to all of them
    streams_each: int = 16  # the most streams to one

    # of strangers; connections and requests count apart
    stranger: Rate = Rate(5, 20)  # of one address
    strangers: Rate = Rate(50, 100)  # of all; the lower half of the burst is for newcomers
    newcomer: int = 8  # the number of times from which on an address is no newcomer
    guest_streams: int = 16  # the most streams to all who watch and are not paired
    guest_streams_each: int = 2  # the most streams to one address of theirs

    # open connections
    connections: int = 256  # the most; one more replaces a stranger's, or the one waited for longest
    stranger_connections: int = 32  # the most of strangers; one more replaces the one waited for longest
    stranger_connections_each: int = 8  # the most of one stranger's address
    timeout: float = 10.0  # seconds for a whole request, for the next one after an answer, and for taking a part of one


# Rates and streams

Clock = Callable[[], float]


class RateLimit:
    """A token bucket for each sender: a phone or an address.

    Senders silent for longest are forgotten first, to bound the memory; their buckets are usually full again by then.

    >>> seconds = iter((0.0, 0.0, 0.0, 1.0))
    >>> limit = RateLimit(Rate(1, burst=2), clock=lambda: next(seconds))
    >>> [limit.take("192.0.2.1") for _ in range(4)]
    [True, True, False, True]
    """

    MOST_SENDERS = 1024

    def __init__(self, rate: Rate, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens left, and when

    def take(self, sender: str = "", reserve: float = 0.0) -> bool:
        """Take a token from a sender's bucket if more than ``reserve`` stay in it; return whether one was taken."""
        now = self._clock()
        left, then = self._buckets.pop(sender, (float(self._rate.burst), now))
        left = min(self._rate.burst, left + (now - then) * self._rate.each_second)
        taken = left >= 1 + reserve
        self._buckets[sender] = (left - taken, now)
        if len(self._buckets) > self.MOST_SENDERS:
            self._buckets.popitem(last=False)
        return taken


class StrangerRate:
    """Limits the rate of strangers: for each address, and for all together, with a reserve for newcomers.

    Somebody with 250 addresses uses up the rate of all, but not the lower half of their bucket. An address that came
    seldom still gets through then: the more seldom it came, the more of that half it may use.
    """

    FORGET_AFTER = 600.0  # seconds after which an address that came no more is a newcomer again

    def __init__(self, limits: Limits, clock: Clock = time.monotonic) -> None:
        self._each, self._all = RateLimit(limits.stranger, clock), RateLimit(limits.strangers, clock)
        self._reserve = limits.strangers.burst / 2
        self._newcomer = limits.newcomer
        self._recent = RecentAddresses(self.FORGET_AFTER, clock)

    def take(self, address: str) -> bool:
        """Return whether an address may do this once more."""
        if not self._each.take(address):
            return False
        before = self._recent.note(address)
        return self._all.take("", self._reserve * min(1.0, before / self._newcomer))


class RecentAddresses:
    """Addresses that came lately, and how often. The oldest are forgotten, to bound the memory.

    >>> seconds = iter((0.0, 5.0, 20.0))
    >>> recent = RecentAddresses(forget_after=10, clock=lambda: next(seconds))
    >>> recent.note("192.0.2.1")
    0
    >>> ["192.0.2.1" in recent for _ in range(2)]
    [True, False]
    """

    MOST = 1024

    def __init__(self, forget_after: float = 3600.0, clock: Clock = time.monotonic) -> None:
        """Begin without any; each is kept for some seconds after it came last."""
        self._forget_after = forget_after
        self._clock = clock
        self._seen: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how often, and when last

    def note(self, address: str) -> int:
        """Note that an address came, and return how often it came lately before."""
        now = self._clock()
        count, then = self._seen.pop(address, (0, now))
        if now - then >= self._forget_after:
            count = 0
        self._seen[address] = (count + 1, now)
        if len(self._seen) > self.MOST:
            self._seen.popitem(last=False)
        return count

    def __contains__(self, address: str) -> bool:
        """Return whether an address came lately."""
        seen = self._seen.get(address)
        return seen is not None and self._clock() - seen[1] < self._forget_after


class StreamLimit:
    """A limit on open streams, in total and for each sender: those of guests apart from all others."""

    def __init__(self, limits: Limits) -> None:
        self._most = {
            False: (limits.streams, limits.streams_each),
            True: (limits.guest_streams, limits.guest_streams_each),
        }
        self._open: Counter[tuple[bool, str]] = Counter()

    def __len__(self) -> int:
        return self._open.total()

    @contextmanager
    def place(self, sender: str, guest: bool) -> Iterator[None]:
        """Hold one of the places while the block runs; raise RequestError if none is left."""
        total, each = self._most[guest]
        taken = sum(count for (other, _sender), count in self._open.items() if other is guest)
        if taken >= total or self._open[guest, sender] >= each:
            raise RequestError(429, N_("Too many pages are open; close one of them, then open this again."), again=10)
        self._open[guest, sender] += 1
        try:
            yield
        finally:
            self._open[guest, sender] -= 1
            self._open += Counter()  # forgets senders without streams


# Connections


class SenderTrust(IntEnum):
    """The trust in the sender of a connection. The connection of the lowest trust is replaced first."""

    STRANGER = 0  # nothing is known of it
    KNOWN_ADDRESS = 1  # a paired phone, or one that has the open pairing's link, lately asked from its address
    PAIRED = 2  # a paired phone sent a request over it


class LimitedConnection(H11Protocol):
    """uvicorn's connection, which ends when its client takes too long, or when others need its place."""

    def __init__(self, connections: Connections, **uvicorns: Any) -> None:
        super().__init__(**uvicorns)
        self._others = connections
        self._answer, self.app = self.app, self._serve
        self.trust = SenderTrust.STRANGER
        # When the server began to wait for the client: for a request, or for it to take its answer. None while the
        # client waits for the server.
        self.waiting_since: float | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._requests = 0  # two for a moment, if the next request came before the answer to this one

    @property
    def replacement_order(self) -> tuple[SenderTrust, bool, float]:
        """Return a sort key: the connection with the lowest is replaced first."""
        return self.trust, self.waiting_since is None, self.waiting_since or 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # a client that takes nothing is noticed at once
        self._others.add(self)

    def data_received(self, data: bytes) -> None:
        """Handle received bytes; what is no HTTP while an answer is under way ends the connection."""
        try:
            super().data_received(data)
        except h11.LocalProtocolError:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._others.remove(self)
        super().connection_lost(exc)

    def wait(self) -> None:
        """Wait for the client, and end the connection if it takes too long."""
        self.stop_waiting()
        if not self.transport.is_closing():
            self.waiting_since = self.loop.time()
            self._deadline = self.loop.call_later(self._others.limits.timeout, self.transport.abort)

    def stop_waiting(self) -> None:
        self.waiting_since = None
        if self._deadline is not None:
            self._deadline.cancel()

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, an ASGI application: wait for the rest of it, and for the client to take each part."""
        if self not in self._others:  # replaced while the request was read, and uvicorn wants an answer all the same
            await Response(status_code=503)(scope, receive, send)
            return
        scope["connection"] = self
        begun = complete = False

        async def received() -> Message:
            nonlocal begun, complete
            if not begun:  # one deadline for the whole request
                begun = True
                self.wait()
            message = await receive()  # says so if the deadline has ended the connection
            if not complete and not message.get("more_body", False):
                complete = True
                self.stop_waiting()
            return message

        async def sent(message: Message) -> None:
            if self.transport.is_closing():  # uvicorn has refused what came after the headers
                await asyncio.sleep(0)  # it notices the end, and misses no answer
                return
            self.wait()
            await send(message)
            if complete or not begun:
                self.stop_waiting()

        self.stop_waiting()
        self._requests += 1
        try:
            await self._answer(scope, received, sent)
        finally:
            self._requests -= 1
            if not self._requests and self in self._others:
                self.wait()


class Connections:
    """All open connections of a server, and how often strangers connect and ask."""

    def __init__(self, limits: Limits, only_here: bool = False) -> None:
        """Begin without any; ``only_here`` means that only this computer reaches the page."""
        self.limits = limits
        self.protocol = partial(LimitedConnection, self)  # makes uvicorn's handler of a connection
        self.only_here = only_here
        self._connects, self._asks = StrangerRate(limits), StrangerRate(limits)
        self._known = RateLimit(limits.phone)
        self._known_addresses = RecentAddresses()
        self._open: set[LimitedConnection] = set()

    def __contains__(self, connection: LimitedConnection) -> bool:
        return connection in self._open

    def may_connect(self, address: str) -> bool:
        return (self._known if self._is_known(address) else self._connects).take(address)

    def may_request(self, scope: Scope) -> bool:
        """Return whether a stranger's request is answered."""
        address = address_of(scope)
        return (self._known if self._is_known(address) else self._asks).take(address)

    def note_sender(self, scope: Scope, trust: SenderTrust) -> None:
        """Note whose connection a request came over."""
        self._known_addresses.note(address_of(scope))
        connection = scope.get("connection")
        if isinstance(connection, LimitedConnection):
            connection.trust = max(connection.trust, trust)

    def add(self, connection: LimitedConnection) -> None:
        """Take a connection, in place of another if there are too many; or end it."""
        if connection.client is None:  # it has ended already
            connection.transport.abort()
            return
        address = connection.client[0]
        if self._is_known(address):
            connection.trust = SenderTrust.KNOWN_ADDRESS
        else:
            strangers = [other for other in self._open if other.trust is SenderTrust.STRANGER]
            same = [other for other in strangers if other.client is not None and other.client[0] == address]
            if len(same) >= self.limits.stranger_connections_each:
                self._replace(same)
            elif len(strangers) >= self.limits.stranger_connections:
                self._replace(strangers)
        if len(self._open) >= self.limits.connections:
            self._replace(self._open)
        self._open.add(connection)
        connection.wait()

    def remove(self, connection: LimitedConnection) -> None:
        self._open.discard(connection)
        connection.stop_waiting()

    def _is_known(self, address: str) -> bool:
        return address in self._known_addresses or (self.only_here and loopback(address))

    def _replace(self, among: Collection[LimitedConnection]) -> None:
        least = min(among, key=lambda connection: connection.replacement_order)
        self.remove(least)  # at once: more connections may come before it has closed
        least.transport.abort()


def address_of(scope: Scope) -> str:
    """Return the client's address; empty if it has gone."""
    return str((scope.get("client") or ("",))[0])


# The listening socket

USER_TIMEOUT = 30_000
"""Milliseconds without acknowledgement before a client is dropped, such as a phone that left the network."""

ROOM = 32_768  # size in bytes of the kernel's send and receive buffers for each client
BACKLOG = 128  # the length of the queue of connections to accept
MOST_RESETS = 64  # the most connections that are reset before requests are served again

RESET_ON_CLOSE = struct.pack("ii", 1, 0)
"""The value of the option SO_LINGER with which a connection is reset when it is closed."""

FREEBIND = {socket.AF_INET: (socket.IPPROTO_IP, 15), socket.AF_INET6: (socket.IPPROTO_IPV6, 78)}
"""Linux's options IP_FREEBIND and IPV6_FREEBIND, which Python does not name."""


class PageNotServedError(SentenceError):
    """The page cannot be served; the message says why and what to do."""


class ListeningSocket(socket.socket):
    """A listening socket that resets the connections of addresses that connect too often, before they cost memory."""

    # returns whether another connection of an address is taken
    may_connect: Callable[[str], bool] = staticmethod(lambda _address: True)

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection that may stay; raise BlockingIOError if there is none now: asyncio asks again."""
        for _ in range(MOST_RESETS):
            made, address = super().accept()
            if self.may_connect(address[0]):
                return made, address
            made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            made.close()
        raise BlockingIOError


def listen(host: str, port: int, early: bool = False) -> ListeningSocket:
    """Open the listening socket; the arguments are those of `companion.web.server.serve`.

    Raises PageNotServedError if the address or port is not available.
    """
    if not 0 <= port <= 65535:
        raise PageNotServedError(f"there is no port {port}; choose one from 1 to 65535 with --port")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # "localhost" often has both kinds of address; prefer IPv4, which every browser tries
        family, *_, address = min(found, key=lambda info: info[0] != socket.AF_INET)
    except (socket.gaierror, UnicodeError):
        raise PageNotServedError(f"{host} is no address of this computer; choose another with --host") from None
    listening = ListeningSocket(family, socket.SOCK_STREAM)
    try:
        _set_options(listening, str(address[0]), early)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise PageNotServedError(_why(error, host, port)) from error
    return listening


def _set_options(listening: socket.socket, address: str, early: bool) -> None:
    """Set the options of the socket; accepted connections inherit those for a client.

    asyncio sets TCP_NODELAY only where the listening socket names its protocol. Without it, the second part of an
    answer waits 40 ms for an acknowledgement.
    """
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if listening.family is socket.AF_INET6:
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, address != "::")
    if early and hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        listening.setsockopt(*FREEBIND[listening.family], 1)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ROOM)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, USER_TIMEOUT)


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
