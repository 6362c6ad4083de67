"""The input thread: waits for edges, and calls each key source when woken or due.

The key sources interpret the edges and time-outs. While none of them needs a time-out, the thread blocks without one,
so an idle device causes no wake-ups.
"""

from __future__ import annotations

import os
import select
import sys
import time
from bisect import bisect_right
from collections.abc import Callable, Sequence
from threading import Lock, RLock, Thread, current_thread
from typing import Protocol

from msgspec import Struct

from companion.core.program_log import ProgramLog

_LOG = ProgramLog(__name__)

PATIENCE = 2.0  # seconds to answer a ping, and, on closing, to return from a handler
_ROUNDS = 10

SHARE = 0.001
"""Seconds after which a busy thread passes Python's interpreter on. Reading edges waits for it several times."""


class Edge(Struct, frozen=True):
    """A change of a line's level."""

    stamp: int  # the kernel's time stamp, in nanoseconds of the monotonic clock
    high: bool  # the level after the edge


class EdgeLine(Protocol):
    """A line whose edges are awaited."""

    def collect(self) -> Sequence[Edge]:
        """Return the new edges.

        Must not block: before this call, the line may have been released and its file descriptor given to another line.
        """

    def deliver(self, edge: Edge) -> None:
        """Handle an edge; called without a lock."""


class Waker(Protocol):
    """The event that the input thread waits for; any thread can set it."""

    def wake(self) -> None:
        """End the current wait, or else the next one."""

    def wait(self, seconds: float | None) -> None:
        """Return after `wake` was called since the last return, or after the time-out; None waits forever."""

    def close(self) -> None:
        """Free its resources; no thread may wait any more."""


class EdgePoller:
    """Waits on all lines and on wake-ups; delivers edges in time order."""

    def __init__(self) -> None:
        self.wakes = 0  # how often the thread has woken up
        self.lost = False  # whether a line has failed
        self._lock = Lock()  # protects the following attributes; never held during a call to a line
        self._lines: dict[int, EdgeLine] = {}
        self._early: list[tuple[Edge, EdgeLine]] = []  # an older edge may still be in a queue
        self._epoll = select.epoll()
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._epoll.register(self._wake, select.EPOLLIN)
        self._thread: Thread | None = None  # the waiting thread
        self._rung = False  # whether that thread itself called `wake`, or has edges to deliver
        self._closed = False

    def watch(self, fd: int, line: EdgeLine) -> None:
        """Wait for a line's edges from now on."""
        with self._lock:
            if not self._closed:
                self._epoll.register(fd, select.EPOLLIN)
                self._lines[fd] = line

    def ignore(self, fd: int) -> None:
        """Stop waiting for a line's edges. Call it before closing the file descriptor."""
        with self._lock:
            if self._lines.pop(fd, None) is not None:
                self._epoll.unregister(fd)

    def wake(self) -> None:
        """End the current wait, or else the next one."""
        if current_thread() is self._thread:
            self._rung = True  # it is awake: saves one wake-up
            return
        with self._lock:
            if not self._closed:
                os.eventfd_write(self._wake, 1)

    def wait(self, seconds: float | None) -> None:
        """Return after `wake` was called or edges were delivered, or after the time-out; None waits forever."""
        self._thread = current_thread()
        if self._rung:
            seconds = 0
        if seconds is None:
            ready = self._epoll.poll()
        else:
            select.select([self._epoll.fileno()], [], [], seconds)  # epoll itself rounds up to milliseconds
            ready = self._epoll.poll(0)
        self.wakes += 1
        self._deliver(ready)
        self._rung = bool(self._early)  # returning answers calls of `wake` made meanwhile

    def serve(self) -> None:
        """Deliver the edges so far; only the waiting thread may call it."""
        self._deliver(self._epoll.poll(0))

    def close(self) -> None:
        """Free its resources; no thread may wait any more."""
        with self._lock:
            self._closed = True
            self._lines.clear()
            self._epoll.close()
            os.close(self._wake)

    def _deliver(self, ready: list[tuple[int, int]]) -> None:
        found, self._early = self._early, []
        newest = 0
        # The two lines of an encoder have separate queues; only the stamps give the order. While one queue is
        # emptied, an older edge may enter the other. So repeat until all are empty, but not endlessly: one
        # noisy input must not block the others.
        for _ in range(_ROUNDS):
            if not ready:
                break
            newest = max((edge.stamp for edge, _ in found), default=0)
            for fd, _ in ready:
                if fd == self._wake:
                    os.eventfd_read(fd)
                    self._rung = True  # for the next wait, where `serve` has read it
                else:
                    found += self._collect(fd)
            ready = self._epoll.poll(0)
        found.sort(key=lambda pair: pair[0].stamp)
        if ready:
            # What is still in the queues is younger than everything that was read before the last round.
            known = bisect_right(found, newest, key=lambda pair: pair[0].stamp)
            found, self._early = found[:known], found[known:]
            self._rung = self._rung or bool(self._early)
        for edge, line in found:
            try:
                line.deliver(edge)
            except Exception:
                _LOG.exception("The handler of an edge of %r failed.", line)

    def _collect(self, fd: int) -> list[tuple[Edge, EdgeLine]]:
        with self._lock:
            line = self._lines.get(fd)
        if line is None:
            return []  # released since the thread woke up
        try:
            return [(edge, line) for edge in line.collect()]
        except OSError:
            # The chip is gone; waiting for it would wake the thread without end.
            self.ignore(fd)
            self.lost = True
            _LOG.exception("No more edges can be had of %r.", line)
            return []


