"""Bounded queue for web input; at most one web key is ahead of a device key."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from companion.ui.keys import Key

from .ports import TextAnswer


class WebQueue:
    """Passes keys and texts of pages to the loop's queue one at a time.

    The lobby itself stands in the queue while anybody waits in it; whenever its turn comes it gives up one, and goes
    to the end again. Usable from any thread.
    """

    ROOM = 16

    def __init__(self, queue: Callable[[WebQueue], object]) -> None:
        """Wait for keys.

        Args:
            queue: Puts the lobby at the end of the loop's queue.
        """
        self._queue = queue
        self._lock = threading.Lock()
        self._waiting: deque[Key | TextAnswer] = deque()

    def put(self, came: Key | TextAnswer) -> bool:
        """Let something wait, unless too much does already; tell whether it may."""
        with self._lock:
            if len(self._waiting) >= self.ROOM:
                return False
            self._waiting.append(came)
            if len(self._waiting) == 1:
                self._queue(self)
            return True

    def take(self) -> Key | TextAnswer:
        """Take the first out, the lobby's turn in the queue having come."""
        with self._lock:
            first = self._waiting.popleft()
            if self._waiting:
                self._queue(self)
            return first
