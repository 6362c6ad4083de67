"""The input thread: waits for edges of GPIO lines, and gives key sources their turns and time-outs.

What an edge or a time-out means is the business of whoever has them watched. The thread blocks without a time-out while
no key source needs one, so nothing wakes while nobody touches anything.
"""

from __future__ import annotations

import logging
import os
import select
import time
from collections.abc import Callable, Sequence
from threading import Lock, RLock, Thread, current_thread
from typing import NamedTuple, Protocol

_LOG = logging.getLogger(__name__)

PATIENCE = 2.0
"""Seconds in which the thread must answer a ping, and a handler must return when all is closed."""

_ROUNDS = 10


class Edge(NamedTuple):
    """A change of a line's level.

    Attributes:
        stamp: When the kernel saw it, in nanoseconds of the monotonic clock.
        high: The level after it.
    """

    stamp: int
    high: bool


class EdgeLine(Protocol):
    """A line whose edges are awaited."""

    def collect(self) -> Sequence[Edge]:
        """Take the edges that have come.

        It must not block: between the waking and this call the line may have been let go of, and another one
        been given its file descriptor.
        """

    def deliver(self, edge: Edge) -> None:
        """Act on an edge; called without any lock held."""


class WakeEvent(Protocol):
    """What the thread waits at."""

    def wake(self) -> None:
        """End the waiting that is going on, or else the next."""

    def wait(self, seconds: float | None) -> None:
        """Return when it has rung since the last return, or after so many seconds; None is for ever."""

    def close(self) -> None:
        """Free what it waits with; nobody waits any more."""


class LinePoll:
    """A bell that edges ring, too: waiting collects them and hands each to its line, in the order of their stamps.

    Attributes:
        wakes: How often the thread has woken up.
        lost: Whether a line has failed.
    """

    def __init__(self) -> None:
        self.wakes = 0
        self.lost = False
        self._lock = Lock()  # of all that follows; never held while a line is asked or told anything
        self._lines: dict[int, EdgeLine] = {}
        self._epoll = select.epoll()
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._epoll.register(self._wake, select.EPOLLIN)
        self._thread: Thread | None = None  # that waits
        self._rung = False  # by that thread
        self._closed = False

    def watch(self, fd: int, line: EdgeLine) -> None:
        """Wait for a line's edges from now on."""
        with self._lock:
            if not self._closed:
                self._epoll.register(fd, select.EPOLLIN)
                self._lines[fd] = line

    def ignore(self, fd: int) -> None:
        """Wait for a line's edges no longer; to be called before its file descriptor is closed."""
        with self._lock:
            if self._lines.pop(fd, None) is not None:
                self._epoll.unregister(fd)

    def wake(self) -> None:
        """End the waiting that is going on, or else the next."""
        if current_thread() is self._thread:
            self._rung = True  # waking itself up would be one more wake-up
            return
        with self._lock:
            if not self._closed:
                os.eventfd_write(self._wake, 1)

    def wait(self, seconds: float | None) -> None:
        """Return when it has rung or edges were delivered, or after so many seconds; None is for ever."""
        self._thread = current_thread()
        if self._rung:
            seconds = 0
        if seconds is None:
            self._serve(self._epoll.poll())
        else:
            select.select([self._epoll.fileno()], [], [], seconds)  # epoll itself would round up to milliseconds
            self._serve(self._epoll.poll(0))
        self._rung = False  # what rang meanwhile is answered by returning

    def close(self) -> None:
        """Free what it waits with; nobody waits any more."""
        with self._lock:
            self._closed = True
            self._lines.clear()
            self._epoll.close()
            os.close(self._wake)

    def _serve(self, ready: list[tuple[int, int]]) -> None:
        """Do everything there was to wake up for."""
        self.wakes += 1
        found: list[tuple[Edge, EdgeLine]] = []
        # An encoder's two lines have two queues, and what came first is known by the stamps alone. While one
        # queue is emptied, something older than its last may come into the other: so go round until nothing is
        # left, but not for ever, or an input gone wild would keep all others from being heard.
        for _ in range(_ROUNDS):
            if not ready:
                break
            for fd, _ in ready:
                if fd == self._wake:
                    os.eventfd_read(fd)
                else:
                    found += self._collect(fd)
            ready = self._epoll.poll(0)
        found.sort(key=lambda pair: pair[0].stamp)
        for edge, line in found:
            try:
                line.deliver(edge)
            except Exception:
                _LOG.exception("The handler of an edge of %r failed.", line)

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
            self.lost = True
            _LOG.exception("No more edges can be had of %r.", line)
            return []


class InputTask(Protocol):
    """What has its turn whenever the thread wakes up."""

    def turn(self, now: float) -> float | None:
        """Do what there is to do, and return when the next turn must be though nothing rings."""


class InputThread:
    """Gives tasks their turn whenever its bell rings or one of them is due.

    Args:
        bell: What it waits at; it is closed when the thread ends.
        clock: Seconds that only grow.
    """

    def __init__(self, bell: WakeEvent, clock: Callable[[], float] = time.monotonic) -> None:
        self.bell = bell
        self._clock = clock
        self._tasks: list[InputTask] = []
        self._turns = RLock()  # held while tasks have their turn
        self._asked = self._answered = 0
        self._asked_at = 0.0
        self._closing = False
        self._thread = Thread(target=self._run, name="inputs", daemon=True)
        self._thread.start()

    def add(self, task: InputTask) -> None:
        """Give a task its turns from now on."""
        with self._turns:
            self._tasks.append(task)
        self.bell.wake()

    def remove(self, task: InputTask) -> None:
        """Give it no more turns; one that does not end is left behind after a while."""
        taken = self._turns.acquire(timeout=PATIENCE)
        if task in self._tasks:
            self._tasks.remove(task)
        if taken:
            self._turns.release()

    def alive(self) -> bool:
        """Tell whether edges would be noticed, as far as can be known without waiting.

        A ping is sent to the thread; the next time this is asked, it must have answered. A thread that does not
        return from a handler is not alive.
        """
        if self._closing or not self._thread.is_alive():
            return False
        now = self._clock()
        if self._answered == self._asked:
            self._asked, self._asked_at = self._asked + 1, now
            self.bell.wake()
        return now - self._asked_at < PATIENCE

    def close(self) -> None:
        """End the thread; a handler that does not return is left behind after a while."""
        self._closing = True
        self.bell.wake()
        if current_thread() is self._thread:
            return  # a handler closes everything: the thread ends when it returns
        self._thread.join(PATIENCE)
        if self._thread.is_alive():
            _LOG.warning("A handler of an edge does not return; its thread is left behind.")

    def _run(self) -> None:
        try:
            while not self._closing:
                self._answered = self._asked
                due = self._turn()
                self.bell.wait(None if due is None else max(0.0, due - self._clock()))
        finally:
            self.bell.close()  # by this thread, for nobody else knows that it waits no more

    def _turn(self) -> float | None:
        """Give every task its turn, and return when the next of them is due."""
        with self._turns:
            dues = [task.turn(self._clock()) for task in list(self._tasks) if task in self._tasks]
        return min((due for due in dues if due is not None), default=None)
