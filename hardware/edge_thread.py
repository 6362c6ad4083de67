"""One thread that waits for the edges of every line.

Here lives only the waiting. Which lines there are, and what an edge means, is the business of whoever has them
watched. The thread blocks without a time-out, so that nothing wakes while nobody touches anything; lines are
added and taken away while it waits.
"""

from __future__ import annotations

import logging
import os
import select
import time
from collections.abc import Callable, Sequence
from threading import Lock, Thread, current_thread
from typing import NamedTuple, Protocol

_LOG = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds in which the thread must take note of a ping, and a handler must return when all is closed."""

_ROUNDS = 10

Ready = list[tuple[int, int]]
"""What epoll finds: file descriptors, and what is the matter with them."""


class Edge(NamedTuple):
    """A change of a line's level.

    Attributes:
        stamp: When the kernel saw it, in nanoseconds of the monotonic clock.
        high: The level after it.
    """

    stamp: int
    high: bool


class EdgeLine(Protocol):
    """A line whose edges are waited for."""

    def collect(self) -> Sequence[Edge]:
        """Take the edges that have come.

        It must not block: between the waking and this call the line may have been let go of, and another one
        been given its file descriptor.
        """

    def deliver(self, edge: Edge) -> None:
        """Act on an edge; called without any lock held."""


class EdgeThread:
    """Waits for edges, and hands each to its line in the order in which the kernel saw them.

    Args:
        clock: Seconds that only grow.

    Attributes:
        wakes: How often the thread has woken up.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.wakes = 0
        self._clock = clock
        self._lock = Lock()  # of all that follows; never held while a line is asked or told anything
        self._lines: dict[int, EdgeLine] = {}
        self._epoll = select.epoll()
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._epoll.register(self._wake, select.EPOLLIN)
        self._pinged: float | None = None  # when; None once the thread has taken note
        self._lost = False
        self._closing = False
        self._ended = False
        self._thread = Thread(target=self._run, name="edges", daemon=True)
        self._thread.start()

    def watch(self, fd: int, line: EdgeLine) -> None:
        """Wait for a line's edges from now on."""
        with self._lock:
            if not self._ended:
                self._epoll.register(fd, select.EPOLLIN)
                self._lines[fd] = line

    def ignore(self, fd: int) -> None:
        """Wait for a line's edges no longer; to be called before its file descriptor is closed."""
        with self._lock:
            if self._lines.pop(fd, None) is not None and not self._ended:
                self._epoll.unregister(fd)

    def alive(self) -> bool:
        """Tell whether edges would be noticed, as far as can be known without waiting.

        A ping is sent to the thread; the next time this is asked, it must have been taken note of. A thread
        that does not return from a handler is not alive.
        """
        with self._lock:
            if self._ended or self._closing or self._lost:
                return False
            if self._pinged is not None:
                return self._clock() - self._pinged < PATIENCE
            self._pinged = self._clock()
            os.eventfd_write(self._wake, 1)
            return True

    def close(self) -> None:
        """End the thread; a handler that does not return is left behind after a while."""
        with self._lock:
            self._closing = True
            if not self._ended:
                os.eventfd_write(self._wake, 1)
        if current_thread() is self._thread:
            return  # a handler closes everything: the thread ends when it returns
        self._thread.join(PATIENCE)
        if self._thread.is_alive():
            _LOG.warning("A handler of an edge does not return; its thread is left behind.")

    def _run(self) -> None:
        try:
            while not self._closing:
                self._serve(self._epoll.poll())
        finally:
            # The thread closes what it waits with, for nobody else knows that it waits no more.
            with self._lock:
                self._ended = True
                self._lines.clear()
                self._epoll.close()
                os.close(self._wake)

    def _serve(self, ready: Ready) -> None:
        """Do everything there was to wake up for."""
        self.wakes += 1
        found: list[tuple[Edge, EdgeLine]] = []
        # An encoder's two lines have two queues, and what came first is known by the stamps alone. While one
        # queue is emptied, something older than its last may come into the other: so go round until nothing is
        # left, but not for ever, or an input gone wild would keep all others from being heard.
        for _ in range(_ROUNDS):
            for fd, _ in ready:
                if fd == self._wake:
                    self._take_note()
                else:
                    found += self._collect(fd)
            ready = self._epoll.poll(0)
            if not ready:
                break
        found.sort(key=lambda pair: pair[0].stamp)
        for edge, line in found:
            try:
                line.deliver(edge)
            except Exception:
                _LOG.exception("The handler of an edge of %r failed.", line)

    def _take_note(self) -> None:
        with self._lock:
            os.eventfd_read(self._wake)
            self._pinged = None

    def _collect(self, fd: int) -> list[tuple[Edge, EdgeLine]]:
        with self._lock:
            line = self._lines.get(fd)
        if line is None:
            return []  # let go of since the thread woke up
        try:
            return [(edge, line) for edge in line.collect()]
        except OSError:
            # The chip is gone; waiting for it would wake up the thread without end.
            self.ignore(fd)
            with self._lock:
                self._lost = True
            _LOG.exception("No more edges can be had of %r.", line)
            return []
