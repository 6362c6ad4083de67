"""HTTP connections with deadlines for request and answer, and stricter header rules than h11's.

uvicorn bounds neither, and counts a connection that says nothing like one that does. Here one who says nothing,
or takes nothing, holds no place: the next to come has it.
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .error_answers import HEADERS, ErrorAnswer
from .limits import Limits

TOO_LARGE = 431
REFUSED = {TOO_LARGE: ErrorAnswer(TOO_LARGE, "The headers of the request are too large.")}
MALFORMED = ErrorAnswer(400, "This is no request that a browser would send.")
LOOSE = ErrorAnswer(400, "A line of the headers ends in CR LF, and is not continued on the next.")
TOO_SLOW = ErrorAnswer(408, "The request took too long.")


def connections(limits: Limits) -> type[asyncio.Protocol]:
    """Return what uvicorn is to make of every connection."""
    return type("LimitedConnection", (BoundedConnection,), {"limits": limits})


class MalformedHeader(h11.RemoteProtocolError):
    """A header line ends in a bare LF or is continued on the next line."""


class StrictHttp(h11.Connection):
    """h11's parser, stricter about header lines that proxies may read otherwise."""

    _LOOSE = re.compile(rb"(?<!\r)\n|\n[ \t]")

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """Return what came next.

        Raises:
            h11.RemoteProtocolError: It is no HTTP, or its headers are loosely written.
        """
        if self.their_state is h11.IDLE and self._LOOSE.search(self.trailing_data[0].partition(b"\r\n\r\n")[0]):
            raise MalformedHeader("loosely written headers")
        return super().next_event()


class Deadline:
    """A call that is made at a time unless it is cancelled."""

    def __init__(self, seconds: float, do: Callable[[], object]) -> None:
        self._seconds = seconds
        self._do = do
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Let the time begin, if it has not."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._do)

    def call_off(self) -> None:
        """Let it not be done."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class BoundedConnection(H11Protocol):
    """An HTTP connection with deadlines.

    Attributes:
        limits: How long it may take.
        waiting_since: When it began to wait for the client: to send a whole request, to take its answer, or to leave;
            None while the client waits for an answer.
    """

    limits: ClassVar[Limits] = Limits()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.conn = StrictHttp(h11.SERVER)
        self.waiting_since: float | None = None
        self._asked = Deadline(self.limits.request_within, self._too_slow)
        self._taken = Deadline(self.limits.taken_within, self._abort)
        self._parting = Deadline(self.limits.heard_out, self._abort)

    # what asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request, in somebody else's place if there is no other."""
        assert isinstance(transport, asyncio.Transport)
        transport.set_write_buffer_limits(high=0)  # whatever is not taken at once is waited for
        super().connection_made(ClosingTransport(transport, self._unread, self._parting))
        self._watch()
        if len(self.connections) > self.limits.connections:
            longest = self._longest_waiting()
            self.connections.discard(longest)  # at once: others may come before it is gone
            longest.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read on, unless nothing more is read."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._watch()

    def pause_writing(self) -> None:
        """Begin to wait until the client has taken what it was sent."""
        super().pause_writing()
        self._taken.begin()
        self._watch()

    def resume_writing(self) -> None:
        """Note that the client takes what it is sent."""
        self._taken.call_off()
        super().resume_writing()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        for deadline in (self._asked, self._taken, self._parting):
            deadline.call_off()

    # what uvicorn calls

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._watch()

    def shutdown(self) -> None:
        """Hang up as soon as what is being answered is answered."""
        if not self.transport.is_closing():
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no request."""
        fault = sys.exc_info()[1]
        if isinstance(fault, MalformedHeader):
            self._refuse(LOOSE)
        else:
            self._refuse(REFUSED.get(getattr(fault, "error_status_hint", 400), MALFORMED))

    # waiting for a request

    def _unread(self) -> bool:
        """Tell whether the client may still be saying something."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY, h11.ERROR)

    def _watch(self) -> None:
        """Note whether the client is waited for, and begin or cease to wait for its request."""
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
        """Hang up on whoever has said nothing; tell others why."""
        if self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            self.transport.abort()
        else:
            self._refuse(TOO_SLOW)

    def _abort(self) -> None:
        self.transport.abort()

    def _longest_waiting(self) -> H11Protocol:
        """Return the connection whose client has been waited for longest; this one if no other is waited for."""
        waiting = {
            one: one.waiting_since
            for one in self.connections
            if isinstance(one, BoundedConnection) and one.waiting_since is not None
        }
        return min(waiting, key=lambda one: waiting[one], default=self)

    def _refuse(self, refusal: ErrorAnswer) -> None:
        """Answer with a sentence, if nothing else was answered yet, and hang up."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True  # whoever still reads the request is told that it ends here
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
        """Tell whether only the headers were asked for."""
        unanswered = self.cycle is not None and not self.cycle.response_complete
        return unanswered and self.scope["method"] == "HEAD"


class ClosingTransport(asyncio.Transport):
    """A transport that reads what the client still sends before it closes.

    A connection that is closed with something unread is reset, and a client that was still sending would never read
    why: so what it sends is thrown away, until it has finished or for a moment.
    """

    def __init__(self, inner: asyncio.Transport, unread: Callable[[], bool], moment: Deadline) -> None:
        super().__init__()
        self._inner = inner
        self._unread = unread
        self._closing = False
        self._moment = moment

    def close(self) -> None:
        """Say nothing more, and hang up as soon as the client has said everything."""
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
        """Tell whether nothing more is said."""
        return self._closing or self._inner.is_closing()

    def abort(self) -> None:
        """Hang up at once."""
        self._inner.abort()

    def write(self, data: Any) -> None:
        """Say something, unless everything was said."""
        if not self.is_closing():
            self._inner.write(data)

    def pause_reading(self) -> None:
        """Hear nothing for a while."""
        if not self._closing:
            self._inner.pause_reading()

    def resume_reading(self) -> None:
        """Hear again."""
        self._inner.resume_reading()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Return what is known of the connection."""
        return self._inner.get_extra_info(name, default)
