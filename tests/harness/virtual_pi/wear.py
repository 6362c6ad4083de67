"""The wear of the card: bytes written to the virtual disk for each entry, by its own counters."""

from __future__ import annotations

import time
from collections.abc import Iterator

from .attempts import add_entries
from .evening import Evening
from .machine import DATA, UNIT

ENTRIES = 120
PACE = 3.0
"""Seconds from one entry to the next: that of a quick table."""

IDLE = 40
"""Seconds after which the system has written back everything."""

LIMIT = 6 * 1024
"""The most bytes written for an entry, everything included."""

_LOG = "/run/systemd/journald.conf.d/wear.conf"
"""A setting that keeps the system's log in memory, as Raspberry Pi OS does; Debian has it on the disk."""

_OWN = f"awk '/^write_bytes/ {{ print $2 }}' /proc/$(systemctl show -P MainPID {UNIT})/io"
_WRITTEN = f"disk=$(findmnt -n -o SOURCE -T {DATA}); awk '{{ print 512 * $7 }}' /sys/block/${{disk#/dev/}}/stat"


def wear(evening: Evening) -> Iterator[str]:
    """Play another game at a human pace, and count the bytes on the disk once all is written back."""
    machine, pressed = evening.machine, evening.pressed
    machine.run(
        f"mkdir -p $(dirname {_LOG}); printf '[Journal]\\nStorage=volatile\\n' >{_LOG}; "
        "systemctl restart systemd-journald; "
        f"systemctl stop {UNIT}; mv {DATA} {DATA}.kept; systemctl start {UNIT}"
    )
    try:
        machine.wait_for_service()
        evening.pressed = 0
        add_entries(evening, 1)
        evening.sees(evening.script.restarted(evening.pressed).picture)
        before, own, begun = _settled(evening), int(machine.run(_OWN)), evening.pressed
        for _entry in range(ENTRIES):
            evening.enter(1)
            time.sleep(PACE)
        written, own = _settled(evening) - before, int(machine.run(_OWN)) - own
    finally:
        machine.run(
            f"rm {_LOG}; systemctl restart systemd-journald; "
            f"systemctl stop {UNIT}; rm -r {DATA}; mv {DATA}.kept {DATA}; systemctl start {UNIT}"
        )
        machine.wait_for_service()
        keys, evening.pressed = evening.pressed, pressed
    options = machine.run(f"findmnt -n -o OPTIONS -T {DATA}").strip()
    yield (
        f"{ENTRIES} entries, one every {PACE:.0f} s, {keys - begun} keys: {written / ENTRIES:.0f} bytes an entry "
        f"on the disk, everything included, {own / ENTRIES:.0f} of them the program's; mounted {options}"
    )
    assert written <= LIMIT * ENTRIES, f"an entry writes {written / ENTRIES:.0f} bytes"


def _settled(evening: Evening) -> int:
    """Wait until the system has written everything back, and return the bytes written to the disk so far."""
    return int(evening.machine.run(f"sleep {IDLE}; {_WRITTEN}"))
