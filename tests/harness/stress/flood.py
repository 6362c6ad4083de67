"""Floods of the page from hundreds of addresses, while a paired phone plays on and new phones are paired.

Each flood is a row of `FLOODS`: how many addresses take part, and what each does again and again. A box on its loop
serves its page in one process, a phone plays in another, the flood comes from a third. All addresses are of this
computer, which gives them no rights: the page is open to others. A key of the phone is answered and shown in time,
no stranger presses a key, no answer is an error of the server, and the box has done what the page took, in order.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import json
import logging
import os
import random
import re
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Self
from unittest.mock import Mock

from uvicorn.server import ServerState

from companion.app.box import Box
from companion.app.inputs import Input, Look, PageRequest, TypedAnswer
from companion.app.loop import Inbox, Stop, WebInput
from companion.app.loop import run as run_loop
from companion.app.machine.phones import PhonePairing
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import TimedTask
from companion.app.state import PANEL, Who
from companion.core.text import Text
from companion.journal import Journal
from companion.ui.keys import Key
from companion.ui.screens.phones import RevokePhone
from companion.web.page_mirror import PageMirror, encode
from companion.web.server import serve
from tests.app.boxes import begin
from tests.fakes.clock import FixedClock
from tests.waiting import LAST_RESORT, until
from tests.web.paired_page import PairedPage

from .hostile_requests import Fuzzer, check, whole
from .time_limits import within

NAME = socket.gethostname().lower()
"""A name of this computer by which others call it."""

WHOLE = 8
"""The number of honest pairings from which every flood of the table is poured; below it only `SHORT`."""

SHORT = "requests that no browser sends"
SECONDS, LONGER = 6.0, 5
"""Seconds that the phone plays in each flood, and how many times longer in the one that is random."""

ANSWERED_WITHIN = 0.1
"""Seconds within which 95 of 100 keys of the phone are answered in each flood."""

A_BYTE = 0.0001
"""The most seconds of processor time that a byte behind long headers may cost."""

GROWN = 16_000
"""The most kilobytes by which the box may have grown after all floods."""

PACE = 0.05
"""Seconds between two keys of the phone."""

PATIENCE = 20.0
"""Seconds that a client waits for an answer."""

UNANSWERED = 0.5
"""Seconds after which a client that is not answered ends what it says."""

FORM = "application/x-www-form-urlencoded"
PADDING = b"".join(b"X-%d: %b\r\n" % (number, b"y" * 990) for number in range(15))
"""Headers of 15 kB."""


def run(times: int, seed: int) -> Iterator[str]:
    """Pour every flood of the table, and pair so many phones meanwhile.

    Raises:
        AssertionError: A promise was broken.
    """
    yield _dripped()
    with Table() as table:
        floods = FLOODS if times >= WHOLE else {SHORT: FLOODS[SHORT]}
        seconds = SECONDS if times >= WHOLE else 0.5
        yield f"a paired phone alone: {_played(table.phone(seconds))}"
        before = table.means()
        for place, name in enumerate(floods):
            flood = floods[name]
            lasting = seconds * (LONGER if name == SHORT else 1)
            with table.poured(name, place, lasting, seed) as pouring:
                phone = _played(table.phone(lasting), shown=not flood.presses)
                paired = _joined(table, place, times) if flood.claims else ""
                answers = pouring.answers(flood)
            yield f"{name}: {answers}; the phone meanwhile: {phone}{paired}"
        table.until_all_have_left()
        after, ended = table.means(), table.end()
    assert (after["threads"], after["files"]) == (before["threads"], before["files"]), f"{before} before, {after} after"
    assert after["memory"] - before["memory"] < GROWN, f"{before} before, {after} after"
    assert ended["said"] == [], f"it was said on the terminal: {ended['said'][:3]}"
    assert ended["in order"], "keys were lost, doubled or changed places on their way to the box"
    assert ended["agrees"], "the page does not show what a box without a page shows after the same keys"
    yield (
        f"afterwards {ended['keys']:,} keys were taken and pressed in order, and the page shows what a box without a "
        f"page shows after them; {after['threads']} threads and {after['files']} files as before, "
        f"{(after['memory'] - before['memory']) / 1000:+.1f} MB, nothing said on the terminal"
    )


def _dripped() -> str:
    """Drip bytes behind long headers, and measure the processor's time for each.

    Raises:
        AssertionError: A byte costs more behind long headers.
    """
    page = PairedPage()
    try:
        short, long = (asyncio.run(_cost(page, length)) for length in (0, 7000))
    finally:
        page.stop()
    assert long < within(A_BYTE), f"a byte costs {short * 1e6:.0f} µs, and {long * 1e6:.0f} µs behind 7 kB"
    return f"a byte of a header costs {short * 1e6:.0f} µs, and {long * 1e6:.0f} µs behind 7 kB"


async def _cost(page: PairedPage, length: int, count: int = 500) -> float:
    """Return the seconds that a connection needs for each byte of a header of some length."""
    inner, transport = page.server, Mock(asyncio.Transport)
    transport.is_closing.return_value = False
    transport.get_extra_info = {"peername": ("127.0.0.1", 9), "sockname": ("127.0.0.1", 8)}.get
    made: asyncio.Protocol = inner.config.http_protocol_class(  # type: ignore[call-arg]
        config=inner.config, server_state=ServerState(), app_state={}
    )
    made.connection_made(transport)
    made.data_received(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * length)
    began = time.process_time()
    for _ in range(count):
        made.data_received(b"y")
    took = (time.process_time() - began) / count
    made.connection_lost(None)
    return took


def _played(phone: dict[str, Any], *, shown: bool = True) -> str:
    """Return how a phone played, in words.

    Raises:
        AssertionError: A key was not answered in time, or not shown.
    """
    assert phone["answered"] == phone["keys"] > 0, f"{phone}"
    assert not shown or phone["shown"] == phone["keys"], f"{phone}"
    assert phone["stream ended"] == 0, f"{phone}"
    assert phone["p95"] < within(ANSWERED_WITHIN) * 1000, f"{phone}"
    return (
        f"{phone['keys']} keys, all answered{' and shown' * shown}, median {phone['median']:.1f} ms, "
        f"95 of 100 within {phone['p95']:.1f} ms"
    )


def _joined(table: Table, place: int, times: int) -> str:
    """Pair new phones by link and by PIN.

    Raises:
        AssertionError: One was not paired.
    """
    results = []
    for number in range(times):
        for field in ("token", "pin"):
            opened = table.order("pair")
            code = opened["pin"] if field == "pin" else opened["link"].rpartition("/")[2]
            address = f"127.{100 + place}.{number}.{1 + (field == 'pin')}"
            results.append(table.child("join", address, field, code).result())
    assert all(result["paired"] for result in results), f"{results}"
    return f"; {len(results)} honest phones paired, after {max(each['seconds'] for each in results):.1f} s at most"


# The processes


class Child:
    """A process of this program, which prints its result as a line of JSON."""

    def __init__(self, role: str, *words: str, gently: bool = False) -> None:
        nice = ("nice", "-n", "19") if gently else ()
        command = [*nice, sys.executable, "-m", __spec__.name, role, *words]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def line(self) -> dict[str, Any]:
        """Return the next line that it prints."""
        assert self.process.stdout is not None
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found

    def result(self) -> dict[str, Any]:
        """Wait for its end, and return what it printed."""
        said, _nothing = self.process.communicate(timeout=2 * LAST_RESORT)
        assert self.process.returncode == 0, f"the process ended with {self.process.returncode}"
        found: dict[str, Any] = json.loads(said.splitlines()[-1])
        return found


class Pouring(Child):
    """The process of a flood."""

    def answers(self, flood: Flood) -> str:
        """Return what the flood was answered, in words.

        Raises:
            AssertionError: Something was answered that may not be.
        """
        seen = self.result()
        wrong = [status for status in seen if not re.fullmatch(f"hung up on|4..|200|{flood.may}", status)]
        assert seen, "nothing was answered"
        assert not wrong, f"answered {seen}"
        return f"{sum(seen.values()):,} tries ({', '.join(f'{seen[each]:,} times {each}' for each in sorted(seen))})"


class Table:
    """The process of the box with its page."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Table:
        self._child = self._stack.enter_context(Child("table"))
        began = self._child.line()
        self.port, self._phone, self._eve = str(began["port"]), began["phone"], began["eve"]
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def child(self, role: str, *words: str) -> Child:
        return self._stack.enter_context(Child(role, self.port, *words))

    def phone(self, seconds: float) -> dict[str, Any]:
        """Let the phone play for some seconds, and return how it went."""
        return self.child("phone", self._phone, str(seconds)).result()

    def poured(self, name: str, place: int, seconds: float, seed: int) -> Pouring:
        """Begin a flood that lasts a little longer than the phone plays."""
        words = (self.port, name, str(place), str(seconds + 2), self._eve, str(seed))
        pouring = Pouring("pour", *words, gently=True)
        pouring.line()  # it has begun
        return pouring

    def order(self, word: str) -> dict[str, Any]:
        stdin = self._child.process.stdin
        assert stdin is not None
        stdin.write(f"{word}\n")
        stdin.flush()
        return self._child.line()

    def means(self) -> dict[str, int]:
        """Return the threads, open files and kilobytes of memory that the box uses."""
        return self.order("means")

    def until_all_have_left(self) -> None:
        until(lambda: self.order("connections")["open"] == 0, "that every connection has ended")

    def end(self) -> dict[str, Any]:
        return self._child.result()


