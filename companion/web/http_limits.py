"""HTTP connections with deadlines for request and answer, and stricter header rules than h11's.

uvicorn has no such deadlines, and counts idle connections like active ones. Here, a new connection may replace one
that is waiting for its client: a stranger's first, so that strangers never take the connections of paired phones.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import IntEnum
from typing import Any, ClassVar

import h11
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from .addresses import loopback
from .error_answers import HEADERS, ErrorAnswer
from .limits import Limits, RecentAddresses

TOO_LARGE = 431
REFUSED = {TOO_LARGE: ErrorAnswer(TOO_LARGE, "The headers of the request are too large.")}
MALFORMED = ErrorAnswer(400, "This is no request that a browser would send.")
LOOSE = ErrorAnswer(400, "A line of the headers ends in CR LF, and is not continued on the next.")
TOO_SLOW = ErrorAnswer(408, "The request took too long.")


def connections(limits: Limits) -> type[asyncio.Protocol]:
    """Return the protocol class with which uvicorn handles each connection."""
    return type("LimitedConnection", (BoundedConnection,), {"limits": limits, "recent": RecentAddresses()})


class MalformedHeader(h11.RemoteProtocolError):
    """A header line ends in a bare LF or is continued on the next line."""


class StrictHttp(h11.Connection):
    """h11's parser; also refuses header lines that proxies may interpret differently."""

    _LOOSE = re.compile(rb"(?<!\r)\n|\n[ \t]")

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return the next event of the connection.

        Raises:
            h11.RemoteProtocolError: The input is not HTTP, or its headers break the stricter rules.
        """
        if self.their_state is h11.IDLE and self._LOOSE.search(self.trailing_data[0].partition(b"\r\n\r\n")[0]):
            raise MalformedHeader("loosely written headers")
        return super().next_event()


class Deadline:
    """A timer: calls a function unless cancelled first."""

    def __init__(self, seconds: float, do: Callable[[], object]) -> None:
        self._seconds = seconds
        self._do = do
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Start the timer if it is not running."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._do)

    def call_off(self) -> None:
        """Cancel the call."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class ConnectionRank(IntEnum):
    """Whose connection it is; one of the least is replaced first."""

    STRANGER = 0
    """Nothing is known of it."""
    KNOWN_ADDRESS = 1
    """It comes from this computer, or from an address from which a paired phone lately sent a request."""
    PAIRED = 2
    """A paired phone sent a request over it."""


