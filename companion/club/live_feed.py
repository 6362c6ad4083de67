"""Tells browsers what has changed, as server-sent events: rendered once for all, sent to each at most once a second."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from itertools import islice

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from companion.web.error_answers import UNBUFFERED

from . import page_markup
from .overview import TableRow
from .page_markup import Reasons

INTERVAL = 1.0  # seconds between two updates of a browser, at least
STEP = 0.05  # seconds between two times that changes are rendered, at least
SHARE = 4  # the pause after rendering, in times what it took: a new table renders the whole list
KEPT = 600  # updates that a browser may have missed; after more of them it gets everything
LOOK = 5.0  # seconds after which tables may have become silent
BEAT = 15.0  # seconds without an update after which a stream says that it is alive
ALIVE = b"event: alive\ndata: .\n\n"
FIRST = b"retry: 1000\n\n"


class LiveFeed:
    """The overview as markup, and its changes.

    Args:
        tables: Returns all tables.
    """

    def __init__(self, tables: Callable[[], tuple[TableRow, ...]]) -> None:
        self.number = int(time.time() / STEP)  # of the latest update; larger than those of before a restart
        self._tables = tables
        self._shown: dict[str, tuple[TableRow, Reasons, str]] = {}  # the rows, by box
        self._waiting = Markup("")
        self._updates: deque[bytes] = deque(maxlen=KEPT)  # the latest, without gaps
        self._whole: tuple[int, bytes] = (-1, b"")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._changed = asyncio.Event()
        self._noticed = asyncio.Event()
        self._updated = asyncio.Event()

    def wake(self) -> None:
        """Notice that tables have changed; from any thread."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the server has stopped
                self._loop.call_soon_threadsafe(self._notice)

    @property
    def noticed(self) -> asyncio.Event:
        """Return what is set at the next change of a table or of the evening."""
        return self._noticed

    def _notice(self) -> None:
        self._changed.set()
        noticed, self._noticed = self._noticed, asyncio.Event()
        noticed.set()

    async def run(self) -> None:
        """Update until cancelled."""
        self._loop = asyncio.get_running_loop()
        while True:
            self._changed.clear()
            begun = time.perf_counter()
            if self.update(time.time()):
                await asyncio.sleep(max(STEP, SHARE * (time.perf_counter() - begun)))
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), LOOK)

    def update(self, now: float) -> bool:
        """Render what has changed; return whether anything has."""
        tables, parts, waiting = self._tables(), dict[str, str](), []
        before, self._shown = self._shown, {}
        for table in tables:
            reasons = tuple(table.attention(now))
            if reasons:
                waiting.append((table, reasons))
            old = before.get(table.device)
            if old is None or old[0] is not table or old[1] != reasons:
                markup = page_markup.row(table, reasons)
                if old is None or old[2] != markup:
                    parts[f"t{table.note.number}"] = markup
                old = table, reasons, markup
            self._shown[table.device] = old
        if [*before] != [*self._shown]:
            parts = {"tables": self._rows()}
        markup = page_markup.attention(waiting)
        if markup != self._waiting:
            self._waiting = markup
            parts["attention"] = markup
        if parts:
            self.number += 1
            self._updates.append(event(self.number, parts))
            updated, self._updated = self._updated, asyncio.Event()
            updated.set()
        return bool(parts)

    def page(self, **values: object) -> str:
        """Return the page with all tables."""
        live = f"/events?from={self.number}"
        return page_markup.page(
            "tables", "Tables", here="/", rows=self._rows(), waiting=self._waiting, live=live, **values
        )

    def _rows(self) -> Markup:
        return page_markup.rows(markup for _table, _reasons, markup in self._shown.values())

    async def events(self, seen: int) -> AsyncIterator[bytes]:
        """Yield the updates after one that a browser has seen, at once after a second without one.

        Each browser counts its own second, so they do not all wait for the same moment.
        """
        yield FIRST
        while True:
            updated, missed = self._updated, self.number - seen
            if missed == 0:
                if not await happens(updated):
                    yield ALIVE
                continue
            seen = self.number
            if 0 < missed <= len(self._updates):
                yield b"".join(islice(self._updates, len(self._updates) - missed, None))
            else:
                yield self._everything()
            await asyncio.sleep(INTERVAL)

    def _everything(self) -> bytes:
        """Return all tables as one update, made once for all."""
        if self._whole[0] != self.number:
            parts = {"tables": self._rows(), "attention": self._waiting}
            self._whole = self.number, event(self.number, parts)
        return self._whole[1]

    async def changes(self, current: Callable[[], TableRow | None]) -> AsyncIterator[TableRow | None]:
        """Yield a table now and at once after each change, but not twice a second; None if nothing changes for a while.

        Args:
            current: Returns the table as it is now.
        """
        seen: TableRow | None = None
        while True:
            noticed, table = self.noticed, current()
            if table is not None and table is not seen:
                seen = table
                yield table
                await asyncio.sleep(INTERVAL)
            elif not await happens(noticed):
                yield None


def stream(request: Request, events: AsyncIterator[bytes]) -> Response:
    """Return a stream; who only asks whether it is there gets no event, because a browser would wait for the end."""
    kind = "text/event-stream"
    if request.method == "HEAD":
        return Response(headers=UNBUFFERED, media_type=kind)
    return StreamingResponse(events, headers=UNBUFFERED, media_type=kind)


async def happens(event: asyncio.Event) -> bool:
    """Wait for an event; return False if it does not happen for a while."""
    try:
        await asyncio.wait_for(event.wait(), BEAT)
    except TimeoutError:
        return False
    return True


def event(number: int, parts: Mapping[str, str]) -> bytes:
    """Return an update: the parts of the page that are replaced, by the ids of their elements."""
    plain = {name: str(markup) for name, markup in parts.items()}
    return b"id: %d\ndata: %s\n\n" % (number, msgspec.json.encode({"parts": plain}))
