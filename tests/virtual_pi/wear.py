"""The wear of the card: bytes the virtual disk takes for an entry, by its own counters."""

from __future__ import annotations

from collections.abc import Iterator

from .evening import Evening
from .machine import DATA, UNIT

ENTRIES = 120
IDLE = 40
"""Seconds after which the system has written back all that was left to it."""

LIMIT = 6 * 1024
"""Bytes an entry may write, everything included."""

_WRITTEN = f"disk=$(findmnt -n -o SOURCE -T {DATA}); awk '{{ print 512 * $7 }}' /sys/block/${{disk#/dev/}}/stat"


def wear(evening: Evening) -> Iterator[str]:
    """Play another game, and count what has reached the disk when it is quiet again."""
    machine, pressed = evening.machine, evening.pressed
    machine.run(f"systemctl stop {UNIT}; mv {DATA} {DATA}.kept; systemctl start {UNIT}")
    try:
        machine.wait_for_service()
        evening.pressed = 0
        evening.sees(evening.picture)
        evening.enter(1)
        before, begun = _settled(evening), evening.pressed
        evening.enter(ENTRIES)
        written = _settled(evening) - before
    finally:
        machine.run(f"systemctl stop {UNIT}; rm -r {DATA}; mv {DATA}.kept {DATA}; systemctl start {UNIT}")
        machine.wait_for_service()
        keys, evening.pressed = evening.pressed, pressed
    options = machine.run(f"findmnt -n -o OPTIONS -T {DATA}").strip()
    yield (
        f"{ENTRIES} entries, {keys - begun} keys: {written / ENTRIES:.0f} bytes an entry, everything included; "
        f"mounted {options}"
    )
    assert written <= LIMIT * ENTRIES, f"an entry writes {written / ENTRIES:.0f} bytes"


def _settled(evening: Evening) -> int:
    """Wait until the system has written back what it held, and return the bytes the disk has taken so far."""
    return int(evening.machine.run(f"sleep {IDLE}; {_WRITTEN}"))
