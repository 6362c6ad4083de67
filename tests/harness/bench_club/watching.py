"""Browsers that follow the page of all tables: one reads what it is shown, the others only receive."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import AsyncIterator

TABLES = 10  # tables whose own pages are followed
TOTAL = re.compile(r'<td class="total">(-?\d+)</td>')
ROW = re.compile(r'<tr id="t(\d+)".*?<a href="/tables/\d+">([^<]*)</a>.*?<b>(-?\d+)</b>')


class Browsers:
    """Follows the page with some browsers, in a thread.

    Args:
        port: The port of the pages.
        count: How many browsers.
    """

    def __init__(self, port: int, count: int) -> None:
        self.shown: dict[str, list[float]] = {}  # when each score of a table was shown first, by its name
        self.on_own_page: dict[str, list[float]] = {}  # the same on the page of that table, of some tables
        self.updates = 0  # how many the first browser got
        self.closest = float("inf")  # the least seconds between two updates of a browser
        self._port, self._count = port, count
        self._tasks: list[asyncio.Task[None]] = []
        self._thread = threading.Thread(target=lambda: asyncio.run(self._follow()), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Leave all pages."""
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

    async def _follow(self) -> None:
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        browsers = [asyncio.create_task(self._browse(number)) for number in range(self._count)]
        await self._closing.wait()
        for browser in browsers:
            browser.cancel()

    async def _events(self, path: str) -> AsyncIterator[dict[str, str]]:
        """Yield the parts of each update of a stream."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 24)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        async for line in reader:
            if line.startswith(b"data: {"):
                yield json.loads(line[6:])["parts"]

    async def _browse(self, number: int) -> None:
        before = 0.0
        async for parts in self._events("/tables/events"):
            now = time.monotonic()
            if now - before > 0.2:  # what comes at once is one update
                self.updates += number == 0
                self.closest = min(self.closest, now - before) if before else self.closest
            before = now
            if number == 0:
                self._note(parts)

    async def _follow_table(self, number: str, name: str) -> None:
        times = self.on_own_page[name] = []
        async for parts in self._events(f"/tables/{number}/events"):
            if found := TOTAL.search(parts["game"]):
                seen = time.time() if times else 0.0  # what is there at first came before
                times.extend([seen] * (int(found[1]) - len(times)))

    def _note(self, parts: dict[str, str]) -> None:
        for markup in parts.values():
            for row in markup.split("</tr>"):
                if found := ROW.search(row):
                    times = self.shown.setdefault(found[2], [])
                    times.extend([time.time()] * (int(found[3]) - len(times)))
                    if len(self._tasks) < TABLES and len(times) == 1:  # from its first entry on
                        self._tasks.append(asyncio.create_task(self._follow_table(found[1], found[2])))
