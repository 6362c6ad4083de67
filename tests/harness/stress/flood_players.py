"""The programs of a flood, one for each namespace: the table with its page, a phone that plays or joins, and strangers.

Each prints its results as one line of JSON. ``table`` runs until its standard input ends, the others for some seconds.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from statistics import median, quantiles
from typing import Any

from companion.app.box import Box
from companion.app.inputs import Look, PageRequest
from companion.app.loop import Inbox, Stop, run
from companion.app.machine.phones import PhonePairing
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import SystemClock
from companion.journal import Journal
from companion.web.page_mirror import PageMirror
from companion.web.server import serve
from tests.app.boxes import begin

from .namespaces import PHONE, PORT, STRANGERS, TABLES

PACE = 0.05
"""Seconds between two keys of the phone."""

MOST_REQUESTS = 200_000
"""The most requests of all strangers."""

PATIENCE = 20.0
"""Seconds that anybody waits for an answer."""


def table() -> dict[str, Any]:
    """Serve a game, pair a phone, keep a pairing open for guessing, and report the phones paired at the end.

    Each line of standard input opens another pairing, whose PIN and link are printed.
    """
    mirror, clock, inbox, journal = PageMirror(), SystemClock(), Inbox(), Journal()
    pairing = PhonePairing(journal, clock, "")
    secret = pairing.claim(pairing.open(), "Aki")
    box = begin(Box(journal, Outputs(MemoryPanel(), clock, page=mirror), clock, pairing=pairing))
    pairing.open(3600)
    server = serve("0.0.0.0", PORT, inbox.put_of_page, mirror, phones=pairing)
    loop = threading.Thread(target=run, args=(box, inbox, clock))
    loop.start()

    def opened(_: None) -> None:
        pairing.open(3600)
        print(json.dumps({"pin": pairing.status.pin, "link": pairing.status.link}), flush=True)

    print(json.dumps({"secret": secret}), flush=True)
    for _ in sys.stdin:
        inbox.put(PageRequest(Look(""), None, opened))
    server.stop()
    server.join()
    inbox.put(Stop())
    loop.join()
    return {"paired": [phone.name for phone in pairing.status.paired], "processor": time.process_time()}


# The phone


class Caller:
    """A client of the page with one connection that is kept open."""

    def __init__(self, host: str, address: str = "", cookie: str = "") -> None:
        self._host = host
        self._address = address
        self._cookie = f"Cookie: companion={cookie}\r\n" if cookie else ""
        self._pair: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._pair is None:
            local = (self._address, 0) if self._address else None
            self._pair = await asyncio.open_connection(self._host, PORT, local_addr=local)
        return self._pair

    def leave(self) -> None:
        """Close the connection."""
        if self._pair is not None:
            self._pair[1].transport.abort()
        self._pair = None

    async def begin(
        self, method: str, path: str, body: bytes = b"", kind: str = "application/json"
    ) -> asyncio.StreamReader:
        """Send a request, and return the connection."""
        reader, writer = await self.connect()
        length = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if method == "POST" else ""
        writer.write(f"{method} {path} HTTP/1.1\r\nHost: {self._host}\r\n{self._cookie}{length}\r\n".encode() + body)
        return reader

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> int:
        """Send a request, read the answer, and return its status; 0 if the connection ended."""
        try:
            async with asyncio.timeout(PATIENCE):
                reader = await self.begin(method, path, body, kind)
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0]
                if length and not head.startswith(b"http/1.1 204"):
                    await reader.readexactly(int(length))
                if b"connection: close" in head:
                    self.leave()
                return int(head[9:12])
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            self.leave()
            return 0


async def phone(secret: str, seconds: float) -> dict[str, Any]:
    """Press keys that change the picture, every other one over a new connection, and watch the stream."""
    host = TABLES[PHONE]
    hand, waits, shown, seen = Caller(host, cookie=secret), list[float](), list[float](), Counter[int]()
    frames = asyncio.Queue[None]()
    ends = 0

    async def watch() -> None:
        nonlocal ends
        while True:
            eye = Caller(host, cookie=secret)
            with suppress(OSError):
                reader = await eye.begin("GET", "/events")
                while line := await reader.readline():
                    if line.startswith(b'data: {"panel"'):
                        frames.put_nowait(None)
            ends += 1
            eye.leave()

    watching = asyncio.create_task(watch())
    await asyncio.wait_for(frames.get(), PATIENCE)
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        while not frames.empty():
            frames.get_nowait()
        if number % 2:
            hand.leave()
        body = json.dumps({"key": "1*"[number % 2]}).encode()
        began = time.perf_counter()
        seen[await hand.ask("POST", "/key", body)] += 1
        waits.append(time.perf_counter() - began)
        with suppress(TimeoutError):
            await asyncio.wait_for(frames.get(), PATIENCE)
            shown.append(time.perf_counter() - began)
        number += 1
        await asyncio.sleep(PACE)
    watching.cancel()
    return {
        "keys": number,
        "answered": seen[204],
        "other": {str(status): count for status, count in seen.items() if status != 204},
        "median": 1000 * median(waits),
        "p95": 1000 * quantiles(waits, n=20)[-1],
        "worst": 1000 * max(waits),
        "shown": len(shown),
        "shown median": 1000 * median(shown),
        "shown worst": 1000 * max(shown),
        "stream ended": ends,
    }


async def join(address: str, field: str, code: str) -> dict[str, Any]:
    """Pair a new phone by a token or a PIN. Like a person, it tries again for some seconds when it is asked to."""
    network = TABLES[PHONE].rpartition(".")[0]
    caller, began, statuses = Caller(TABLES[PHONE], f"{network}.{address}"), time.monotonic(), list[int]()
    page = f"/P/{code}" if field == "token" else "/join"
    form = f"{field}={code}&name=Guest {address}".encode()
    for _ in range(8):
        for method, path in (("GET", page), ("GET", "/design.css"), ("POST", "/claim")):
            kind = "application/x-www-form-urlencoded" if method == "POST" else "text/html"
            statuses.append(await caller.ask(method, path, form if method == "POST" else b"", kind))
            if statuses[-1] not in (200, 303):
                caller.leave()
                break
        if statuses[-1] == 303:
            break
        await asyncio.sleep(1)
    return {"paired": statuses[-1] == 303, "statuses": statuses, "seconds": time.monotonic() - began}


# The strangers


async def strangers(seconds: float, addresses: int, seed: str) -> dict[str, Any]:
    """Flood the page from many addresses in several ways at once, and count the answers."""
    chance, seen, sent = random.Random(seed), {name: Counter[str]() for name in WAYS}, 0
    over = time.monotonic() + seconds

    async def pour(name: str, address: str) -> None:
        nonlocal sent
        caller = Caller(TABLES[STRANGERS], address, cookie="guessed" if chance.random() < 0.5 else "")
        while time.monotonic() < over and sent < MOST_REQUESTS:
            sent += 1
            status = await WAYS[name](caller, chance)
            seen[name][str(status) if status else "hung up on"] += 1
            await asyncio.sleep(0)
        caller.leave()

    network = TABLES[STRANGERS].rpartition(".")[0]
    tasks = [
        asyncio.create_task(pour(name, f"{network}.{number}"))
        for number in range(2, 2 + addresses)
        for name in WAYS
        for _ in range(2)
    ]
    await asyncio.wait(tasks, timeout=seconds)
    for task in tasks:
        task.cancel()
    failed = [
        result for result in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(result, Exception)
    ]
    return {"ways": {name: dict(count) for name, count in seen.items()}, "failed": list(map(repr, failed[:3]))}


async def _keys(caller: Caller, chance: random.Random) -> int:
    return await caller.ask("POST", "/key", json.dumps({"key": chance.choice("123456789*#")}).encode())


async def _pages(caller: Caller, chance: random.Random) -> int:
    return await caller.ask("GET", chance.choice(("/", "/join", "/events", "/p/123456")))


async def _guesses(caller: Caller, chance: random.Random) -> int:
    form = f"pin={chance.randrange(10**6):06}&name=Eve".encode()
    return await caller.ask("POST", "/claim", form, "application/x-www-form-urlencoded")


async def _silence(caller: Caller, _: random.Random) -> int:
    return await _held(caller, b"")


async def _half_requests(caller: Caller, _: random.Random) -> int:
    return await _held(caller, b"POST /claim HTTP/1.1\r\nHost: x\r\nX: ")


async def _held(caller: Caller, said: bytes) -> int:
    """Hold a connection open until the server ends it."""
    with suppress(OSError, asyncio.IncompleteReadError):
        reader, writer = await caller.connect()
        writer.write(said)
        while await reader.read(1000):
            pass
    caller.leave()
    return 0


WAYS: dict[str, Callable[[Caller, random.Random], Awaitable[int]]] = {
    "keys": _keys,
    "pages and streams": _pages,
    "guessed PINs": _guesses,
    "silent connections": _silence,
    "half requests": _half_requests,
}
"""The ways of flooding."""


def main(role: str, *words: str) -> dict[str, Any]:
    match role, words:
        case "table", ():
            return table()
        case "join", (address, field, code):
            return asyncio.run(join(address, field, code))
        case "phone", (secret, seconds):
            return asyncio.run(phone(secret, float(seconds)))
        case "strangers", (seconds, addresses, seed):
            return asyncio.run(strangers(float(seconds), int(addresses), seed))
    raise ValueError(role)


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])), flush=True)
