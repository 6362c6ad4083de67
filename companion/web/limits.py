"""Limits of the server: requests per address, listeners, connections."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct

from .error_answers import ErrorAnswer


class Limits(Struct, frozen=True):
    """The limits of one server.

    Attributes:
        connections: The most open connections; one more replaces the one whose client has been waited for longest.
        listeners: The most streams of frames among them.
        listeners_each: The most streams to one address.
        keys_a_second: The rate at which one address may send keys and texts; two hands and a held-down key send 30.
        keys_at_once: The most keys and texts that one address may send in a burst.
        request_within: Seconds for a whole request to arrive, and after an answer for the next one.
        taken_within: Seconds for a client to take what it is sent.
        heard_out: Seconds for a refused client to finish sending.
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

    Addresses silent for longest are forgotten first, to bound the memory; their buckets are usually full again by then.

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
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens left, and when

    def take(self, address: str) -> bool:
        """Take a token from an address's bucket; return whether there was one."""
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
        """Hold one of the places while the block runs.

        Raises:
            ErrorAnswer: No place is left.
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