# The table


class RecordingBox(Box):
    """A box that records the keys and texts it takes, and searches for no corrections, which end sooner or later."""

    def __init__(self, mirror: PageMirror, pairing: PhonePairing | None = None) -> None:
        clock = FixedClock()
        self.done: list[Input] = []
        super().__init__(Journal(), Outputs(MemoryPanel(), clock, page=mirror), clock, pairing=pairing)
        begin(self)

    @property
    def tasks(self) -> tuple[TimedTask, ...]:
        return tuple(task for task in super().tasks if task is not self.search)

    def take(self, who: Who, given: Input) -> Text | None:
        if who is PANEL and isinstance(given, Key | TypedAnswer):
            self.done.append(given)
        return super().take(who, given)


def serve_table() -> dict[str, Any]:
    """Serve a game to a paired phone, to the phone of Eve, and to strangers; take orders on standard input."""
    said, mirror, inbox, clock = _heard(), PageMirror(), Inbox(), FixedClock()
    pairing = PhonePairing(Journal(), clock, "")
    phone, eve = (pairing.claim(pairing.open(), name) for name in ("Aki", "Eve"))
    box, taken = RecordingBox(mirror, pairing), list[WebInput]()

    def put(came: WebInput) -> bool:
        kept = inbox.put_of_page(came)
        if kept and not isinstance(came, PageRequest):
            taken.append(came)
        return kept

    def pair(_: object) -> None:
        for paired in pairing.status.paired:
            if paired.name not in ("Aki", "Eve"):
                pairing.do(RevokePhone(paired.number))
        pairing.open(3600)
        print(json.dumps({"pin": pairing.status.pin, "link": pairing.status.link}), flush=True)

    pairing.open(3600)
    server = serve("0.0.0.0", 0, put, mirror, phones=pairing)
    loop = threading.Thread(target=run_loop, args=(box, inbox, clock))
    loop.start()
    print(json.dumps({"port": server.port, "phone": phone, "eve": eve}), flush=True)
    for order in sys.stdin:
        match order.strip():
            case "pair":
                inbox.put(PageRequest(Look(""), None, pair))
            case "means":
                print(json.dumps(_means()), flush=True)
            case "connections":
                print(json.dumps({"open": server.connections}), flush=True)
    server.stop()
    server.join()
    inbox.put(Stop())
    loop.join()
    twin = RecordingBox(beside := PageMirror(), pairing)
    for given in box.done:
        twin.take(PANEL, given)
    frames = [encode(frame) for _number, frame in (mirror.newest(), beside.newest()) if frame is not None]
    return {
        "keys": len(taken),
        "in order": taken == box.done,
        "agrees": len(frames) == 2 and frames[0] == frames[1],
        "said": said,
    }


