"""A box behind its page, and a player who presses keys on the page and checks it."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import logging
import os
import random
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.app.box import Box
from companion.app.inputs import Input, TypedAnswer
from companion.app.loop import Inbox, Stop, WebInput
from companion.app.loop import run as run_loop
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import TimedTask
from companion.app.state import PANEL, Who
from companion.core.text import Text
from companion.journal import Journal
from companion.ui.keys import HOLDABLE, NAMES, Key, parse
from companion.web.limits import Limits
from companion.web.page_mirror import PageMirror, encode
from companion.web.server import serve
from tests.fakes.clock import FixedClock
from tests.web.server_time import ServerTime

from . import time_limits
from .hostile_clients import answer, calling, request, statuses
from .time_limits import within

HURRIED = Limits(timeout=0.7)
"""The usual limits with shorter time-outs."""

WITHIN = 5.0
"""Seconds within which a key is shown, however busy this computer is."""


class Table(Box):
    """A box that records its keys, and can be stopped for a while."""

    def __init__(self, mirror: PageMirror | None = None) -> None:
        clock = FixedClock()
        self.done: list[Key | TypedAnswer] = []
        self.free = threading.Event()
        self.free.set()
        super().__init__(Journal(), Outputs(MemoryPanel(), clock, page=mirror), clock)

    @property
    def tasks(self) -> tuple[TimedTask, ...]:
        """Return its tasks without the search for corrections, which ends when the next key comes, late or early."""
        return tuple(task for task in super().tasks if task is not self.search)

    def take(self, who: Who, given: Input) -> Text | None:
        self.free.wait(within(WITHIN))
        why = super().take(who, given)
        if who is PANEL and isinstance(given, Key | TypedAnswer):
            self.done.append(given)
        return why


class Game:
    """A box, its loop, its page, and a player."""

    def __init__(self, stack: ExitStack) -> None:
        self.said: list[str] = stack.enter_context(_heard())
        self.mirror = PageMirror()
        self.inbox = Inbox()
        self.box = Table(self.mirror)
        self._told = PageMirror()  # a frame as pages get it, with the lamp that blinks
        self._twin = Table(self._told)
        self.taken: list[Key | TypedAnswer] = []
        loop = threading.Thread(target=run_loop, args=(self.box, self.inbox, FixedClock()), name="box", daemon=True)
        loop.start()
        stack.callback(loop.join, within(WITHIN))
        stack.callback(self.inbox.put, Stop())
        self.server = serve("127.0.0.1", 0, self._put, self.mirror, limits=HURRIED)
        stack.callback(self.server.join, within(WITHIN))
        stack.callback(self.server.stop)
        self.time = None if time_limits.promised else ServerTime(self.server)
        if self.time is not None:
            stack.callback(self.time.go_on)
        self.port = int(self.server.url.rstrip("/").rsplit(":", 1)[1])
        self.shown = ""
        self.looks = asyncio.Condition()

    def _put(self, came: WebInput) -> bool:
        taken = self.inbox.put_of_page(came)
        if taken and isinstance(came, Key | TypedAnswer):
            self.taken.append(came)
        return taken

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Read the stream of frames while the block runs."""
        async with calling(self.port) as (reader, writer):
            writer.write(request("GET", "/events"))
            looking = asyncio.create_task(self._look(reader))
            try:
                yield
            finally:
                looking.cancel()

    async def _look(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            if line.startswith(b'data: {"panel"'):
                async with self.looks:
                    self.shown = line.decode().removeprefix("data: ").strip()
                    self.looks.notify_all()

    async def opened(self) -> None:
        """Open the page once more.

        Raises:
            AssertionError: It was not served.
        """
        began = time.perf_counter()
        heard = await answer(self.port, request("GET", "/"))
        took = time.perf_counter() - began
        assert statuses(heard) == [200], f"the page was answered {heard[:200]!r} after {took:.1f} s"

    async def over(self, under_way: asyncio.Future[Any]) -> None:
        """Wait for a future, and advance the server's clock meanwhile if it is stopped."""
        while self.time is not None and not under_way.done():
            self.time.let_pass(HURRIED.timeout)
            await asyncio.sleep(0.01)
        await under_way

    async def agreed(self) -> None:
        """Wait until the page shows what a box without a page shows.

        Raises:
            AssertionError: It does not, or keys were lost or swapped.
        """
        await until(lambda: len(self.box.done) >= len(self.taken), "every key that was taken is pressed")
        for came in self.box.done[len(self._twin.done) :]:
            self._twin.take(PANEL, came)
        await self._shows(self._expected())

    def _expected(self) -> str:
        _number, frame = self._told.newest()
        assert frame is not None
        return encode(frame).decode()

    async def _shows(self, expected: str) -> None:
        async with self.looks:
            try:
                await asyncio.wait_for(self.looks.wait_for(lambda: self.shown == expected), within(WITHIN))
            except TimeoutError:
                raise AssertionError("the page does not show what the box shows") from None

    async def press(self, key: Key) -> float | None:
        """Press a key on the page, and return the seconds until it was shown; None if it changes nothing.

        Raises:
            AssertionError: It was not accepted, or not shown.
        """
        await self.agreed()
        before = self.shown
        self._twin.take(PANEL, key)
        expected = self._expected()
        said = json.dumps({"key": key.name, "held": key.held}).encode()
        began = time.perf_counter()
        hand = f"127.2.1.{1 + len(self.taken) % 100}"  # no hand is as quick as this one: it takes turns with others
        heard = await answer(self.port, request("POST", "/key", said), hand)
        assert statuses(heard) == [204], f"{key} was answered {heard[:200]!r}"
        await self._shows(expected)
        took = time.perf_counter() - began
        assert self.taken[-1] == key, f"{key} was not taken"
        await until(lambda: len(self.box.done) == len(self.taken), "the key is pressed")
        return None if before == expected else took

    async def pressed(self, chance: random.Random, times: int) -> list[float]:
        """Press random keys until so many have changed something, and return how long each took to be shown."""
        took: list[float] = []
        for _ in range(20 * times):
            labelled = [*self.box.frame.labels]
            key = parse(chance.choice(labelled))[0] if labelled and chance.random() < 0.8 else any_key(chance)
            if (shown := await self.press(key)) is not None:
                took.append(shown)
            if len(took) == times:
                return took
        raise AssertionError(f"only {len(took)} of {20 * times} keys changed something")


def any_key(chance: random.Random) -> Key:
    name = chance.choice(NAMES)
    return Key(name, name in HOLDABLE and chance.random() < 0.3)


async def until(condition: Callable[[], object], what: str) -> None:
    allowed = within(2 * WITHIN)
    end = time.monotonic() + allowed
    while not condition():
        assert time.monotonic() < end, f"{what}: not within {allowed:g} s"
        await asyncio.sleep(0.001)


@dataclass(frozen=True, slots=True)
class Means:
    """The resources this process uses.

    Attributes:
        threads: How many threads run.
        files: How many files are open.
        memory: Kilobytes of memory.
    """

    threads: int
    files: int
    memory: int

    @classmethod
    def now(cls) -> Means:
        gc.collect()
        if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
            trim(0)  # or what the largest requests needed at once would count as used
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        memory = pages * os.sysconf("SC_PAGESIZE") // 1000
        return cls(threading.active_count(), len(os.listdir("/proc/self/fd")), memory)


@contextmanager
def _heard() -> Iterator[list[str]]:
    """Yield the log messages while the block runs; without a handler they would go to the terminal."""
    said: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(self.format(record))

    ear, root = Ear(logging.WARNING), logging.getLogger()
    root.addHandler(ear)
    try:
        yield said
    finally:
        root.removeHandler(ear)
