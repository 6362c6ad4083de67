"""Tells browsers what has changed on their page, as server-sent events, at most once a second."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from companion.web.error_answers import UNBUFFERED, RequestError

INTERVAL = 1.0  # seconds between two updates of a browser, at least
BEAT = 5.0  # seconds after which a page is looked at though nothing was noticed: time passes
ALIVE = b"event: alive\ndata: .\n\n"
FIRST = b"retry: 1000\n\n"


class Notices:
    """Counts the changes of tables and evening, and wakes the tasks that wait for one."""

    def __init__(self) -> None:
        self.number = 0  # how many changes were noticed
        self._loop: asyncio.AbstractEventLoop | None = None
        self._noticed = asyncio.Event()

    def begin(self) -> None:
        """Begin; from the event loop."""
        self._loop = asyncio.get_running_loop()

    def wake(self) -> None:
        """Notice a change; from any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._notice)

    def _notice(self) -> None:
        self.number += 1
        noticed, self._noticed = self._noticed, asyncio.Event()
        noticed.set()

    async def wait(self, seen: int) -> bool:
        """Wait until more changes were noticed than somebody has seen; return False if there are none for a while."""
        if self.number > seen:
            return True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._noticed.wait(), BEAT)
            return True
        return False


class LiveParts(Struct, frozen=True):
    """A page as parts, which replace others while somebody looks."""

    parts: Mapping[str, str]  # markup, by the ids of its elements
    list_id: str = ""  # the id of a list
    list: str = ""  # the list with all rows
    rows: Mapping[str, str] = {}  # its rows, by their ids
    version: int = 0  # of the list: with another one, all of it is another

    def since(self, before: LiveParts | None) -> dict[str, str]:
        """Return the parts that replace those of before. Rows that come or go do so with the whole list."""
        if before is None:
            return {**self.parts, **({self.list_id: self.list} if self.list_id else {})}
        new = {name: part for name, part in self.parts.items() if part != before.parts.get(name)}
        if (self.version, [*self.rows]) != (before.version, [*before.rows]):
            return new | {self.list_id: self.list}
        return new | {name: row for name, row in self.rows.items() if row != before.rows[name]}


def stream(request: Request, notices: Notices, look: Callable[[], Awaitable[LiveParts | None]]) -> Response:
    """Return a stream of a page: all its parts, which may be newer than the page, then those that change.

    Who only asks whether it is there gets no event, because a browser would wait for the end.

    Args:
        request: The request.
        notices: What has changed.
        look: Returns the page as it is now; None if there is nothing to show. It may refuse a request.
    """
    kind = "text/event-stream"
    if request.method == "HEAD":
        return Response(headers=UNBUFFERED, media_type=kind)
    return StreamingResponse(_events(notices, look), headers=UNBUFFERED, media_type=kind)


async def _events(notices: Notices, look: Callable[[], Awaitable[LiveParts | None]]) -> AsyncIterator[bytes]:
    yield FIRST
    before: LiveParts | None = None
    number = 0
    while True:
        seen, now = notices.number, before
        with suppress(RequestError):  # the page says why, if it is opened now
            now = await look()
        new = {} if now is None or now is before else now.since(before)
        before = now
        if new:
            number += 1
            yield b"id: %d\ndata: %s\n\n" % (number, msgspec.json.encode({"parts": new}))
        else:
            yield ALIVE
        await asyncio.sleep(INTERVAL)
        await notices.wait(seen)
