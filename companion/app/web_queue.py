"""The queue of inputs from web pages. It is bounded, and a key of the box waits for one of them at most."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from companion.ui.keys import Key

from .request_types import PageRequest, TypedAnswer

WebInput = Key | TypedAnswer | PageRequest  # a key, a text or a request of a page


class WebQueue:
    """Passes keys, texts and requests of pages to the loop's queue one at a time.

    While items wait, this object stands in the loop's queue in their place. Each time the loop reaches it, it yields
    one item and goes to the end of the loop's queue again. Thread-safe.
    """

    ROOM = 16

    def __init__(self, queue: Callable[[WebQueue], object]) -> None:
        """Start empty; the function puts this object at the end of the loop's queue."""
        self._queue = queue
        self._lock = threading.Lock()
        self._waiting: deque[WebInput] = deque()

    def put(self, came: WebInput) -> bool:
        """Add an item unless the queue is full. Return whether it was added."""
        with self._lock:
            if len(self._waiting) >= self.ROOM:
                return False
            self._waiting.append(came)
            if len(self._waiting) == 1:
                self._queue(self)
            return True

    def take(self) -> WebInput:
        """Remove and return the first item. The loop calls this when it reaches this object."""
        with self._lock:
            first = self._waiting.popleft()
            if self._waiting:
                self._queue(self)
            return first
