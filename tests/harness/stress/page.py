"""The page under attack: requests that no browser sends, floods of keys, 500 listeners, 200 slow clients.

A real box on its loop is behind a real server. Meanwhile a player presses keys, one after the other. Each key must be
accepted, and the page must show what a box without a page shows after the same keys.
"""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, ExitStack
from functools import partial
from statistics import median

from companion.app.inputs import TypedAnswer
from companion.app.loop import ROOM
from companion.ui.keys import NAMES, Key

from .hostile_clients import SLOW, Fuzzer, answer, calling, request, slowly, statuses
from .page_player import HURRIED, WITHIN, Game, Means, any_key, until
from .time_limits import within

SERVED_WITHIN = 1.0
"""Seconds within which a client is served while others are slow."""

AT_ONCE = 48
"""The number of concurrent requests."""


def run(times: int, seed: int) -> Iterator[str]:
    with asyncio.Runner() as runner, ExitStack() as stack:
        game = Game(stack)
        chapter = _chapter(game, times, random.Random(seed))
        while (line := runner.run(anext(chapter, None))) is not None:
            yield line


async def _chapter(game: Game, times: int, chance: random.Random) -> AsyncIterator[str]:
    async with game.watched():
        await game.pressed(chance, 20)
        before = Means.now()
        yield await _fuzz(game, times, chance)
        yield await _flood(game, times, chance)
        yield await _held_up(game, chance)
        yield await _listeners(game, min(500, 70 + times // 10), chance)
        yield await _slow(game, min(200, 6 + times // 10), chance)
        await until(lambda: game.server.connections <= 1, "every connection but one has ended")
        after = Means.now()
        assert (after.threads, after.files) == (before.threads, before.files), f"{before} before, {after} after"
        assert after.memory - before.memory < 16_000, f"{before} before, {after} after"
        assert game.server.listeners == 1
        assert game.said == [], f"it was said on the terminal: {game.said[:3]}"
        yield (
            f"afterwards {after.threads} threads and {after.files} open files as before, "
            f"{(after.memory - before.memory) / 1000:+.1f} MB; nothing was said on the terminal"
        )


async def _fuzz(game: Game, times: int, chance: random.Random) -> str:
    fuzzer, seen, pressed = Fuzzer(chance), Counter[str](), 0
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(said: bytes, address: str) -> None:
        async with slots:
            answered = statuses(await answer(game.port, said, address))
        seen.update(map(str, answered) if answered else ["nothing"])

    for start in range(0, times, 500):
        said = [fuzzer.next() for _ in range(min(500, times - start))]
        under_way = asyncio.gather(*(one(what, _somewhere(chance)) for what in said))
        for _ in range(5):
            await game.opened()
        await game.over(under_way)
        await game.pressed(chance, 5)
        pressed += 5
        assert game.box.done == game.taken, "keys changed places on their way to the box"
    answers = ", ".join(f"{count} times {status}" for status, count in seen.most_common())
    return (
        f"{times} requests that no browser sends: {answers}; none was left open, none was answered 5xx; "
        f"in between {pressed} keys were taken and shown, and {len(game.taken)} reached the box in order"
    )


async def _flood(game: Game, times: int, chance: random.Random) -> str:
    seen, over = Counter[int](), False

    async def pour(share: int) -> None:
        said = request("POST", "/key", b'{"key": "*"}')
        for _ in range(share):
            seen.update(statuses(await answer(game.port, said, "127.0.0.9")))

    async def keypad() -> list[float]:
        waits = []
        while not over:
            done, key, began = len(game.box.done), any_key(chance), time.perf_counter()
            game.inbox.put(key)
            await until(partial(_in, key, game.box.done, done), "the keypad's key is pressed")
            waits.append(time.perf_counter() - began)
            await asyncio.sleep(0.01)
        return waits

    before, began = len(game.box.done), time.perf_counter()
    hands = asyncio.create_task(keypad())
    await asyncio.gather(*(pour(times // 8) for _ in range(8)))
    over, lasted = True, time.perf_counter() - began
    waits = await hands
    pressed = before + seen[204] + len(waits)
    await until(lambda: len(game.box.done) == pressed, "every key is pressed")  # the last may just be under way
    game.taken[:] = game.box.done  # those of the keypad, too
    await game.agreed()
    assert set(seen) <= {204, 429}, f"keys were answered {dict(seen)}"
    bound = HURRIED.phone.burst + HURRIED.phone.each_second * (lasted + 1)
    assert seen[204] <= bound, f"{seen[204]} keys of one address were taken in {lasted:.1f} s"
    assert max(waits) < within(SERVED_WITHIN), f"a key of the keypad waited {max(waits):.2f} s"
    return (
        f"{sum(seen.values())} keys from one address in {lasted:.1f} s: {seen[204]} were taken and pressed, "
        f"{seen[429]} refused (429); meanwhile {len(waits)} keys of the keypad waited {_ms(median(waits))}, "
        f"at most {_ms(max(waits))}"
    )


async def _held_up(game: Game, chance: random.Random) -> str:
    """Stop the box while keys arrive, as a slow panel does."""
    keys, before = [Key(chance.choice(NAMES)) for _ in range(3 * ROOM)], len(game.box.done)
    own, taken = Key("#", held=True), []
    game.box.free.clear()
    for key in keys:
        heard = await answer(game.port, request("POST", "/key", json.dumps({"key": key.name}).encode()))
        if statuses(heard) == [204]:
            taken.append(key)
        else:
            assert b"The box has not caught up" in heard, f"{key} was answered {heard[:200]!r}"
    game.inbox.put(own)
    game.box.free.set()
    await until(lambda: len(game.box.done) >= before + len(taken) + 1, "every key is pressed")
    done = game.box.done[before:]
    place = done.index(own)
    assert place <= 1, f"the keypad's key waited behind {place} of the page"
    assert [*done[:place], *done[place + 1 :]] == taken, "keys changed places on their way to the box"
    assert len(taken) <= ROOM + 1
    game.taken[:] = game.box.done
    await game.agreed()
    return (
        f"{len(keys)} keys to a box that stands still: {len(taken)} waited, {len(keys) - len(taken)} were refused "
        f"(429), all that waited were pressed in order; a key of the keypad came after {place} of them"
    )


async def _listeners(game: Game, many: int, chance: random.Random) -> str:
    alone = await game.pressed(chance, many // 4)
    cost_alone = await _cost(game)
    async with AsyncExitStack() as stack:
        listening: list[_Listener] = []
        for number in range(many):
            reader, writer = await stack.enter_async_context(calling(game.port, f"127.0.1.{1 + number // 10}"))
            writer.write(request("GET", "/events"))
            listening.append(_Listener(reader))
        began = await asyncio.gather(*(one.begin() for one in listening))
        served, refused = began.count(200), began.count(429)
        assert served + refused == many
        assert served == min(many, HURRIED.streams - 1), f"{served} of {many} were served"
        looking = [asyncio.create_task(one.look()) for one in listening]
        together = await game.pressed(chance, many // 4)
        cost = await _cost(game)
        await game.opened()
        last = game.shown
        await until(
            lambda: sum(one.shown == last for one in listening) == served, "everybody who listens sees the last frame"
        )
        for task in looking:
            task.cancel()
    await until(lambda: game.server.listeners == 1, "those who left are forgotten")
    assert max(together) < within(WITHIN)
    return (
        f"{many} more listeners at once: {served} served, {refused} told 429; all who were served saw the last frame; "
        f"a key was shown after {_ms(median(together))} (at most {_ms(max(together))}), with one listener after "
        f"{_ms(median(alone))} (at most {_ms(max(alone))}); a frame took the server {_ms(cost)} for {served + 1} "
        f"listeners, {_ms(cost_alone)} for one"
    )


class _Listener:
    """Another open page, which records the frames it is shown."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self.shown = ""

    async def begin(self) -> int:
        """Return the status of the answer; 429, too, if the connection was ended to make room for another."""
        try:
            (status,) = statuses(await asyncio.wait_for(self._reader.readuntil(b"\r\n"), within(WITHIN)))
        except (asyncio.IncompleteReadError, ConnectionResetError):
            return 429
        return status

    async def look(self) -> None:
        """Read the frames that come."""
        while line := await self._reader.readline():
            if line.startswith(b'data: {"panel"'):
                self.shown = line.decode().removeprefix("data: ").strip()


async def _slow(game: Game, many: int, chance: random.Random) -> str:
    over, began = asyncio.Event(), time.perf_counter()
    slow = [
        asyncio.create_task(slowly(game.port, SLOW[number % len(SLOW)], f"127.0.2.{1 + number // 12}", over))
        for number in range(many)
    ]
    served: list[float] = []
    while game.server.connections > 1 or len(served) < 5:
        if game.time is not None:
            game.time.let_pass(HURRIED.timeout)
        assert time.perf_counter() - began < within(4 * WITHIN), f"{game.server.connections} connections are still open"
        frame = game.mirror.newest()[1]
        assert frame is not None
        for _ in range(100):
            game.mirror.show(frame)  # or there would be little to read
        start = time.perf_counter()
        await game.opened()
        await game.press(any_key(chance))
        served.append(time.perf_counter() - start)
    ended = time.perf_counter() - began
    over.set()
    await asyncio.gather(*slow)
    assert max(served) < within(SERVED_WITHIN), f"somebody waited {max(served):.2f} s while others were slow"
    return (
        f"{many} slow clients at once, of {len(SLOW)} kinds: all were hung up on within {ended:.1f} s (allowed "
        f"{HURRIED.timeout:g} s to ask and to read); meanwhile {len(served)} pages and keys were served, each "
        f"within {_ms(max(served))}"
    )


def _somewhere(chance: random.Random) -> str:
    """Return one of this computer's own addresses; each has its own rate limit."""
    return f"127.{chance.randint(3, 250)}.{chance.randint(0, 255)}.{chance.randint(1, 254)}"


async def _cost(game: Game) -> float:
    """Return the seconds of processor time that a frame takes the server's thread."""
    *_others, page = (one for one in threading.enumerate() if one.name == "page")  # another test's server may run
    assert page.ident is not None
    clock, frame = time.pthread_getcpuclockid(page.ident), game.mirror.newest()[1]
    assert frame is not None
    await asyncio.sleep(0.05)  # what came before is done
    before, frames = time.clock_gettime(clock), 30
    for _ in range(frames):
        game.mirror.show(frame)
        await asyncio.sleep(0.01)
    return (time.clock_gettime(clock) - before) / frames


def _in(key: Key, done: list[Key | TypedAnswer], start: int) -> bool:
    return key in done[start:]


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"