def _heard() -> list[str]:
    """Return a list that gets the log's messages from now on; without a handler they would go to the terminal."""
    said: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(self.format(record))

    logging.getLogger().addHandler(Ear(logging.WARNING))
    return said


def _means() -> dict[str, int]:
    gc.collect()
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)  # or what the largest requests needed at once would count as used
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    memory = pages * os.sysconf("SC_PAGESIZE") // 1000
    return {"threads": threading.active_count(), "files": len(os.listdir("/proc/self/fd")), "memory": memory}


# Clients


class Client:
    """A client of the page at an address of its own; requests share a connection as long as the server keeps it."""

    def __init__(self, port: str, address: str, cookie: str = "") -> None:
        self.port, self.address, self.cookie = int(port), address, cookie
        self._pair: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def head(self, method: str, path: str, host: str = NAME, more: str = "") -> bytes:
        cookie = f"Cookie: companion={self.cookie}\r\n" if self.cookie else ""
        return f"{method} {path} HTTP/1.1\r\nHost: {host}:{self.port}\r\n{cookie}{more}\r\n".encode()

    async def connect(self, room: int = 0) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return the connection; little ``room`` makes the client's receive buffer small."""
        if self._pair is None:
            calls = socket.socket()
            if room:
                calls.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
            calls.setblocking(False)
            try:
                calls.bind((self.address, 0))
                await asyncio.get_running_loop().sock_connect(calls, ("127.0.0.1", self.port))
                self._pair = await asyncio.open_connection(sock=calls, limit=room or 2**16)
            except BaseException:
                calls.close()
                raise
        return self._pair

    def leave(self) -> None:
        if self._pair is not None:
            self._pair[1].transport.abort()
        self._pair = None

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = "application/json") -> int:
        """Send a request, read the answer, and return its status; 0 if the connection ended."""
        length = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if method == "POST" else ""
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await self.connect()
                writer.write(self.head(method, path, more=length) + body)
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0].decode()
                if length and not head.startswith(b"http/1.1 204"):
                    await reader.readexactly(int(length))
                if b"connection: close" in head or b"text/event-stream" in head:
                    self.leave()
                return int(head[9:12])
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            self.leave()
            return 0

    async def say(self, start: bytes, drip: bytes = b"", pause: float = 0.0, room: int = 0, end: bool = False) -> bytes:
        """Say something, drip more, and read slowly, until the server hangs up; return what was heard first."""
        heard = b""
        try:
            reader, writer = await self.connect(room)
            writer.write(start)
            if end:
                writer.write_eof()
            while True:
                reading = reader.read(room or 2**16)
                with suppress(TimeoutError):
                    more = await (asyncio.wait_for(reading, pause) if drip else reading)
                    if not more:
                        break
                    heard = heard if len(heard) > 2**16 else heard + more
                if drip:
                    writer.write(drip)
                elif pause:
                    await asyncio.sleep(pause)
        except OSError:
            pass
        finally:
            self.leave()
        return heard


