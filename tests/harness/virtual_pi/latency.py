"""Measures the time from a key to the panel; run in the virtual Pi, while a card is asked for.

Needs nothing of the project. Prints, in milliseconds from the press of a key, when the panel received the first and the
last byte of the next picture.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

WIRES = Path("/sys/kernel/labwire/ctl")
STATE = Path("/sys/kernel/labi2c/state")
ONE, BACK = "5 12", "19 12"
"""The first digit of a rank, and the key that undoes it."""

TRIES = 12
DOWN = 0.3
"""Seconds a key is down: at most half of a hold."""

LOOK = 0.002
QUIET = 0.5
LATE = 3.0


def received() -> int:
    """Return how many bytes of pictures the panel has received."""
    return int(STATE.read_text().split(" data=")[1].split()[0])


def touched(key: str) -> tuple[float, float] | None:
    """Press a key; return the seconds until the panel received the first byte after it, and the last."""
    before, first, last, down = received(), 0.0, 0.0, True
    began = time.monotonic()
    WIRES.write_text(f"on {key}")
    while (passed := time.monotonic() - began) < (last + QUIET if first else LATE):
        time.sleep(LOOK)
        if down and passed > DOWN:
            WIRES.write_text(f"off {key}")
            down = False
        now = received()
        if now != before:
            before, last = now, time.monotonic() - began
            first = first or last
    if down:
        WIRES.write_text(f"off {key}")
    return (first, last) if first else None


def main() -> None:
    firsts: list[float] = []
    lasts: list[float] = []
    while len(firsts) < TRIES:
        found = touched(ONE)
        if found is None:  # the processor stood still, and nothing is half entered
            continue
        while touched(BACK) is None:
            pass
        firsts.append(1000 * found[0])
        lasts.append(1000 * found[1])
    print(json.dumps({"first byte": firsts, "last byte": lasts}))


if __name__ == "__main__":
    main()
