"""Everything that is read as text: logs, settings, boards, keys, what a journal holds, the environment.

Each text works, or one sentence says what is wrong with it, in a time that its length explains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from . import config_inputs, growth, key_inputs, log_inputs, process_inputs

PARTS: dict[Callable[[int, int], str], float] = {
    log_inputs.lines: 0.35,
    log_inputs.headers: 0.20,
    log_inputs.logs: 0.20,
    log_inputs.spelt: 0.05,
    log_inputs.odd: 0.015,
    config_inputs.configs: 0.05,
    config_inputs.boards: 0.07,
    key_inputs.typed: 0.05,
    key_inputs.journals: 0.0143,
    process_inputs.processes: 0.0007,
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
    yield log_inputs.monsters(min(MONSTER, times * 200))
    if times >= GROWING:
        yield from growth.grown(min(4000, times // 10))