class BoundedConnection(H11Protocol):
    """An HTTP connection with deadlines.

    Attributes:
        limits: Time and size limits.
        recent: The addresses of paired phones.
        standing: Whose connection it is.
        waiting_since: When the server began to wait for the client: for a whole request, for it to read its answer, or
            for it to disconnect. None while the client waits for the server.
    """

    limits: ClassVar[Limits] = Limits()
    recent: ClassVar[RecentAddresses] = RecentAddresses()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = StrictHttp(h11.SERVER)
        self._serve, self.app = self.app, self._served
        self.rank = ConnectionRank.STRANGER
        self.waiting_since: float | None = None
        self._asked = Deadline(self.limits.request_within, self._too_slow)
        self._taken = Deadline(self.limits.taken_within, self._abort)
        self._parting = Deadline(self.limits.heard_out, self._abort)

    # callbacks from asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for a request. If there are too many connections, drop a stranger's, or the one waiting longest."""
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(high=0)  # any unread byte pauses writing
        super().connection_made(DrainingTransport(transport, self._unread, self._parting))
        self._watch()
        if loopback(self._address) or self._address in self.recent:
            self.rank = ConnectionRank.KNOWN_ADDRESS
        if self.rank is ConnectionRank.STRANGER and len(self.connections) > self.limits.connections // 2:
            same = [one for one in self._open if one.rank is ConnectionRank.STRANGER and one._address == self._address]
            if len(same) > self.limits.connections_each:
                self._drop_one(same)
        if len(self.connections) > self.limits.connections:
            self._drop_one(self._open)

    def data_received(self, data: bytes) -> None:
        """Handle received bytes, unless the connection is closing."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._watch()

    def pause_writing(self) -> None:
        """Start the deadline for the client to read its answer."""
        super().pause_writing()
        self._taken.begin()
        self._watch()

    def resume_writing(self) -> None:
        """Stop that deadline: the client reads again."""
        self._taken.call_off()
        super().resume_writing()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel all deadlines."""
        super().connection_lost(exc)
        for deadline in (self._asked, self._taken, self._parting):
            deadline.call_off()

    # callbacks from uvicorn

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._watch()

    def shutdown(self) -> None:
        """Close the connection once the current request is answered."""
        if not self.transport.is_closing():
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Refuse a malformed request."""
        fault = sys.exc_info()[1]
        if isinstance(fault, MalformedHeader):
            self._refuse(LOOSE)
        else:
            self._refuse(REFUSED.get(getattr(fault, "error_status_hint", 400), MALFORMED))

    # waiting for a request

    def _unread(self) -> bool:
        """Return whether the client may still be sending."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY, h11.ERROR)

    def _watch(self) -> None:
        """Update `waiting_since`, and start or stop the deadline for the request."""
        asked = not self.transport.is_closing() and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)
        if asked:
            self._asked.begin()
        else:
            self._asked.call_off()
        if not (asked or self.flow.write_paused or self.transport.is_closing()):
            self.waiting_since = None
        elif self.waiting_since is None:
            self.waiting_since = self.loop.time()

    def _too_slow(self) -> None:
        """Abort a connection that sent nothing; send others the reason."""
        if self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            self.transport.abort()
        else:
            self._refuse(TOO_SLOW)

    def _abort(self) -> None:
        self.transport.abort()

    # too many connections

    async def _served(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request that can tell this connection that a paired phone sent it."""
        scope["phone_connected"] = self._paired
        await self._serve(scope, receive, send)

    def _paired(self) -> None:
        """Note that a paired phone sent a request."""
        self.rank = ConnectionRank.PAIRED
        self.recent.note(self._address)

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def _open(self) -> list[BoundedConnection]:
        """Return all connections, this one included."""
        return [one for one in self.connections if isinstance(one, BoundedConnection)]

    def _drop_one(self, among: Iterable[BoundedConnection]) -> None:
        """Close a connection of the least standing: the one that has waited longest for its client, if one waits."""
        least = min(
            among,
            key=lambda one: (one.rank, one.waiting_since is None, one.waiting_since or 0.0),
            default=self,
        )
        self.connections.discard(least)  # at once: more connections may come before it has closed
        least.transport.abort()

    def _refuse(self, refusal: ErrorAnswer) -> None:
        """Send an error answer unless an answer has begun, and close the connection."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # lets a handler that still reads the request know that it ends here
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            text = refusal.sentence.encode()
            headers = {
                "Content-Type": "text/plain; charset=utf-8",
                "Content-Length": str(len(text)),
                **HEADERS,
                **refusal.headers,
            }
            for event in (
                h11.Response(status_code=refusal.status, headers=list(headers.items()), reason=b""),
                *(() if self._headless() else (h11.Data(data=text),)),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
        self._watch()

    def _headless(self) -> bool:
        """Return whether the unanswered request is a HEAD request."""
        unanswered = self.cycle is not None and not self.cycle.response_complete
        return unanswered and self.scope["method"] == "HEAD"


class DrainingTransport(asyncio.Transport):
    """A transport that reads what the client still sends before it closes.

    TCP resets a connection that is closed with unread input, and the client might then never read the answer. So
    remaining input is read and discarded, until the client has finished or a deadline has passed.
    """

    def __init__(self, inner: asyncio.Transport, unread: Callable[[], bool], moment: Deadline) -> None:
        super().__init__()
        self._inner = inner
        self._unread = unread
        self._closing = False
        self._moment = moment

    def close(self) -> None:
        """Stop writing, and close once the client has finished sending."""
        if self.is_closing():
            return
        self._closing = True
        if self._unread():
            with suppress(OSError):  # the client is gone already
                self._inner.write_eof()
            self._inner.resume_reading()
            self._moment.begin()
        else:
            self._inner.close()

    def is_closing(self) -> bool:
        """Return whether nothing more can be written."""
        return self._closing or self._inner.is_closing()

    def abort(self) -> None:
        """Close at once."""
        self._inner.abort()

    def write(self, data: Any) -> None:
        """Write bytes, unless the transport is closing."""
        if not self.is_closing():
            self._inner.write(data)

    def pause_reading(self) -> None:
        """Stop reading for now."""
        if not self._closing:
            self._inner.pause_reading()

    def resume_reading(self) -> None:
        """Read again."""
        self._inner.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return a property of the connection."""
        return self._inner.get_extra_info(name, default)
