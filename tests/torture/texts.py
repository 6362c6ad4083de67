"""Everything that is read as text: logs, settings, boards, keys, what a journal holds, the environment.

Each text works, or one sentence says what is wrong with it, in a time that its length explains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from . import configtexts, growth, keytexts, logtexts, processtexts

PARTS: dict[Callable[[int, int], str], float] = {
    logtexts.lines: 0.35,
    logtexts.headers: 0.20,
    logtexts.logs: 0.20,
    logtexts.spelt: 0.05,
    logtexts.odd: 0.015,
    configtexts.configs: 0.05,
    configtexts.boards: 0.07,
    keytexts.typed: 0.05,
    keytexts.journals: 0.0143,
    processtexts.processes: 0.0007,
}
"""What is done to which part of all texts."""

MONSTER = 10_000_000
"""Bytes of a line that is as large as can be."""

GROWING = 20_000
"""From so many texts on the growth of times is measured, too: with less to do, clocks tell nothing."""


def run(times: int, seed: int) -> Iterator[str]:
    """Have texts read.

    Raises:
        AssertionError: One of them neither worked nor was refused in a sentence, or took too long.
    """
    for part, share in PARTS.items():
        yield part(max(1, round(times * share)), seed)
    yield logtexts.monsters(min(MONSTER, times * 200))
    if times >= GROWING:
        yield from growth.grown(min(4000, times // 10))
