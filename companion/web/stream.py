"""The stream of frames as server-sent events, encoded once for all listeners."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache

from companion.app.ports import Frame

from .page_mirror import PageMirror, encode
from .page_texts import spoken

# A comment keeps the line open; a script cannot see comments, so an event says the same to the page, which
# would otherwise go on showing an old picture when the radio link is gone without a word.
HEARTBEAT = b": still here\nevent: alive\ndata: .\n\n"
FIRST = b": welcome\nretry: 1000\n\n"

worded = lru_cache(maxsize=8)(spoken)


class Stream:
    """Encodes frames while anybody listens, and does nothing otherwise.

    Everything but what the mirror calls happens in the server's event loop.
    """

    def __init__(self, mirror: PageMirror, heartbeat: float) -> None:
        """Listen to nothing yet.

        Args:
            mirror: What is shown.
            heartbeat: Seconds after which a stream that has nothing to say says that.
        """
        self._mirror = mirror
        self._heartbeat = heartbeat
        self._listeners = 0
        self._subscription = ExitStack()
        self._turn = asyncio.Event()  # set, and another put in its place, whenever there is something to say
        self._beats = 0
        self._clock: asyncio.TimerHandle | None = None
        self._woken = False
        self._written: tuple[int, bytes] = (0, b"")
        self._closed = False

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        self._next_turn()

    @contextmanager
    def joined(self) -> Iterator[AsyncIterator[bytes]]:
        """Give the events to one more listener while the block is run."""
        self._listeners += 1
        if self._listeners == 1:
            self._open()
        try:
            yield self._events()
        finally:
            self._listeners -= 1
            if self._listeners == 0:
                self._shut()

    async def _events(self) -> AsyncIterator[bytes]:
        """Yield the newest frame whenever there is one; those shown while the listener was busy are skipped."""
        yield FIRST
        shown, language, beats = 0, "", self._beats
        while not self._closed:
            turn = self._turn
            number, frame = self._mirror.newest()
            if frame is not None and number != shown:
                words = (
                    b"" if frame.language == language else b"event: words\ndata: " + worded(frame.language) + b"\n\n"
                )
                shown, language, beats = number, frame.language, self._beats
                yield words + self._event(number, frame)
            elif beats != self._beats:
                beats = self._beats
                yield HEARTBEAT
            else:
                await turn.wait()

    def _event(self, number: int, frame: Frame) -> bytes:
        """Return a frame as an event; it is written for the first who asks, and kept for the others."""
        if self._written[0] != number:
            self._written = number, b"data: " + encode(frame) + b"\n\n"
        return self._written[1]

    def _open(self) -> None:
        loop = asyncio.get_running_loop()

        def wake() -> None:
            if not self._woken:
                self._woken = True
                loop.call_soon_threadsafe(self._shown)

        self._woken = False
        self._subscription.enter_context(self._mirror.listening(wake))
        self._next_turn()

    def _shut(self) -> None:
        self._subscription.close()
        if self._clock is not None:
            self._clock.cancel()

    def _shown(self) -> None:
        self._woken = False  # before anybody looks for the newest frame: a later one wakes again
        self._next_turn()

    def _beat(self) -> None:
        self._beats += 1
        self._next_turn()

    def _next_turn(self) -> None:
        """Let every listener look, and again after a while if nothing happens."""
        if self._clock is not None:
            self._clock.cancel()
        self._clock = None
        if self._listeners and not self._closed:
            self._clock = asyncio.get_running_loop().call_later(self._heartbeat, self._beat)
        turn, self._turn = self._turn, asyncio.Event()
        turn.set()