async def play(port: str, secret: str, seconds: str) -> dict[str, Any]:
    """Press keys that change the picture, every other one over a new connection, and watch the stream."""
    hand, eye = (Client(port, f"127.0.0.{each}", secret) for each in (8, 9))
    frames, waits, answered, shown, ends = asyncio.Queue[None](), list[float](), 0, 0, 0

    async def watch() -> None:
        nonlocal ends
        while True:
            with suppress(OSError):
                reader, writer = await eye.connect()
                writer.write(eye.head("GET", "/events"))
                while line := await reader.readline():
                    if line.startswith(b'data: {"panel"'):
                        frames.put_nowait(None)
            ends += 1
            eye.leave()

    watching = asyncio.create_task(watch())
    await asyncio.wait_for(frames.get(), PATIENCE)
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end or len(waits) < 2:
        while not frames.empty():
            frames.get_nowait()
        if len(waits) % 2:
            hand.leave()
        body = json.dumps({"key": "1*"[len(waits) % 2]}).encode()
        began = time.perf_counter()
        answered += await hand.ask("POST", "/key", body) == 204
        waits.append(time.perf_counter() - began)
        with suppress(TimeoutError):
            await asyncio.wait_for(frames.get(), 1.0)
            shown += 1
        await asyncio.sleep(PACE)
    watching.cancel()
    times = {"median": 1000 * median(waits), "p95": 1000 * quantiles(waits, n=20)[-1]}
    return {"keys": len(waits), "answered": answered, "shown": shown, "stream ended": ends, **times}


