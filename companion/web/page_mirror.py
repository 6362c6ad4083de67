"""Hands the newest frame from the loop's thread to the page's listeners.

Imports the standard library and msgspec only: the loop uses it even where no page is served.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import msgspec

from companion.app.ports import BoxOutput, Listeners, PageKey


def encode(frame: BoxOutput) -> bytes:
    """Write a frame as one line of JSON.

    The panel is its 1-bit rows, each padded to whole bytes, the leftmost pixel in the highest bit.
    """
    width, height = frame.picture.size
    return msgspec.json.encode(
        {
            "panel": frame.picture.tobytes(),  # becomes base64
            "width": width,
            "height": height,
            "lamp": frame.lamp,
            "labels": dict(frame.labels),
            "words": frame.words,
            "asleep": frame.asleep,
            "wanted": frame.expected_text,
        }
    )


class PageMirror:
    """Keeps the newest frame and wakes its listeners; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frame: BoxOutput | None = None
        self._number = 0
        self._listeners = Listeners()
        self._wanted: Counter[PageKey] = Counter()

    @property
    def wanted(self) -> frozenset[PageKey]:
        """Return the live pages that somebody looks at."""
        with self._lock:
            return frozenset(self._wanted)

    @contextmanager
    def looking_at(self, page: PageKey) -> Iterator[None]:
        """Have frames shown inside the block contain the contents of a live page."""
        with self._lock:
            self._wanted[page] += 1
        try:
            yield
        finally:
            with self._lock:
                self._wanted[page] -= 1
                self._wanted += Counter()  # forgets pages that nobody looks at

    def show(self, frame: BoxOutput) -> None:
        """Keep a frame and wake the listeners; returns at once and never raises."""
        with self._lock:
            self._frame = frame
            self._number += 1
        self._listeners.wake()

    def newest(self) -> tuple[int, BoxOutput | None]:
        """Return the number of frames shown until now, and the newest; None before the first."""
        with self._lock:
            return self._number, self._frame

    def listening(self, wake: Callable[[], None]) -> AbstractContextManager[None]:
        """Call ``wake`` after every frame shown inside the block, in the thread that shows it."""
        return self._listeners.listening(wake)
