"""The running program, driven by its input and output or by its page, until it is killed."""

from __future__ import annotations

import http.client
import os
import select
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Protocol
from urllib.parse import urlsplit

import msgspec

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.cli.press import answer
from companion.journal import Journal
from companion.ui.keys import parse
from companion.ui.screens.home import GameListScreen
from companion.web.page_mirror import PageMirror, encode
from tests.fakes.clock import FixedClock
from tests.waiting import LAST_RESORT

from .random_hands import reads_history


def started(*words: str, errors: Path) -> subprocess.Popen[str]:
    """Start the program in a separate process group."""
    with errors.open("w") as said:
        return subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "companion", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            start_new_session=True,
        )


def ended(process: subprocess.Popen[str]) -> None:
    """Wait until a program has ended, and check that it left no process behind."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()
    process.wait(LAST_RESORT)
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return
    raise AssertionError("a process is left behind")


class WallClock(FixedClock):
    """A clock that stands still at the present: the program shows the day on which a game was begun."""

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()


class Program(Protocol):
    """A way to drive the program."""

    process: subprocess.Popen[str]
    most: int
    works_on: bool
    """Whether it shows more later: corrections that it finds, the end of a blink."""

    def model(self, journal: Journal) -> Box:
        """Return a box that must behave like the program."""

    def first(self) -> str:
        """Return what is shown after the start."""

    def send(self, keys: str) -> None:
        """Send a line of keys without waiting."""

    def answered(self) -> str:
        """Wait for the answer to the line, and return it."""

    def expected(self, box: Box) -> str:
        """Return the expected answer; the box has had the same keys."""

    def kill(self) -> None:
        """Kill it with SIGKILL, and check that no process is left."""


def must_agree(program: Program, answer: str, box: Box, what: str) -> None:
    """Check that a program shows what a box shows; not on screens that show minutes, or how far the history is read.

    Raises:
        AssertionError: It shows something else.
    """
    if isinstance(box.state.panel.screen, GameListScreen) or reads_history(box):
        return
    possible = [program.expected(box)]
    while program.works_on and answer not in possible:
        if box.search.due is not None:
            box.search.tick()
            possible.append(program.expected(box))
            continue
        try:
            answer = program.answered()
        except TimeoutError:
            break
    assert answer in possible, f"{what}: {answer} is not as {possible[0]}"


class Pressing:
    """``companion press -``: input is a line of keys, the answer a line of JSON."""

    most = 6
    works_on = False

    def __init__(self, folder: Path, errors: Path, options: Sequence[str] = ()) -> None:
        self.process = started("press", "--data", str(folder), *options, "-", errors=errors)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in: IO[str] = self.process.stdin
        self._out: IO[str] = self.process.stdout

    def model(self, journal: Journal) -> Box:
        clock = WallClock()
        return Box(journal, Outputs(MemoryPanel(), clock), clock)

    def first(self) -> str:
        """Press nothing, and return the answer."""
        self.send("")
        return self.answered()

    def send(self, keys: str) -> None:
        """Write a line; a closed input shows in the answer."""
        with suppress(BrokenPipeError):
            self._in.write(keys + "\n")
            self._in.flush()

    def answered(self) -> str:
        """Return a line of output; none if the program has ended."""
        there, _, _ = select.select([self._out], [], [], LAST_RESORT)
        assert there, f"nothing is answered for {LAST_RESORT} s"
        return self._out.readline().rstrip("\n")

    def expected(self, box: Box) -> str:
        """Return the line that a box would write."""
        return answer(box, "")

    def kill(self) -> None:
        """Kill it with SIGKILL, and check that no process is left."""
        self.process.kill()
        ended(self.process)

    def close(self) -> None:
        """Close its input and wait for its end."""
        ended(self.process)


class Paged:
    """``companion simulate``: a key is a request, the answer a frame; its lamp, which may blink, is left out."""

    most = 1
    works_on = True

    def __init__(self, folder: Path, errors: Path) -> None:
        self.process = started("simulate", "--data", str(folder), "--port", "0", errors=errors)
        self._asked = False
        self._open: list[http.client.HTTPConnection | http.client.HTTPResponse] = []

    def model(self, journal: Journal) -> Box:
        """Return a box with a page, which first asks for its language."""
        clock = WallClock()
        return Box(journal, Outputs(MemoryPanel(), clock, page=PageMirror()), clock, language=None)

    def first(self) -> str:
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert "http" in said, f"no page is served: {said!r}"
        url = urlsplit(next(word for word in said.split() if word.startswith("http")))
        assert url.hostname is not None
        self._keys = http.client.HTTPConnection(url.hostname, url.port, timeout=LAST_RESORT)
        self._frames = http.client.HTTPConnection(url.hostname, url.port, timeout=LAST_RESORT)
        self._open += [self._keys, self._frames]
        self._frames.request("GET", "/events")
        self._stream = self._frames.getresponse()
        self._open.append(self._stream)
        return self.answered()

    def send(self, keys: str) -> None:
        (key,) = parse(keys)
        body = msgspec.json.encode({"key": key.name, "held": key.held})
        self._keys.request("POST", "/key", body, {"Content-Type": "application/json"})
        self._asked = True

    def answered(self) -> str:
        """Return the next frame, after the answer to the request."""
        self._taken()
        named, patient_until = False, time.monotonic() + LAST_RESORT
        for line in self._stream:
            assert time.monotonic() < patient_until, f"nothing is shown for {LAST_RESORT} s"
            if line.startswith(b"event:"):
                named = True
            elif not line.strip():
                named = False
            elif line.startswith(b"data: ") and not named:
                return _without_lamp(line[6:])
        raise AssertionError("the page has gone")

    def _taken(self) -> None:
        if self._asked:
            response = self._keys.getresponse()
            refused = response.read()
            assert response.status == 204, refused
            self._asked = False

    def expected(self, box: Box) -> str:
        return _without_lamp(encode(box.frame))

    def kill(self) -> None:
        """Kill it with SIGKILL, and check that no process is left."""
        self.process.kill()
        ended(self.process)
        for one in self._open:
            one.close()


def _without_lamp(frame: bytes) -> str:
    content = msgspec.json.decode(frame)
    del content["lamp"]
    return msgspec.json.encode(content).decode()
