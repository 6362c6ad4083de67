"""The cost of the whole program: its start, its memory, its wake-ups when idle, and the time from a key to the panel.

Each figure comes from a separate process (`child.py`), on simulated pins and a bus that takes no time. All
modules are compiled to byte code before, as after an installation with pip.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from .table import Limit, Row


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        starts: How many starts are timed.
        idle: For how many seconds an idle box is watched.
        keys: How many keys are pressed.
    """

    starts: int
    idle: int
    keys: int


WHOLE, SHORT = Size(7, 20, 120), Size(2, 2, 10)
SEEN = "the box answers as soon as the simplest program with this panel"
ASKED = "fonts, words and all screens are loaded by then; it was 1.94 while OpenSSL was among them"
LOOKS = "looking at a key that is down costs at most twice what the key does"
ROOM = "a Pi Zero 2 has 512 MB, and a page needs some of it"

HELLO = "gpiozero+luma hello-world"


class Children:
    """Starts processes to measure, with a common folder for their byte code.

    Args:
        folder: That folder, unless one was set already.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self._world = {"PYTHONPYCACHEPREFIX": str(folder / "compiled"), **kept}

    def run(self, *arguments: str, data: Path | None = None) -> dict[str, Any]:
        """Run a child and return its measurements; it is given its starting time.

        Args:
            arguments: What it measures.
            data: The folder it writes in; None for an empty one.
        """
        with tempfile.TemporaryDirectory(dir=self._folder) as empty:
            world = {**self._world, "BENCH": str(data or empty)}
            begun = str(time.clock_gettime(time.CLOCK_MONOTONIC))
            command = [sys.executable, "-m", "tests.harness.bench.child", *arguments, begun]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=world)
        if done.returncode:
            raise RuntimeError(done.stderr)
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found


def started(children: Children, starts: int) -> Iterator[Row]:
    """Measure starts, the box and the hello-world in turn."""
    runs: dict[str, list[dict[str, Any]]] = {"bare": [], "start": []}
    for attempt in range(1 + starts):
        for kind, found in runs.items():
            measured = children.run(kind)
            if attempt:  # the first compiles
                found.append(measured)
    for what, name, times, unit, limits in (
        ("start to the first picture", "first", 1000, "ms", (Limit(1.1, SEEN, ratio=True),)),
        ("start to the first question", "ready", 1000, "ms", (Limit(1.7, ASKED, ratio=True),)),
        ("resident memory", "memory", 1, "MB", (Limit(1.5, ROOM, ratio=True),)),
    ):
        theirs, ours = (min(run[name] for run in found) * times for found in runs.values())
        yield Row(what, ours, unit, HELLO, theirs, limits)


def rows(size: Size) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        children = Children(Path(folder))
        yield from started(children, size.starts)
        wakes = children.run("idle", str(size.idle))["wakes"]
        yield Row("wake-ups of an idle box", wakes, "/s", limits=(Limit(1, "a box that nobody touches sleeps"),))
        touched = children.run("keys", str(size.keys))
        times = [seconds * 1000 for seconds in touched["times"]]
        settle = touched["settle"] * 1000
        yield Row(
            "key edge to last byte, median",
            median(times),
            "ms",
            "the contact's settling",
            settle,
            (Limit(10, "the panel follows the finger: as long again as the contact settles"),),
        )
        yield Row("key edge to last byte, worst", max(times), "ms", "the contact's settling", settle)
        keys, main = (seconds * 1000 for seconds in touched["used"])
        yield Row(
            "keypad's thread, a key of 60 ms",
            keys,
            "ms",
            "the main thread, same key",
            main,
            (Limit(2, LOOKS, ratio=True),),
        )