async def join(port: str, address: str, field: str, code: str) -> dict[str, Any]:
    """Pair a new phone by a token or a PIN. Like a person, it tries again for some seconds when it is asked to."""
    client, began, statuses = Client(port, address), time.monotonic(), list[int]()
    page = f"/P/{code}" if field == "token" else "/join"
    form = f"{field}={code}&name=Guest".encode()
    while 303 not in statuses and time.monotonic() < began + PATIENCE:
        for method, path in (("GET", page), ("GET", "/design.css"), ("POST", "/claim")):
            posts = method == "POST"
            statuses.append(await client.ask(method, path, form if posts else b"", FORM))
            if statuses[-1] not in (200, 303):
                client.leave()
                await asyncio.sleep(1)
                break
    return {"paired": 303 in statuses, "statuses": statuses, "seconds": time.monotonic() - began}


# The floods

Do = Callable[[Client, random.Random], Awaitable[str]]
"""Does one thing from an address, and returns the status of the answer."""


@dataclass(frozen=True, slots=True)
class Flood:
    """A row of the table of floods.

    Attributes:
        addresses: How many take part.
        do: What each does again and again.
        eve: Whether it has the cookie of a paired phone.
        presses: Whether its keys count, so that the phone's keys need not change the picture.
        claims: Whether phones are paired meanwhile.
        may: Statuses, beside 200 and 4xx, that it may be answered, as a regular expression.
    """

    addresses: int
    do: Do
    eve: bool = False
    presses: bool = False
    claims: bool = False
    may: str = "-"


def asks(method: str, path: str, body: bytes = b"", kind: str = "application/json") -> Do:
    async def do(client: Client, _: random.Random) -> str:
        return str(await client.ask(method, path, body, kind) or "hung up on")

    return do


def says(
    path: str = "",
    *,
    more: bytes = b"",
    times: int = 1,
    host: str = NAME,
    cut: int = 0,
    end: bool = False,
    **slowly: Any,
) -> Do:
    """Return what says a request, or a part of it, and then reads or drips slowly."""

    async def do(client: Client, _: random.Random) -> str:
        head = client.head("GET", path, host)[:-2] + more + b"\r\n" if path else b""
        heard = await client.say((head * times)[: -cut or None], end=end, **slowly)
        return heard[9:12].decode(errors="replace") or "hung up on"

    return do


async def guessed(client: Client, chance: random.Random) -> str:
    """Press a key with a cookie that is nearly right."""
    known, place = client.cookie, chance.randrange(len(client.cookie))
    wrong = chance.choice((known[:place], known[:place] + "ab" + known[place + 1 :], known.swapcase(), "%00"))
    stranger = Client(str(client.port), client.address, wrong)
    status = await stranger.ask("POST", "/key", b'{"key": "1"}')
    stranger.leave()
    return str(status or "hung up on")


async def claimed(client: Client, chance: random.Random) -> str:
    form = f"pin={chance.randrange(10**6):06}&name=Mallory".encode()
    return str(await client.ask("POST", "/claim", form, FORM) or "hung up on")


