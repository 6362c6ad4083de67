"""Times work: takes the least of several tries, to reduce the influence of other processes."""

from __future__ import annotations

import time
from collections.abc import Callable

TRIES = 7


def timed(run: Callable[[], object], tries: int = TRIES) -> float:
    """Return the least processor time of a few tries, in seconds."""
    (best,) = beside(run, tries=tries)
    return best


def beside(*runs: Callable[[], object], tries: int = TRIES) -> tuple[float, ...]:
    """Return the least processor time of each of several functions, called in turn, in seconds."""
    best = [float("inf")] * len(runs)
    for _try in range(tries):
        for number, run in enumerate(runs):
            begun = time.process_time()
            run()
            best[number] = min(best[number], time.process_time() - begun)
    return tuple(best)
