"""Everything that is read as text: logs, settings, boards, keys, journals, the environment.

Each text works, or one sentence says what is wrong with it, in a time in proportion to its length.
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
"""The share of all texts that each kind of input gets."""

MONSTER = 10_000_000
"""The size of the largest line, in bytes."""

GROWING = 20_000
"""The number of texts from which the growth of times is measured, too; with fewer, clocks are too coarse."""


def run(times: int, seed: int) -> Iterator[str]:
    """Read texts of all kinds.

    Raises:
        AssertionError: A text neither worked nor was refused in a sentence, or took too long.
    """
    for part, share in PARTS.items():
        yield part(max(1, round(times * share)), seed)
    yield log_inputs.monsters(min(MONSTER, times * 200))
    if times >= GROWING:
        yield from growth.grown(min(4000, times // 10))
