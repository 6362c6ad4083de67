"""Limits of the server: requests, listeners and connections, of paired phones and of strangers."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from msgspec import Struct

from companion.core.text import N_

from .error_answers import RequestError

Clock = Callable[[], float]


class Limits(Struct, frozen=True):
    """The limits of one server."""

    connections: int = 256  # the most open connections; one more replaces a stranger's, or the one waited for longest
    strangers: int = 32  # the most open connections of strangers; one more replaces the one waited for longest
    strangers_each: int = 8  # the most open connections of one stranger's address
    listeners: int = 64  # the most streams of frames to paired phones and this computer
    listeners_each: int = 16  # the most streams to one phone
    guests: int = 16  # the most streams to phones that are not paired
    guests_each: int = 2  # the most streams to one address of such phones
    phone_rate: float = 100.0  # the rate of requests from one phone; two hands and a held-down key send 30 a second
    phone_burst: int = 300  # the most requests of one phone in a burst
    history_rate: float = 2.0  # the rate of pages of the history to one phone; each reads the journal's folder
    history_burst: int = 60  # the most pages of the history to one phone in a burst
    role_rate: float = 0.2  # the rate at which one phone changes its role; each change is written to the disk
    role_burst: int = 10  # the most changes of one phone's role in a burst
    stranger_rate: float = 5.0  # the rate of connections and of requests from one stranger's address
    stranger_burst: int = 20  # the most of them in a burst
    all_strangers_rate: float = 50.0  # the rate of connections and of requests from all strangers
    all_strangers_burst: int = 50  # the most of them in a burst
    # the rate of connections and of requests from newcomers, beside that of all strangers
    newcomer_rate: float = 50.0
    newcomer_burst: int = 50  # the most of them in a burst
    newcomer_requests: int = 8  # how many connections and how many requests of an address are those of a newcomer
    request_timeout: float = 10.0  # seconds for a whole request to arrive, and after an answer for the next one
    write_timeout: float = 10.0  # seconds for a client to take a part of what it is sent


class RateLimit:
    """A token bucket for each sender: a phone or an address.

    Senders silent for longest are forgotten first, to bound the memory; their buckets are usually full again by then.

    >>> seconds = iter((0.0, 0.0, 0.0, 1.0))
    >>> limit = RateLimit(rate=1, burst=2, clock=lambda: next(seconds))
    >>> [limit.take("192.0.2.1") for _ in range(4)]
    [True, True, False, True]
    """

    MOST_SENDERS = 1024

    def __init__(self, rate: float, burst: int, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens left, and when

    def take(self, sender: str = "", reserve: float = 0.0) -> bool:
        """Take a token from a sender's bucket if more than ``reserve`` stay in it; return whether one was taken."""
        now = self._clock()
        left, then = self._buckets.pop(sender, (float(self._burst), now))
        left = min(self._burst, left + (now - then) * self._rate)
        taken = left >= 1 + reserve
        self._buckets[sender] = (left - taken, now)
        if len(self._buckets) > self.MOST_SENDERS:
            self._buckets.popitem(last=False)
        return taken


class StrangerRate:
    """Limits the rate of strangers: for each address, for all together, with a reserve for newcomers.

    Somebody with 250 addresses uses up the rate of all. An address that came seldom then still gets through: the more
    seldom it came, the more of the reserve it may use.
    """

    FORGET_AFTER = 600.0  # seconds after which an address that came no more is a newcomer again

    def __init__(self, limits: Limits, clock: Clock = time.monotonic) -> None:
        self._newcomers = limits.newcomer_requests
        self._burst = limits.newcomer_burst
        self._each = RateLimit(limits.stranger_rate, limits.stranger_burst, clock)
        self._all = RateLimit(limits.all_strangers_rate, limits.all_strangers_burst, clock)
        self._reserve = RateLimit(limits.newcomer_rate, limits.newcomer_burst, clock)
        self._recent = RecentAddresses(self.FORGET_AFTER, clock)

    def take(self, address: str) -> bool:
        """Return whether an address may do this once more."""
        if not self._each.take(address):
            return False
        before = self._recent.note(address)
        if before < self._newcomers and self._reserve.take("", self._burst * before / self._newcomers):
            return True
        return self._all.take("")


class RecentAddresses:
    """Addresses that came lately, and how often. The oldest are forgotten, to bound the memory.

    >>> seconds = iter((0.0, 5.0, 20.0))
    >>> recent = RecentAddresses(forget_after=10, clock=lambda: next(seconds))
    >>> recent.note("192.0.2.1")
    0
    >>> ["192.0.2.1" in recent for _ in range(2)]
    [True, False]
    """

    MOST = 1024

    def __init__(self, forget_after: float = 3600.0, clock: Clock = time.monotonic) -> None:
        """Begin without any; each is kept for some seconds after it came last."""
        self._forget_after = forget_after
        self._clock = clock
        self._seen: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how often, and when last

    def note(self, address: str) -> int:
        """Note that an address came, and return how often it came lately before."""
        now = self._clock()
        count, then = self._seen.pop(address, (0, now))
        if now - then >= self._forget_after:
            count = 0
        self._seen[address] = (count + 1, now)
        if len(self._seen) > self.MOST:
            self._seen.popitem(last=False)
        return count

    def __contains__(self, address: str) -> bool:
        """Return whether an address came lately."""
        seen = self._seen.get(address)
        return seen is not None and self._clock() - seen[1] < self._forget_after


class StreamLimit:
    """A limit on streams, in total and for each sender."""

    def __init__(self, total: int, each: int) -> None:
        self._total = total
        self._each = each
        self._open: Counter[str] = Counter()

    def __len__(self) -> int:
        return self._open.total()

    @contextmanager
    def place(self, sender: str) -> Iterator[None]:
        """Hold one of the places while the block runs; raise RequestError if none is left."""
        if len(self) >= self._total or self._open[sender] >= self._each:
            raise RequestError(429, N_("Too many pages are open; close one of them, then open this again."), again=10)
        self._open[sender] += 1
        try:
            yield
        finally:
            self._open[sender] -= 1
            if not self._open[sender]:
                del self._open[sender]
