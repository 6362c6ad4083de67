"""Phones as plain HTTP clients: each follows a stream, and each can send a request and wait until all have the news."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from tests.games.seeds import Dealt
from tests.web.tapped_evening import set_up

NAME = socket.gethostname().lower()
"""A name of this computer by which others call it, so that the page takes the clients for phones."""

PATIENCE = 60.0
"""Seconds that a client waits for anything."""


class PageBox:
    """A box with its page in another process.

    Attributes:
        folder: The folder of its journal.
        port: The page's port.
        secrets: The secrets of the paired phones.
        link: The link that lets in a browser of this computer.
    """

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.folder = folder
        self._process = process
        self._input: IO[str] = process.stdin
        self._output: IO[str] = process.stdout
        told = json.loads(self._output.readline())
        self.port: int = told["port"]
        self.secrets: list[str] = told["secrets"]
        self.link = f"http://127.0.0.1:{self.port}/here/{told['own']}"

    def press(self, keys: str) -> None:
        """Press keys of the device, and wait until they are done."""
        self._input.write(keys + "\n")
        self._input.flush()
        assert self._output.readline() == "done\n"

    @property
    def processor(self) -> float:
        """Return the seconds of processor time that it has used."""
        tasks = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    @property
    def memory(self) -> float:
        """Return its resident memory in megabytes."""
        return int(self._status("VmRSS", f"/proc/{self._process.pid}/status")) / 1024

    @property
    def wakes(self) -> int:
        """Return how often its threads went to sleep, and so were woken."""
        tasks = Path(f"/proc/{self._process.pid}/task").glob("*/status")
        return sum(int(self._status("voluntary_ctxt_switches", task)) for task in tasks)

    @staticmethod
    def _status(name: str, file: str | Path) -> str:
        lines = Path(file).read_text().splitlines()
        return next(line for line in lines if line.startswith(name)).split()[1]


@contextmanager
def page_box(dealt: Dealt, phones: int) -> Iterator[PageBox]:
    """Start a box in which a game has just begun, and end it after the block."""
    with TemporaryDirectory() as folder:
        set_up(Path(folder), dealt)
        command = [sys.executable, "-m", "tests.harness.bench.page_box", folder, str(phones)]
        world = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=world) as process:
            try:
                yield PageBox(process, Path(folder))
            finally:
                process.communicate("\n")


class PhoneClient:
    """A paired phone: a stream, and a connection for its requests.

    Attributes:
        latest: The data of the newest event.
        came: When it came, in seconds of ``time.perf_counter``.
        first: The bytes of its first event.
    """

    def __init__(self, port: int, secret: str, path: str) -> None:
        self.latest, self.came, self.first = b"", 0.0, 0
        self._port = port
        self._head = f"Host: {NAME}:{port}\r\nCookie: companion={secret}\r\n"
        self._path = path
        self._news = asyncio.Event()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[PhoneClient]:
        """Follow the stream while the block runs."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
        writer.write(f"GET {self._path} HTTP/1.1\r\n{self._head}\r\n".encode())
        watching = asyncio.create_task(self._watch(reader))
        try:
            await self.after(b"")
            yield self
        finally:
            watching.cancel()
            writer.transport.abort()
            self._writer.transport.abort()

    async def _watch(self, reader: asyncio.StreamReader) -> None:
        named = False
        while line := await reader.readline():
            if line.startswith(b"event:"):
                named = True
            elif not line.strip():
                named = False
            elif line.startswith(b"data: ") and not named:
                self.latest, self.came = line, time.perf_counter()
                self.first = self.first or len(line)
                self._news.set()

    async def after(self, before: bytes) -> None:
        """Wait until the newest event is another one."""
        async with asyncio.timeout(PATIENCE):
            while self.latest == before:
                self._news.clear()
                await self._news.wait()

    async def ask(self, method: str, path: str, message: object = None) -> bytes:
        """Send a request as browsers do, and return the body of the answer, which may be compressed."""
        body = b"" if message is None else json.dumps(message).encode()
        kind = "" if message is None else f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        self._writer.write(
            f"{method} {path} HTTP/1.1\r\nAccept-Encoding: gzip\r\n{self._head}{kind}\r\n".encode() + body
        )
        async with asyncio.timeout(PATIENCE):
            head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
            assert head.startswith((b"http/1.1 200", b"http/1.1 204")), head
            length = head.partition(b"content-length: ")[2].partition(b"\r\n")[0]
            return await self._reader.readexactly(int(length)) if length else b""

    @property
    def number(self) -> int:
        """Return the number of the question that the table's page shows."""
        number: int = json.loads(self.latest.removeprefix(b"data: "))["number"]
        return number


async def shown(phones: list[PhoneClient], sender: PhoneClient, path: str, message: object) -> float:
    """Send a request that changes the picture, and return the seconds until all phones have the news."""
    before = [phone.latest for phone in phones]
    began = time.perf_counter()
    await asyncio.gather(
        sender.ask("POST", path, message), *(phone.after(old) for phone, old in zip(phones, before, strict=True))
    )
    return max(phone.came for phone in phones) - began