class InputTask(Protocol):
    """Something the input thread calls when it is woken, or when its time is due."""

    def turn(self, now: float) -> float | None:
        """Do what there is to do. Return when the next turn is due even without an event."""


class InputThread:
    """Calls its tasks whenever it is woken or one of them is due.

    It closes the waker when it ends.
    """

    def __init__(self, waker: Waker, clock: Callable[[], float] = time.monotonic) -> None:
        self.waker = waker
        self._clock = clock
        self._tasks: list[InputTask] = []
        self._turns = RLock()  # held during the turns of tasks
        self._asked = self._answered = 0
        self._asked_at = 0.0
        self._closing = False
        sys.setswitchinterval(SHARE)
        self._thread = Thread(target=self._run, name="inputs", daemon=True)
        self._thread.start()

    def add(self, task: InputTask) -> None:
        """Give a task turns from now on."""
        with self._turns:
            self._tasks.append(task)
        self.waker.wake()

    def remove(self, task: InputTask) -> None:
        """Stop giving a task turns. If its turn does not end, stop waiting for it after ``PATIENCE``."""
        taken = self._turns.acquire(timeout=PATIENCE)
        if task in self._tasks:
            self._tasks.remove(task)
        if taken:
            self._turns.release()

    def alive(self) -> bool:
        """Return, without waiting, whether edges would be noticed.

        Each call pings the thread, which must have answered by the next call. A thread whose handler does not return is
        not alive.
        """
        if self._closing or not self._thread.is_alive():
            return False
        now = self._clock()
        if self._answered == self._asked:
            self._asked, self._asked_at = self._asked + 1, now
            self.waker.wake()
        return now - self._asked_at < PATIENCE

    def close(self) -> None:
        """End the thread. If a handler does not return, stop waiting for it after ``PATIENCE``."""
        self._closing = True
        self.waker.wake()
        if current_thread() is self._thread:
            return  # called from a handler: the thread ends when that returns
        self._thread.join(PATIENCE)
        if self._thread.is_alive():
            _LOG.warning("A handler of an edge does not return; its thread is left behind.")

    def _run(self) -> None:
        try:
            while not self._closing:
                self._answered = self._asked
                due = self._turn()
                self.waker.wait(None if due is None else max(0.0, due - self._clock()))
        finally:
            self.waker.close()  # on this thread, because only it knows that it no longer waits

    def _turn(self) -> float | None:
        """Give every task its turn, and return when the next of them is due."""
        with self._turns:
            dues = [task.turn(self._clock()) for task in list(self._tasks) if task in self._tasks]
        return min((due for due in dues if due is not None), default=None)
