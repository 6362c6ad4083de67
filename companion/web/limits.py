"""Limits of the server: requests, listeners and connections, of paired phones and of strangers."""

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
        connections: The most open connections; one more replaces a stranger's, or the one waited for longest.
        connections_each: The most of them that one stranger's address keeps while over half of all are open.
        listeners: The most streams of frames to paired phones and this computer.
        listeners_each: The most streams to one phone.
        guests: The most streams to phones that are not paired.
        guests_each: The most streams to one address of such phones.
        keys_a_second: The rate at which one phone may send keys and texts; two hands and a held-down key send 30.
        keys_at_once: The most keys and texts that one phone may send in a burst.
        strangers_a_second: The rate of requests from one stranger's address.
        strangers_at_once: The most requests of one stranger's address in a burst.
        all_strangers_a_second: The rate of requests from all strangers.
        all_strangers_at_once: The most requests of all strangers in a burst.
        claims_a_second: The rate at which PINs may be tried, by everybody in all.
        claims_at_once: The most PINs tried in a burst.
        request_within: Seconds for a whole request to arrive, and after an answer for the next one.
        taken_within: Seconds for a client to take what it is sent.
        heard_out: Seconds for a refused client to finish sending.
    """

    connections: int = 256
    connections_each: int = 4
    listeners: int = 64
    listeners_each: int = 16
    guests: int = 16
    guests_each: int = 2
    keys_a_second: float = 100.0
    keys_at_once: int = 300
    strangers_a_second: float = 5.0
    strangers_at_once: int = 20
    all_strangers_a_second: float = 50.0
    all_strangers_at_once: int = 100
    claims_a_second: float = 1.0
    claims_at_once: int = 2
    request_within: float = 10.0
    taken_within: float = 10.0
    heard_out: float = 2.0


class RateLimit:
    """A token bucket for each sender: a phone or an address.

    Senders silent for longest are forgotten first, to bound the memory; their buckets are usually full again by then.

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

    def take(self, sender: str) -> bool:
        """Take a token from a sender's bucket; return whether there was one."""
        now = self._clock()
        left, then = self._buckets.pop(sender, (float(self._at_once), now))
        left = min(self._at_once, left + (now - then) * self._a_second)
        self._buckets[sender] = (left - 1 if left >= 1 else left, now)
        if len(self._buckets) > self.KNOWN:
            self._buckets.popitem(last=False)
        return left >= 1

    @property
    def known(self) -> int:
        """Return how many senders are remembered."""
        return len(self._buckets)


class RecentAddresses:
    """The addresses from which paired phones lately sent requests. The oldest are forgotten, to bound the memory.

    >>> seconds = iter((0.0, 5.0, 20.0))
    >>> recent = RecentAddresses(kept_for=10, clock=lambda: next(seconds))
    >>> recent.note("192.0.2.1")
    >>> ["192.0.2.1" in recent for _ in range(2)]
    [True, False]
    """

    MOST = 64

    def __init__(self, kept_for: float = 3600.0, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin without any; each is kept for some seconds."""
        self._kept_for = kept_for
        self._clock = clock
        self._seen: OrderedDict[str, float] = OrderedDict()

    def note(self, address: str) -> None:
        """Note that a paired phone sent a request from an address."""
        self._seen.pop(address, None)
        self._seen[address] = self._clock()
        if len(self._seen) > self.MOST:
            self._seen.popitem(last=False)

    def __contains__(self, address: str) -> bool:
        """Return whether a paired phone lately sent a request from an address."""
        seen = self._seen.get(address)
        return seen is not None and self._clock() - seen < self._kept_for


class ConnectionLimit:
    """A limit on streams, in total and for each sender."""

    def __init__(self, everybody: int, each: int) -> None:
        self._everybody = everybody
        self._each = each
        self._taken: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._taken.total()

    @contextmanager
    def one(self, sender: str) -> Iterator[None]:
        """Hold one of the places while the block runs.

        Raises:
            ErrorAnswer: No place is left.
        """
        if len(self) >= self._everybody or self._taken[sender] >= self._each:
            raise ErrorAnswer(429, "Too many pages are open; close one of them, then open this again.", again=10)
        self._taken[sender] += 1
        try:
            yield
        finally:
            self._taken[sender] -= 1
            if not self._taken[sender]:
                del self._taken[sender]
