"""Wakes the threads that wait until something has changed, such as the panel's picture."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


class Listeners:
    """Functions to call after a change, such as the streams of a page; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wakers: set[Callable[[], None]] = set()

    def __len__(self) -> int:
        with self._lock:
            return len(self._wakers)

    @contextmanager
    def listening(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call ``wake`` after every change inside the block, in the thread that makes it."""
        with self._lock:
            self._wakers.add(wake)
        try:
            yield
        finally:
            with self._lock:
                self._wakers.discard(wake)

    def wake(self) -> None:
        """Call the functions, after a change."""
        with self._lock:
            wakers = tuple(self._wakers)
        for wake in wakers:
            with suppress(RuntimeError):  # the listener's event loop has closed since
                wake()
