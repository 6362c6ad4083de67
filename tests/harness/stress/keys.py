"""A million keys on every board, in every language: no exception, home stays near, memory stays constant."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from companion.ui.keys import KEYPAD, KeyLayout
from companion.ui.translations import languages
from hardware.board import load, names

from .random_handling import Handled, Seen
from .resource_usage import Levels

LIFE = 4000
"""Keys until the box and journal are replaced; the last box lives ten times as long."""
PAGE = 4
"""One box in this many has a page open."""
WARM = 0.4
"""The part of all keys after which memory must stay constant."""
GROWTH = 3 << 20
"""Bytes by which it may vary: memory the allocator keeps."""
LEAST = 200_000
"""Keys below which one process is enough, and memory is not checked: caches still fill."""
MANY = 1000
"""The most that a cache without bounds may hold."""


def boards() -> dict[str, KeyLayout]:
    """Return every board, a rotary encoder without a back button, and a bare keypad."""
    known = {name: load(name).keyed() for name in names()}
    return {**known, "a knob alone": KeyLayout.of("<o>", knob=True), "a bare keypad": KEYPAD}


@dataclass(frozen=True, slots=True)
class Pressed:
    """The results of many keys.

    Attributes:
        keys: How many.
        last: How many of them the last box had.
        seen: What was seen.
        warm: The process's resources after warming up.
        end: Its resources at the end.
    """

    keys: int
    last: int
    seen: Seen
    warm: Levels
    end: Levels


def run(times: int, seed: int) -> Iterator[str]:
    """Press so many keys; in two processes if they are many."""
    if times < LEAST:
        parts = [press(times, f"{seed}/keys")]
    else:
        with ProcessPoolExecutor(2, get_context("spawn")) as pool:
            shares = (times // 2, times - times // 2)
            parts = list(pool.map(press, shares, (f"{seed}/{number}/keys" for number in range(2))))
    seen = Seen()
    for part in parts:
        seen.add(part.seen)
    yield from _reported(seen, times, max(part.last for part in parts))
    yield from map(_memory, parts)


def press(times: int, seed: str) -> Pressed:
    chance, seen, there = random.Random(seed), Seen(), boards()
    tongues, warm = (*languages(), None), None
    left, number, keys = times, chance.randrange(100), 0
    while left:
        name = tuple(there)[number % len(there)]
        last = left <= 10 * LIFE and times > 50 * LIFE
        keys = left if last else min(left, LIFE, max(100, times // 10))
        Handled(name, there[name], chance.choice(tongues), chance, seen, page=number % PAGE == 0).live(keys)
        left, number = left - keys, number + 1
        if warm is None and left <= times * (1 - WARM):
            warm = Levels.now()
    assert warm is not None
    return Pressed(times, keys, seen, warm, Levels.now())


def _reported(seen: Seen, keys: int, last: int) -> Iterator[str]:
    counts = seen.counts
    single = {kind.partition(" < ")[0] for kind in seen.kinds}
    yield (
        f"{keys:,} keys on {counts['boxes']} boxes with {len(boards())} kinds of boards in {len(languages())} "
        f"languages, {counts['held']:,} of them held, {counts['texts']:,} texts; one box had {last:,}: no exception"
    )
    yield (
        f"{counts['games']:,} games begun, {counts['finished']:,} of them finished, {counts['entries']:,} lines; "
        f"{counts['compared']:,} times the table was what its log says, and what a box started anew shows"
    )
    yield (
        f"{counts['faults']:,} faults of panels, {counts['full']:,} times a full disk: the picture was there when they "
        "had passed, and everything was saved"
    )
    ways = ", ".join(f"{name} {way} ({kind})" for name, (_keys, kind, way) in sorted(seen.worst.items()))
    yield (
        f"{counts['ways']:,} times home was looked for, from {len(single)} kinds of screens opened in "
        f"{len(seen.kinds)} ways: at most {max(worst[0] for worst in seen.worst.values())} keys away; furthest: {ways}"
    )


def _memory(part: Pressed) -> str:
    warm, end = part.warm, part.end
    assert end.boundless <= MANY, f"a cache without bounds holds {end.boundless}"
    grown = end.resident - warm.resident
    if part.keys >= LEAST // 2:
        assert grown <= GROWTH, f"memory grew by {grown / 1e6:.1f} MB"
    return (
        f"memory after {WARM:.0%} of {part.keys:,} keys {warm.resident / 1e6:.1f} MB and {warm.objects:,} objects, at "
        f"the end {end.resident / 1e6:.1f} MB and {end.objects:,}; the fullest cache holds {end.cached}"
    )
