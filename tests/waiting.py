"""Waiting for another thread, program or browser: as long as it takes, however busy the machine is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LAST_RESORT = 120.0
"""Seconds after which something is taken to hang. No test passes or fails by how long anything takes."""


def until(condition: Callable[[], object], what: str = "it") -> None:
    """Wait until a condition holds that nobody tells of.

    Raises:
        AssertionError: It never does.
    """
    end = time.monotonic() + LAST_RESORT
    while not condition():
        assert time.monotonic() < end, f"{what} does not come"
        time.sleep(0.005)


@contextmanager
def running(run: Callable[[], object], stop: Callable[[], object]) -> Iterator[None]:
    """Run something in a thread until the block ends, and then stop it."""
    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        stop()
        thread.join(LAST_RESORT)
        assert not thread.is_alive()
