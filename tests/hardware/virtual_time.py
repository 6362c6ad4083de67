"""Virtual time that only passes on request, for code that sleeps on its own threads."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from math import inf
from threading import Condition, Thread, current_thread

from tests.fakes.matrix import Board
from tests.waiting import LAST_RESORT


class VirtualTime:
    """A clock, the wake events that threads wait at, and a plan of actions.

    A waiting thread runs at its time, and everything else waits until it waits again. So it is never late, except on
    request, and nothing depends on the speed of the machine.

    Args:
        late: Returns the seconds by which a waiting thread is late; called for each wake-up.
        cost: Seconds that an operation on a line takes.
    """

    def __init__(self, late: Callable[[], float] = lambda: 0.0, cost: float = 0.0) -> None:
        self.now = 1000.0
        self._late = late
        self._cost = cost
        self._order = count()
        self._plan: list[tuple[float, int, Callable[[], object]]] = []
        self._bells: list[VirtualWaker] = []
        self.board = Board(lambda: self.now, self._spend)

    def clock(self) -> float:
        return self.now

    def waker(self) -> VirtualWaker:
        """Make the wake event of one more thread, which must wait at it before time can pass."""
        self._bells.append(VirtualWaker(self.clock, self._lateness))
        return self._bells[-1]

    def begin(self) -> None:
        """Wait until every thread, just started, waits at its event."""
        for waker in self._bells:
            waker.reach()

    def hurry(self) -> None:
        """Let no thread be late from now on."""
        self._late = lambda: 0.0

    def at(self, moment: float, action: Callable[[], object]) -> None:
        heapq.heappush(self._plan, (moment, next(self._order), action))

    def wait(self, seconds: float) -> None:
        self.until(self.now + seconds)

    def until(self, moment: float) -> None:
        """Let time pass until a moment, and a little longer if a thread is busy then."""
        while True:
            self.settle()
            due = [waker.due for waker in self._bells if waker.due is not None] + [plan[0] for plan in self._plan[:1]]
            if not due or min(due) > moment:
                self.now = max(self.now, moment)
                return
            self.now = max(self.now, min(due))
            self._happen()
            for waker in self._bells:
                if waker.due is not None and waker.due <= self.now:
                    waker.end()

    def settle(self) -> None:
        """Wait until all edges have been delivered and every thread waits."""
        while True:
            self.board.settle(LAST_RESORT)
            running = [waker for waker in self._bells if waker.running]
            for waker in running:
                waker.reach()
            if self.board.quiet and not any(waker.busy for waker in running):
                return

    @property
    def wakes(self) -> int:
        """How often threads have woken up."""
        return sum(waker.wakes for waker in self._bells)

    def _lateness(self) -> float:
        return self._late()

    def _happen(self) -> None:
        """Run the actions that are due."""
        while self._plan and self._plan[0][0] <= self.now:
            heapq.heappop(self._plan)[2]()

    def _spend(self) -> None:
        """Let an operation take its time; later operations see what happens during it."""
        if self._cost:
            self.now += self._cost
            self._happen()
            self.board.settle(LAST_RESORT)  # the kernel records edges by itself, however busy the processor is


class VirtualWaker:
    """A wake event whose wait ends by `wake` or by virtual time."""

    def __init__(self, clock: Callable[[], float], late: Callable[[], float]) -> None:
        self.due: float | None = None
        self.wakes = 0
        self._clock = clock
        self._late = late
        self._waiting = False
        self._rung = False
        self._thread: Thread | None = None
        self._changed = Condition()

    def wake(self) -> None:
        """End the current wait, or else the next one; later if the thread is to be late."""
        late = self._late()
        with self._changed:
            if late and self._waiting:
                self.due = min(self._clock() + late, self.due or inf)
            else:
                self._rung = True
                self._changed.notify_all()

    def wait(self, seconds: float | None) -> None:
        """Return after `wake` was called since the last return, or after the virtual time-out."""
        with self._changed:
            self._thread = current_thread()
            self.due = None if seconds is None else self._clock() + seconds + self._late()
            self._waiting = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._rung)
            self.wakes += 1
            self.due, self._waiting, self._rung = None, False, False

    def close(self) -> None:
        """Do nothing: its thread waits no more."""

    def end(self) -> None:
        """End the wait because of its time-out."""
        with self._changed:
            self._rung = True
            self._changed.notify_all()

    def reach(self) -> None:
        """Wait, in real time, until the thread waits.

        Raises:
            TimeoutError: It does not.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._waiting and not self._rung, LAST_RESORT):
                raise TimeoutError("The thread does not come to rest.")

    @property
    def running(self) -> bool:
        """Whether a thread uses this event."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def busy(self) -> bool:
        """Whether its thread is running."""
        with self._changed:
            return self._rung or not self._waiting
