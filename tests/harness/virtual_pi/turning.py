"""Turns a knob of the virtual Pi under load while a box plays in this process; run in the machine, as root.

The load is that of ``pressing``. A series is up to six detents one way, as fast as fingers turn; the next series goes
either way. Prints, as JSON, how many detents were turned, which way, and how many came, and the series that differ.
"""

from __future__ import annotations

import json
import random
import sys
import time
from itertools import groupby

from hardware.keys.contacts import KnobKeys

from .pressing import WIRES, ahead_of_others, taken

A, B, PUSH = 17, 27, 22
LONGEST = 6
EDGE, PAUSE = (0.003, 0.012), (0.1, 0.3)
"""Seconds between two edges of a detent, and after a series."""

SEED = 20


def plan(count: int) -> list[tuple[str, list[float], float]]:
    """Return series: which way, the pause after each edge, and the pause after the series.

    A detent closes both contacts and opens both: four edges.
    """
    draw = random.Random(SEED)
    return [
        (draw.choice("<>"), [draw.uniform(*EDGE) for _ in range(4 * draw.randint(1, LONGEST))], draw.uniform(*PAUSE))
        for _ in range(count)
    ]


def fingers(count: int) -> None:
    """Turn the knob."""
    ahead_of_others()
    for way, edges, pause in plan(count):
        first, second = (A, B) if way == ">" else (B, A)
        for number, seconds in enumerate(edges):
            contact = (first, second)[number % 2]
            WIRES.write_text(f"{'on' if number % 4 < 2 else 'off'} {contact} gnd\n")
            time.sleep(seconds)
        time.sleep(pause)


def main(count: int) -> None:
    """Turn the knob, and print what came of it."""
    turned = "".join(way * (len(edges) // 4) for way, edges, _ in plan(count))
    got = "".join(key.name for key in taken(KnobKeys(A, B, PUSH), __spec__.name, count))
    runs = [[(way, len([*same])) for way, same in groupby(keys)] for keys in (turned, got)]
    odd = next((pair for pair in zip(*runs, strict=False) if pair[0] != pair[1]), None)
    print(json.dumps({"series": count, "turned": len(turned), "came": len(got), "first odd": odd}))


if __name__ == "__main__":
    if sys.argv[1] == "fingers":
        fingers(int(sys.argv[2]))
    else:
        main(int(sys.argv[1]))
