"""Clocks that jump, two programs on one journal, journals of other versions: nothing is lost, everything is said."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from . import jumps, rivals, versions


def run(times: int, seed: int) -> Iterator[str]:
    """Try each in turn, and say how often what was seen."""
    with TemporaryDirectory() as name:
        place = Path(name)
        yield from _clocks(place, times, seed)
        yield from _programs(place, times, seed)
        yield from _versions(place, times, seed)


def _clocks(place: Path, times: int, seed: int) -> Iterator[str]:
    chance, seen = random.Random(f"{seed}/clocks"), Counter[str]()
    evenings = max(1, times // 5)
    for number in range(evenings):
        seen += jumps.play(place / f"clock-{number}", f"{seed}/{number}", min(60, 15 * times))
    aside = jumps.set_aside(place / "aside", chance)
    yield (
        f"the clock jumped {seen['jumps']} times between the years -1200 and 292 billion, on {2 * evenings} evenings "
        f"with {seen['games']} games and {seen['entries']} entries, panel and computer falling asleep: all of them "
        f"kept in order, {seen['wakings']} wakings of the loop and none in vain; {aside} journals set aside meanwhile"
    )
    heard = jumps.nights(chance, 5 * times)
    yield (
        f"{5 * times * len(jumps.ZONES)} keys at the changes of summer time in {len(jumps.ZONES)} zones: "
        f"{heard} by night and silent, the others heard"
    )


def _programs(place: Path, times: int, seed: int) -> Iterator[str]:
    chance, seen = random.Random(f"{seed}/programs"), Counter[str]()
    for number in range(1 + times // 10):
        seen += rivals.meet(place / f"held-{number % 3}", chance)
    for number in range(times // 20):
        seen += rivals.race(place / f"race-{number}")
    yield (
        f"{seen['refused']} second programs were refused in a sentence, {seen['stopped']} of them while the first did "
        f"not answer, and no byte was changed; {seen['races']} times two began at once, and one of them got it"
    )
    yield (
        f"{seen['looks']} looks of {rivals.READERS} readers and {seen['exports']} exports while lines were written: "
        f"each as it was at some moment; {seen['handed over']} programs killed, the next had the journal at once"
    )


def _versions(place: Path, times: int, seed: int) -> Iterator[str]:
    chance, seen = random.Random(f"{seed}/versions"), Counter[str]()
    for number in range(times):
        folder = place / f"version-{number}"
        seen += versions.migrate(folder / "cut", chance)
        if number % 10 == 0:
            seen += versions.refuse(folder / "newer", chance, processes=number > 0)
        if number % 10 == 9:
            seen += versions.kill(folder / "killed", chance)
    yield f"{seen['newer']} commands met a journal of a later version: each said so, and no byte of it was changed"
    yield (
        f"{seen['older']} journals of versions 1 to {len(versions.EVER) - 1} with {seen['migrated']} entries brought "
        f"to version {len(versions.EVER)} ({len(versions.INVENTED)} steps invented), the power cut at {seen['cuts']} "
        f"statements, {seen['killed']} programs killed at it: every line and half entry kept"
    )
