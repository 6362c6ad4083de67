"""Limits of the server: requests per address, listeners, connections."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from .error_answers import ErrorAnswer


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one server.

    Attributes:
        connections: How many are open at once; one more takes the place of the one whose client has been waited for
            longest.
        listeners: How many of them may be streams of frames.
        listeners_each: How many streams one address may have.
        keys_a_second: How many keys and texts one address may send for long; two hands and a key kept down send 30.
        keys_at_once: How many it may send in one go, after a pause.
        request_within: Seconds in which a whole request has to come, and after an answer the next one.
        taken_within: Seconds in which a client has to take what it is sent.
        heard_out: Seconds one that was refused has to finish what it was saying.
    """

    connections: int = 256
    listeners: int = 64
    listeners_each: int = 16
    keys_a_second: float = 100.0
    keys_at_once: int = 300
    request_within: float = 10.0
    taken_within: float = 10.0
    heard_out: float = 2.0


class RateLimit:
    """A token bucket for each address.

    Those who have not sent anything for longest are forgotten first, so that many addresses need no more memory than
    a few; a bucket has usually filled up again by then.

    >>> seconds = iter((0.0, 0.0, 0.0, 1.0))
    >>> limit = RateLimit(a_second=1, at_once=2, clock=lambda: next(seconds))
    >>> [limit.take("192.0.2.1") for _ in range(4)]
    [True, True, False, True]
    """

    KNOWN = 256

    def __init__(self, a_second: float, at_once: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._a_second = a_second
        self._at_once = at_once
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what was left, and when

    def take(self, address: str) -> bool:
        """Take one for an address; tell whether there was one left."""
        now = self._clock()
        left, then = self._buckets.pop(address, (float(self._at_once), now))
        left = min(self._at_once, left + (now - then) * self._a_second)
        self._buckets[address] = (left - 1 if left >= 1 else left, now)
        if len(self._buckets) > self.KNOWN:
            self._buckets.popitem(last=False)
        return left >= 1

    @property
    def known(self) -> int:
        """Return how many addresses are remembered."""
        return len(self._buckets)


class ConnectionLimit:
    """A limit on connections, in total and for each address."""

    def __init__(self, everybody: int, each: int) -> None:
        self._everybody = everybody
        self._each = each
        self._taken: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._taken.total()

    @contextmanager
    def one(self, address: str) -> Iterator[None]:
        """Take a place while the block is run.

        Raises:
            ErrorAnswer: None is left.
        """
        if len(self) >= self._everybody or self._taken[address] >= self._each:
            raise ErrorAnswer(429, "Too many pages are open; close one of them, then open this again.", again=10)
        self._taken[address] += 1
        try:
            yield
        finally:
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]
