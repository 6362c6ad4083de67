"""A full disk and one that can only be read: the doctor tells one from the other, and the game goes on."""

from __future__ import annotations

import time
from collections.abc import Iterator

from .attempts import START, begin
from .evening import Evening
from .machine import DATA, UNIT, Machine

_FILL = f"""
free=$(df --output=avail -B1M {DATA} | tail -1)
fallocate -l "$((free - 1))M" {DATA}/../filler
dd if=/dev/zero of={DATA}/../filler.rest bs=4k 2>/dev/null || true
sync
df --output=avail -B1 {DATA} | tail -1
"""
_EMPTY = f"rm -f {DATA}/../filler {DATA}/../filler.rest; sync"
_READ_ONLY = "echo u >/proc/sysrq-trigger; until findmnt -n -o OPTIONS / | grep -q '^ro'; do sleep .2; done"

SHOWN = 3.0
"""Seconds until the panel shows that an entry was not saved."""

STARTED = 45
"""Seconds that a start takes at most on the emulated machine."""

_ABOUT = ("Disk:", "Games:", "Journal:")


def full_disk(evening: Evening) -> Iterator[str]:
    """Fill the disk, empty it, and make it read-only; the doctor names each, and every line that was saved is there."""
    machine = evening.machine
    begin(evening)
    machine.run("sysctl -q kernel.sysrq=1")
    wrong = []
    try:
        room = machine.run(_FILL).split()[-1]
        told = _disk(machine)
        right = "full" in told and "card" not in told and "read" not in told
        wrong += [] if right else ["a full disk"]
        yield f"{'WRONG: ' * (not right)}with {room} bytes of room the doctor says: {told}"
        yield _entry(evening, "full-disk")
    finally:
        machine.run(_EMPTY)
    evening.pressed = evening.script.ends[evening.kept()]
    yield f"with room again {evening.entered} are kept"
    machine.run(f"systemctl stop {UNIT}; rm -rf /run/companion/*; systemctl start {UNIT}")
    machine.wait_for_service()
    evening.sees(evening.script.restarted(evening.pressed).picture, START)

    machine.run(_READ_ONLY)
    try:
        told = _disk(machine)
        right = "read" in told and "full" not in told
        wrong += [] if right else ["a read-only disk"]
        yield f"{'WRONG: ' * (not right)}with a disk that can only be read the doctor says: {told}"
        yield _entry(evening, "read-only-disk")
        machine.run(f"systemctl restart --no-block {UNIT}; sleep {STARTED}")
        state, result, text = machine.service("ActiveState", "Result", "StatusText")
        wrong += [] if state == "active" else ["a start on a read-only disk"]
        picture = evening.keep(machine.glass(), "read-only-start")
        yield f"{'' if state == 'active' else 'WRONG: '}started on it: {state}, {result}, {text}; {picture}"
    finally:
        machine.cut()
        machine.up()
    machine.wait_for_service()
    evening.take_up()
    evening.sees(evening.script.restarted(evening.pressed).picture, START)
    yield f"after a power cut {evening.entered} are kept; the doctor says: {_disk(machine)}"
    assert not wrong, f"{', '.join(wrong)}"


def _entry(evening: Evening, name: str) -> str:
    """Make an entry that cannot be saved; return what is kept, and the name of the picture that the panel shows."""
    before = evening.kept()
    for keys in evening.entries(1):
        evening.machine.press(keys)
    time.sleep(SHOWN)
    picture = evening.keep(evening.machine.glass(), name)
    return f"an entry is made: before it {before} were kept, after it {evening.kept()}; the panel: {picture}"


def _disk(machine: Machine) -> str:
    """Return what the doctor says about the disk and the games."""
    report = machine.run("companion doctor || true").splitlines()
    lines = [
        " ".join([line, *(more.strip() for more in report[number + 1 : number + 2] if more.startswith(" "))])
        for number, line in enumerate(report)
        if any(topic in line for topic in _ABOUT)
    ]
    return " | ".join(lines)
