"""Measurements of the real service on a real kernel; the processor is emulated, so times are only a rough guide."""

from __future__ import annotations

import json
from collections.abc import Iterator
from statistics import median

from .evening import Evening
from .machine import TREE, UNIT

IDLE = 64
"""Seconds the idle service is watched: eight watchdog pings."""

_THREADS = f"""
pid=$(systemctl show -P MainPID {UNIT})
each() {{ for task in /proc/$pid/task/*; do
    echo $(cat $task/comm) $(awk '/^voluntary/ {{ print $2 }}' $task/status); done; }}
each; sleep {IDLE}; each
"""

_COUNT = f"""
pid=$(systemctl show -P MainPID {UNIT})
wakes() {{ awk '/^voluntary/ {{ n += $2 }} END {{ print n }}' /proc/$pid/task/*/status; }}
ticks() {{ awk '{{ print $14 + $15 }}' /proc/$pid/stat; }}
wakes; ticks; sleep {IDLE}; wakes; ticks
ls /proc/$pid/task | wc -l
awk '/^Pss:/ {{ print $2 }}' /proc/$pid/smaps_rollup
"""


def figures(evening: Evening) -> Iterator[str]:
    """Measure the idle service, its start, and the time from a key to the panel."""
    machine = evening.machine
    evening.sees_one_of((evening.picture, evening.script.restarted(evening.pressed).picture))
    wakes, ticks, wakes_after, ticks_after, threads, memory = map(int, machine.run(_COUNT).split())
    yield (
        f"idle: {(wakes_after - wakes) / IDLE:.2f} sleeps ended a second, by {threads} threads over {IDLE} s, "
        f"{(ticks_after - ticks) / IDLE:.1f} % of the processor; {memory / 1024:.0f} MB"
    )
    yield f"by thread: {_each(machine.run(_THREADS))}"
    begun, ready = (
        int(told) / 1e6 for told in machine.service("ExecMainStartTimestampMonotonic", "ActiveEnterTimestampMonotonic")
    )
    yield f"start: the service began {begun:.1f} s after the kernel and was ready {ready - begun:.1f} s later"
    machine.copy_in(["tests/harness/virtual_pi/latency.py"])
    times = json.loads(machine.run(f"python3 {TREE}/tests/harness/virtual_pi/latency.py"))
    yield "key to glass: " + "; ".join(
        f"{name} {median(values):.0f} ms median, {max(values):.0f} ms worst of {len(values)}"
        for name, values in times.items()
    )


def _each(told: str) -> str:
    """Return how often each thread woke in a second, from its counts at both ends of the time."""
    lines = [line.rsplit(" ", 1) for line in told.splitlines()]
    half = len(lines) // 2
    woken = (
        (name, int(after) - int(before))
        for (name, before), (_name, after) in zip(lines[:half], lines[half:], strict=True)
    )
    return ", ".join(f"{name} {count / IDLE:.2f}" for name, count in woken)
