"""Clocks that jump, and two programs on one journal: nothing is lost, and problems are reported."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from . import clock_jumps, two_processes


def run(times: int, seed: int) -> Iterator[str]:
    """Run each in turn, and report how often each thing was seen."""
    with TemporaryDirectory() as name:
        place = Path(name)
        yield from _clocks(place, times, seed)
        yield from _programs(place, times, seed)


def _clocks(place: Path, times: int, seed: int) -> Iterator[str]:
    chance, seen = random.Random(f"{seed}/clocks"), Counter[str]()
    evenings = max(1, times // 5)
    for number in range(evenings):
        seen += clock_jumps.play(place / f"clock-{number}", f"{seed}/{number}", min(60, 15 * times))
    yield (
        f"the clock jumped {seen['jumps']} times between the years -1200 and 292 billion, on {2 * evenings} evenings "
        f"with {seen['games']} games and {seen['entries']} entries, panel and computer falling asleep: all of them "
        f"kept in order, {seen['wakings']} wakings of the loop and none in vain"
    )
    heard = clock_jumps.nights(chance, 5 * times)
    yield (
        f"{5 * times * len(clock_jumps.ZONES)} keys at the changes of summer time in {len(clock_jumps.ZONES)} zones: "
        f"{heard} by night and silent, the others heard"
    )


def _programs(place: Path, times: int, seed: int) -> Iterator[str]:
    chance, seen = random.Random(f"{seed}/programs"), Counter[str]()
    for number in range(1 + times // 10):
        seen += two_processes.meet(place / f"held-{number % 3}", chance)
    for number in range(times // 20):
        seen += two_processes.race(place / f"race-{number}")
    yield (
        f"{seen['refused']} second programs were refused in a sentence, {seen['stopped']} of them while the first did "
        f"not answer, and no byte was changed; {seen['races']} times two began at once, and one of them got it"
    )
    yield (
        f"{seen['looks']} looks of {two_processes.READERS} readers and {seen['exports']} exports "
        "while lines were written: "
        f"each as it was at some moment; {seen['handed over']} programs killed, the next had the journal at once"
    )