async def fuzzed(client: Client, chance: random.Random) -> str:
    """Send what no browser sends; each answer is whole, no error of the server, and a refusal is a sentence."""
    said, heard = Fuzzer(chance, f"{NAME}:{client.port}", client.cookie).next(), b""
    try:
        async with asyncio.timeout(within(PATIENCE)):
            reader, writer = await client.connect()
            with suppress(ConnectionError):
                writer.write(said)
                await asyncio.wait([reading := asyncio.ensure_future(reader.read(2**16))], timeout=UNANSWERED)
                if not reading.done():
                    writer.write_eof()  # so that what is no whole request ends before the server's own time-out
                while more := await reading:
                    heard += more
                    if whole(heard):
                        break
                    reading = asyncio.ensure_future(reader.read(2**16))
    except TimeoutError:
        raise AssertionError(f"{said[:200]!r} was neither answered nor ended; heard {heard[:200]!r}") from None
    finally:
        client.leave()
    check(heard)
    return heard[9:12].decode(errors="replace") or "hung up on"


FLOODS = {
    "250 addresses on /join": Flood(250, asks("GET", "/join")),
    "1 address that claims": Flood(1, claimed, claims=True),
    "250 addresses that claim": Flood(250, claimed, claims=True),
    "50 addresses that press keys": Flood(50, asks("POST", "/key", b'{"key": "1"}')),
    "50 addresses that guess cookies": Flood(50, guessed, eve=True),
    "250 idle connections": Flood(250, says()),
    "250 slow requests": Flood(250, says("/join", more=b"X: ", cut=2, drip=b"y", pause=0.2)),
    "100 that close one half": Flood(100, says("/join", more=b"X: ", cut=2, end=True)),
    "250 streams": Flood(250, says("/table/events", room=2048)),
    "250 headers of 15 kB": Flood(250, says("/join", more=PADDING)),
    "250 dripped headers behind 15 kB": Flood(250, says("/join", more=PADDING + b"X: ", cut=2, drip=b"y", pause=0.02)),
    "100 pipeliners that read slowly": Flood(100, says("/join", times=400, pause=0.05, room=2048)),
    "100 pipeliners on /generate_204": Flood(
        100, says("/generate_204", times=800, host="x.example", pause=0.01, room=4096), may="204"
    ),
    "20 connections with another Host": Flood(20, says("/join", host="evil.example")),
    "500 streams of one paired phone": Flood(500, says("/events"), eve=True),
    "keys of one paired phone": Flood(8, asks("POST", "/key", b'{"key": "*"}'), eve=True, presses=True, may="204"),
    SHORT: Flood(48, fuzzed, eve=True, presses=True, may="1..|204|30."),
}


async def pour(port: str, name: str, place: str, seconds: str, eve: str, seed: str) -> dict[str, int]:
    """Flood the page for some seconds, and count the answers."""
    flood, seen, chance = FLOODS[name], Counter[str](), random.Random(seed)
    over = time.monotonic() + float(seconds)

    async def one(client: Client) -> None:
        while time.monotonic() < over:
            seen[await flood.do(client, chance)] += 1
            await asyncio.sleep(0)

    clients = [
        Client(port, f"127.{10 + int(place)}.{number // 250}.{1 + number % 250}", eve if flood.eve else "")
        for number in range(flood.addresses)
    ]
    print("{}", flush=True)
    tasks = [asyncio.create_task(one(client)) for client in clients]
    await asyncio.wait(tasks, timeout=float(seconds), return_when=asyncio.FIRST_EXCEPTION)
    for task in tasks:
        task.cancel()
    for result in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(result, Exception) and not isinstance(result, OSError):
            raise result
    return dict(seen or {"hung up on": flood.addresses})


def main(role: str, *words: str) -> object:
    if role == "table":
        return serve_table()
    do: dict[str, Callable[..., Any]] = {"phone": play, "join": join, "pour": pour}
    return asyncio.run(do[role](*words))


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])), flush=True)
