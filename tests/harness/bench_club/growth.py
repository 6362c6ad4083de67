"""What 10, 100 and 1,000 tables cost the hub: processor time of each program for an entry, memory, delays."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.harness.bench_club.hub import Hub
from tests.harness.bench_club.watching import Browsers

TICKS = os.sysconf("SC_CLK_TCK")
SIZES = (10, 100, 1000)


def measure(pace: float, seconds: float) -> None:
    """Let so many tables play on a new hub each, and print the figures of each size."""
    for tables in SIZES:
        hub = Hub()
        try:
            browsers = Browsers(hub.pages, 10)
            before = {name: processor(pid) for name, pid in hub.pids.items()}
            command = (sys.executable, "-m", "tests.harness.bench_club.crowd", str(hub.broker))
            said = subprocess.run(
                (*command, "0", str(tables), str(pace), str(seconds), str(seconds)), capture_output=True, check=True
            )
            time.sleep(2)  # until all is shown
            entries = sum(length for games in json.loads(said.stdout)["games"].values() for length, _ in games.values())
            costs = {name: 1000 * (processor(pid) - before[name]) / entries for name, pid in hub.pids.items()}
            memory = {name: resident(pid) for name, pid in hub.pids.items() if name != "database"}
            each = ", ".join(f"{name} {cost:.2f}" for name, cost in costs.items())
            print(f"{tables} tables, {entries} entries, {browsers.updates} updates of the page: ", end="")
            print(f"{sum(costs.values()):.2f} ms of processor an entry ({each}); ", end="")
            print(", ".join(f"{name} {size:.0f} MB" for name, size in memory.items()), flush=True)
        finally:
            hub.close()


def processor(pid: int) -> float:
    """Return the seconds of processor time of a process, and of its children, those that have ended, too."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except FileNotFoundError:  # it has just ended: its parent counts it
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS + sum(processor(int(child)) for child in children)


def resident(pid: int) -> float:
    """Return the megabytes that a process holds."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
