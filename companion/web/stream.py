"""The stream of frames as server-sent events, encoded once for all listeners."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, contextmanager
from functools import lru_cache

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from companion.app.ports import BoxOutput

from .error_answers import UNBUFFERED
from .page_mirror import PageMirror, encode
from .page_texts import translated

# A comment keeps the connection open, but scripts cannot see it. So an event says the same: without it the page would
# go on showing an old picture after the radio link is lost.
HEARTBEAT = b": still here\nevent: alive\ndata: .\n\n"
FIRST = b": welcome\nretry: 1000\n\n"

encoded_words = lru_cache(maxsize=8)(translated)


def words_event(language: str) -> bytes:
    """Return the event with the sentences of the drawn device's page."""
    return b"event: words\ndata: " + encoded_words(language) + b"\n\n"


class Stream:
    """Encodes frames while there are listeners, and does nothing otherwise.

    Runs in the server's event loop, except for the callback that the mirror calls.
    """

    def __init__(
        self,
        mirror: PageMirror,
        heartbeat: float,
        write: Callable[[BoxOutput], bytes | None] = encode,
        words: Callable[[str], bytes] = words_event,
    ) -> None:
        """Begin without listeners.

        Args:
            mirror: Supplies the frames.
            heartbeat: Seconds without a frame after which a heartbeat is sent.
            write: Returns a frame as one line of JSON; None if it has nothing for these listeners.
            words: Returns what is sent before the first frame in a language.
        """
        self._mirror = mirror
        self._heartbeat = heartbeat
        self._write = write
        self._words = words
        self._listeners = 0
        self._subscription = ExitStack()
        self._wake_up = asyncio.Event()  # set to wake the listeners, and then replaced by another
        self._heartbeats = 0
        self._timer: asyncio.TimerHandle | None = None
        self._wake_planned = False
        self._encoded: tuple[int, bytes] = (0, b"")
        self._closed = False

    def close(self) -> None:
        self._closed = True
        self._wake_listeners()

    @property
    def followed(self) -> bool:
        """Return whether there are listeners."""
        return self._listeners > 0

    @contextmanager
    def joined(self) -> Iterator[AsyncIterator[bytes]]:
        """Yield the events for one more listener while the block runs."""
        self._listeners += 1
        if self._listeners == 1:
            self._open()
        try:
            yield self._events()
        finally:
            self._listeners -= 1
            if self._listeners == 0:
                self._stop()

    async def _events(self) -> AsyncIterator[bytes]:
        """Yield each newest frame; frames shown while the listener was busy are skipped."""
        yield FIRST
        sent, language, heartbeats = 0, "", self._heartbeats
        while not self._closed:
            wake_up = self._wake_up
            number, frame = self._mirror.newest()
            if frame is not None and number != sent:
                sent = number
                event = self._event(number, frame)
                if event:
                    words = b"" if frame.language == language else self._words(frame.language)
                    language, heartbeats = frame.language, self._heartbeats
                    yield words + event
            elif heartbeats != self._heartbeats:
                heartbeats = self._heartbeats
                yield HEARTBEAT
            else:
                await wake_up.wait()

    def _event(self, number: int, frame: BoxOutput) -> bytes:
        """Return a frame as an event, encoded once for all listeners; empty if it has nothing for them."""
        if self._encoded[0] != number:
            data = self._write(frame)
            self._encoded = number, b"" if data is None else b"data: " + data + b"\n\n"
        return self._encoded[1]

    def _open(self) -> None:
        loop = asyncio.get_running_loop()

        def wake() -> None:
            if not self._wake_planned:
                self._wake_planned = True
                loop.call_soon_threadsafe(self._on_frame)

        self._wake_planned = False
        self._subscription.enter_context(self._mirror.listening(wake))
        self._wake_listeners()

    def _stop(self) -> None:
        self._subscription.close()
        if self._timer is not None:
            self._timer.cancel()

    def _on_frame(self) -> None:
        self._wake_planned = False  # before listeners fetch the newest frame: a later one wakes them again
        self._wake_listeners()

    def _beat(self) -> None:
        self._heartbeats += 1
        self._wake_listeners()

    def _wake_listeners(self) -> None:
        """Wake all listeners, and plan the next heartbeat."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None
        if self._listeners and not self._closed:
            self._timer = asyncio.get_running_loop().call_later(self._heartbeat, self._beat)
        wake_up, self._wake_up = self._wake_up, asyncio.Event()
        wake_up.set()


class StreamEndpoint:
    """The endpoint of a stream, an ASGI application."""

    KIND = "text/event-stream"

    def __init__(self, joined: Callable[[Scope], AbstractAsyncContextManager[AsyncIterator[bytes]]]) -> None:
        """Use what yields the events to a request, while its block runs."""
        self._joined = joined

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await Response(headers=UNBUFFERED, media_type=self.KIND)(scope, receive, send)
            return
        async with self._joined(scope) as events:
            await StreamingResponse(events, headers=UNBUFFERED, media_type=self.KIND)(scope, receive, send)
