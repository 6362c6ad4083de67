"""Presses keys of the virtual Pi's keypad under load while a box plays in this process; run in the machine, as root.

Fingers have a process of their own, which the kernel prefers, so a press lasts as long as planned. The processor is
shared with busy loops, so the box is late. Prints, as JSON, how many presses of each duration were entered, told as
missed, or lost without a word, and how many keys came that nobody had pressed.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue

from companion.app.state import PANEL
from companion.ui import keys as key_names
from companion.ui.keys import Key
from hardware.keys.contacts import ButtonKeys
from hardware.keys.matrix import MatrixKeys
from hardware.keys.source import BoardKeys
from tests.app.boxes import playing

WIRES = Path("/sys/kernel/labwire/ctl")
ROWS, COLUMNS, NAMES = (5, 6, 13, 19), (12, 16, 20, 21), ("123A", "456B", "789C", "*0#D")
SHORTEST, LONGEST, PAUSE = 0.05, 0.2, (0.06, 0.4)
"""Seconds that a press lasts, and between two of them."""

LOOPS = 2
SEED = 20
QUIET = 5.0
"""Seconds after the last press within which its key must have come."""

MISSED = getattr(key_names, "MISSED", None)


def plan(count: int) -> list[tuple[str, float, float]]:
    """Return presses: the key, how long it is down, and how long nothing is down after it."""
    draw = random.Random(SEED)
    names = "".join(NAMES)
    return [(draw.choice(names), draw.uniform(SHORTEST, LONGEST), draw.uniform(*PAUSE)) for _ in range(count)]


def ahead_of_others() -> None:
    """Run this process ahead of every other one."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))


def fingers(count: int) -> None:
    """Perform the presses."""
    ahead_of_others()
    wire = {
        name: f"{row} {column}"
        for row, names in zip(ROWS, NAMES, strict=True)
        for column, name in zip(COLUMNS, names, strict=True)
    }
    for name, down, up in plan(count):
        for order, seconds in (("on", down), ("off", up)):
            WIRES.write_text(f"{order} {wire[name]}\n")
            time.sleep(seconds)


def outcomes(pressed: Sequence[str], got: Sequence[Key]) -> tuple[list[str], int]:
    """Return what became of each press, and the number of keys that nobody pressed: the likeliest reading of both."""
    costs = [[2 * n for n in range(len(got) + 1)]]
    for name in pressed:
        row = [costs[-1][0] + 1]
        for n, key in enumerate(got):
            fits = costs[-1][n] if key in (Key(name), MISSED) else sys.maxsize
            row.append(min(fits, costs[-1][n + 1] + 1, row[-1] + 2))
        costs.append(row)
    found: list[str] = []
    invented, p, n = 0, len(pressed), len(got)
    while p or n:
        if p and n and got[n - 1] in (Key(pressed[p - 1]), MISSED) and costs[p][n] == costs[p - 1][n - 1]:
            p, n = p - 1, n - 1
            found.append("told" if got[n] == MISSED else "entered")
        elif p and costs[p][n] == costs[p - 1][n] + 1:
            p -= 1
            found.append("lost")
        else:
            n -= 1
            invented += 1
    return found[::-1], invented


@contextmanager
def busy_processor() -> Iterator[None]:
    """Share the processor with busy programs during the block."""
    loops = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(LOOPS)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def taken(keys: MatrixKeys | ButtonKeys, module: str, count: int) -> list[Key]:
    """Let a module's fingers move `count` times on a busy processor; return the keys that a playing box was given."""
    came = SimpleQueue[Key]()
    got: list[Key] = []
    box = playing()
    with busy_processor():
        source = BoardKeys([keys])
        source.start(came.put)
        time.sleep(1)
        hand = subprocess.Popen([sys.executable, "-m", module, "fingers", str(count)])
        over = None
        while over is None or time.monotonic() < over:
            if over is None and hand.poll() is not None:
                over = time.monotonic() + QUIET
            try:
                got.append(came.get(timeout=0.2))
            except Empty:
                continue
            box.take(PANEL, got[-1])
        source.close()
    assert hand.returncode == 0
    return got


def main(count: int) -> None:
    """Press keys, and print what became of them."""
    got = taken(MatrixKeys(ROWS, COLUMNS, NAMES), __spec__.name, count)
    presses = plan(count)
    found, invented = outcomes([name for name, _, _ in presses], got)
    durations: dict[str, dict[str, int]] = {}
    lost = []
    for number, ((_, down, _), outcome) in enumerate(zip(presses, found, strict=True)):
        counts = durations.setdefault(f"{int(down * 20) * 50} ms", {"entered": 0, "told": 0, "lost": 0})
        counts[outcome] += 1
        if outcome == "lost":
            lost.append(presses[max(number - 1, 0) : number + 2])
    print(json.dumps({"presses": dict(sorted(durations.items(), key=_first)), "lost": lost, "invented": invented}))


def _first(pair: tuple[str, object]) -> int:
    return int(pair[0].split()[0])


if __name__ == "__main__":
    if sys.argv[1] == "fingers":
        fingers(int(sys.argv[2]))
    else:
        main(int(sys.argv[1]))
