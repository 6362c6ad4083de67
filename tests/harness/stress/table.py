"""Evenings at the table: the machine of `tests/app/test_viewers_machine.py`, with many more and longer evenings."""

from __future__ import annotations

import functools
import gc
from collections.abc import Iterator

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.app.test_viewers_machine import BOARDS, Evening

INPUTS = 200
"""The most inputs of an evening, each of up to eight keys."""
MANY = 1000
"""The most that a cache without bounds may hold."""


def run(times: int, number: int) -> Iterator[str]:
    """Spend so many evenings.

    Raises:
        AssertionError: A promise was broken.
    """
    Evening.counts.clear()
    run_state_machine_as_test(
        seed(number)(Evening),
        settings=settings(
            max_examples=times,
            stateful_step_count=INPUTS,
            deadline=None,
            database=None,
            report_multiple_bugs=False,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        ),
    )
    did = ", ".join(f"{count:,} {what}" for what, count in Evening.counts.most_common())
    yield f"{times:,} evenings on {len(BOARDS)} kinds of boards, {did}: no exception, nothing lost, home stayed near"
    yield f"the fullest cache without bounds holds {_boundless()}"


def _boundless() -> int:
    """Return how much the fullest cache of the program without a limit holds.

    Raises:
        AssertionError: It is more than a program that runs for years can hold.
    """
    gc.collect()
    caches = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    ours = [
        one.cache_info() for one in caches if str(getattr(one, "__module__", "")).startswith(("companion", "hardware"))
    ]
    fullest = max((info.currsize for info in ours if info.maxsize is None), default=0)
    assert fullest <= MANY, f"a cache without bounds holds {fullest}"
    return fullest
