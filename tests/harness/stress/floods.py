"""The floods of the chapter attacks, from many addresses: ``python -m tests.harness.stress.floods NAME SECONDS``.

Prints how many answers of each status came, as one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress

from .flood_players import Caller
from .namespaces import PORT, STRANGERS, TABLES

ADDRESSES = 250
PIPELINERS = 100
TABLE = TABLES[STRANGERS]
HOST = f"Host: {TABLE}\r\n".encode()
FORM = "application/x-www-form-urlencoded"
PADDING = b"".join(b"X-%d: %b\r\n" % (number, b"y" * 990) for number in range(15))
"""Headers of 15 kB."""

Flooder = Callable[[str], Awaitable[str]]
"""Does one thing from an address, and returns what came of it."""


def _asking(method: str, path: str, body: bytes = b"", kind: str = "application/json") -> Callable[[], Flooder]:
    """Return the maker of a flooder that sends requests over one connection."""

    def made() -> Flooder:
        callers: dict[str, Caller] = {}

        async def ask(address: str) -> str:
            caller = callers.setdefault(address, Caller(TABLE, address))
            return str(await caller.ask(method, path, body, kind) or "hung up on")

        return ask

    return made


def _saying(start: bytes, drip: bytes = b"", pause: float = 0.0, room: int = 0) -> Callable[[], Flooder]:
    """Return the maker of a flooder that says something, drips more, and reads slowly, until the server hangs up."""

    async def say(address: str) -> str:
        calls = socket.socket()
        if room:
            calls.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        calls.setblocking(False)
        writer = None
        heard = b""
        try:
            calls.bind((address, 0))
            await asyncio.get_running_loop().sock_connect(calls, (TABLE, PORT))
            reader, writer = await asyncio.open_connection(sock=calls, limit=room or 2**16)
            writer.write(start)
            while True:
                reading = reader.read(room or 2**16)
                with suppress(TimeoutError):
                    more = await (asyncio.wait_for(reading, pause) if drip else reading)
                    if not more:
                        break
                    heard = heard or more[9:12]
                if drip:
                    writer.write(drip)
                elif pause:
                    await asyncio.sleep(pause)
        except OSError:
            pass
        finally:
            if writer is not None:
                writer.transport.abort()
            calls.close()
        return heard.decode(errors="replace") or "hung up on"

    return lambda: say


def _get(path: bytes, more: bytes = b"", host: bytes = HOST) -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\n" + host + more + b"\r\n"


FLOODS: dict[str, tuple[int, Callable[[], Flooder]]] = {
    "250 addresses on /join": (ADDRESSES, _asking("GET", "/join")),
    "1 address that claims": (1, _asking("POST", "/claim", b"pin=000000", FORM)),
    "250 addresses that claim": (ADDRESSES, _asking("POST", "/claim", b"pin=000000", FORM)),
    "250 idle connections": (ADDRESSES, _saying(b"")),
    "250 slow requests": (ADDRESSES, _saying(b"GET /join HTTP/1.1\r\n" + HOST + b"X: ", b"y", 0.2)),
    "250 streams": (ADDRESSES, _saying(_get(b"/table/events"), room=2048)),
    "250 headers of 15 kB": (ADDRESSES, _saying(_get(b"/join", PADDING))),
    "250 dripped headers behind 15 kB": (ADDRESSES, _saying(_get(b"/join", PADDING)[:-2] + b"X: ", b"y", 0.02)),
    "100 pipeliners that read slowly": (PIPELINERS, _saying(_get(b"/join") * 400, pause=0.05, room=2048)),
    "100 pipeliners on /generate_204": (PIPELINERS, _saying(_get(b"/generate_204") * 800, pause=0.01, room=4096)),
    "20 connections with another Host": (20, _saying(_get(b"/join", host=b"Host: evil.example\r\n"))),
}
"""How many addresses take part in a flood, and what each does again and again."""


async def flood(name: str, seconds: float) -> dict[str, int]:
    """Flood the page for some seconds, and count what came of it."""
    many, maker = FLOODS[name]
    over, seen, do = time.monotonic() + seconds, Counter[str](), maker()

    async def pour(address: str) -> None:
        while time.monotonic() < over:
            seen[await do(address)] += 1
            await asyncio.sleep(0)

    network = TABLE.rpartition(".")[0]
    tasks = [asyncio.create_task(pour(f"{network}.{2 + number}")) for number in range(many)]
    await asyncio.wait(tasks, timeout=seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return dict(seen)


if __name__ == "__main__":
    print(json.dumps(asyncio.run(flood(sys.argv[1], float(sys.argv[2])))), flush=True)
