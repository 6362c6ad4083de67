"""What the whole program costs: its start, its memory, its sleep, and a key from the finger to the glass.

Each figure is of a process of its own (`tests.bench.child`), on simulated lines and a bus that takes no time.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

TRIES = 5
IDLE = 20
"""Seconds an idle box is watched."""


def child(*arguments: str) -> dict[str, Any]:
    """Run a child and return what it measured; it is told when it was started."""
    command = [sys.executable, "-m", "tests.bench.child", *arguments, str(time.clock_gettime(time.CLOCK_MONOTONIC))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def rows() -> Iterator[str]:
    """Measure, and yield the figures line by line."""
    bare = [child("bare") for _try in range(TRIES)]
    ours = [child("start") for _try in range(TRIES)]
    for what, name in (("start to first picture", "first"), ("start to the first question", "ready")):
        mine, theirs = (min(run[name] for run in runs) for runs in (ours, bare))
        yield f"{what:<32}{mine:10.3f} s    (a bare gpiozero + luma hello-world {theirs:.3f} s: {mine / theirs:.2f})"
    mine, theirs = (min(run["memory"] for run in runs) for runs in (ours, bare))
    yield f"resident memory                 {mine:10.1f} MB   (the hello-world {theirs:.1f} MB: {mine / theirs:.2f})"
    idle = child("idle", str(IDLE))
    yield f"idle wake-ups a second          {idle['wakes']:10.2f}      (aim: 1 or less; all threads, {IDLE} s)"
    touched = child("keys")
    times = [seconds * 1000 for seconds in touched["times"]]
    yield (
        f"key edge to last byte           {median(times):10.2f} ms   (worst {max(times):.1f} ms of {len(times)} keys; "
        f"{touched['settle'] * 1000:.0f} ms of it the contact's own settling)"
    )
