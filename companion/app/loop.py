"""The event loop: one queue, one thread. It sleeps until a key comes or a timed task is due.

An exception raised by a key, a written answer, a page's request or a timed task is logged; the loop goes on. The task
then pauses.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress
from itertools import count
from queue import Empty, PriorityQueue

from companion.app.box import Box
from companion.app.failures import LogAndContinue
from companion.app.inputs import PageRequest, TypedAnswer
from companion.app.ports import Clock, TimedTask
from companion.app.state import PANEL
from companion.ui.keys import Key


class Stop:
    """The queue item that ends the loop."""


REST = 10.0  # seconds until a failed task is called again
ROOM = 16  # the most items of pages that wait
WebInput = Key | TypedAnswer | PageRequest
"""What a page sends: a key, a text, or a request."""


class Inbox:
    """The queue of the loop: keys of the device come before what pages send, of which few may wait. Thread-safe."""

    def __init__(self) -> None:
        """Start empty."""
        self._queue: PriorityQueue[tuple[int, int, WebInput | Stop]] = PriorityQueue()
        self._numbers = count()
        self._room = threading.Semaphore(ROOM)  # for items of pages

    def put(self, came: WebInput | Stop) -> None:
        """Add a key of the device; or the end of the loop, which comes after all that waits."""
        self._queue.put((2 if isinstance(came, Stop) else 0, next(self._numbers), came))

    def put_of_page(self, came: WebInput) -> bool:
        """Add what a page sends unless many wait. Return whether it was added."""
        if not self._room.acquire(blocking=False):
            return False
        self._queue.put((1, next(self._numbers), came))
        return True

    def get(self, block: bool = True, timeout: float | None = None) -> WebInput | Stop:
        """Return the first item; raise Empty if nothing came before the time-out, in seconds."""
        order, _number, came = self._queue.get(block, timeout)
        if order == 1:
            self._room.release()
        return came


def run(box: Box, inbox: Inbox, clock: Clock, attendants: Iterable[TimedTask] = ()) -> None:
    """Handle every key in order and run due tasks in between, until a Stop arrives."""
    attended = [_Attended(attendant) for attendant in (*box.tasks, *attendants)]
    while True:
        due = min((moment for one in attended if (moment := one.due) is not None), default=None)
        wait = None if due is None else due - clock.passed()
        came: WebInput | Stop | None = None
        with suppress(Empty):
            came = inbox.get(wait is None or wait > 0, wait)
        match came:
            case Stop():
                return
            case PageRequest():
                box.pages.serve(came)
            case None:
                pass
            case _:
                box.take(PANEL, came)
        now = clock.passed()
        for one in attended:
            if (moment := one.due) is not None and moment <= now:
                failed = box.carefully("what is due", one.attendant.tick)
                one.rests_until = 0.0 if failed is None else now + REST


class _Attended:
    """A timed task, and until when it pauses after a failure."""

    def __init__(self, attendant: TimedTask) -> None:
        self.attendant = attendant
        self.rests_until = 0.0

    @property
    def due(self) -> float | None:
        due = None
        with LogAndContinue("asking when something is due"):
            due = self.attendant.due
        return None if due is None else max(due, self.rests_until)
