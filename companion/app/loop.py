"""The event loop: one queue, one thread. It sleeps until a key comes or a timed task is due.

An exception raised by a key, a written answer, a page's request or a timed task is logged; the loop goes on. The task
then pauses.
"""

from __future__ import annotations

from collections.abc import Iterable
from queue import Empty, SimpleQueue
from typing import Protocol

from companion.ui.keys import Key

from .box import Box
from .ports import Clock, TimedTask
from .request_types import TypedAnswer
from .survive_errors import LogAndContinue
from .web_queue import WebInput, WebQueue


class Stop:
    """The queue item that ends the loop."""


REST = 10.0  # seconds until a failed task is called again
Inbox = SimpleQueue[WebInput | Stop | WebQueue]


class InputQueue(Protocol):
    """The protocol of the queue that the loop reads keys and texts from."""

    def get(self, block: bool = True, timeout: float | None = None) -> WebInput | Stop | WebQueue:
        """Return the first item; wait for it if necessary.

        Raises Empty if nothing came before the time-out, in seconds.
        """

    def get_nowait(self) -> WebInput | Stop | WebQueue:
        """Return the first item; raise Empty if the queue is empty."""


def run(box: Box, inbox: InputQueue, clock: Clock, attendants: Iterable[TimedTask] = ()) -> None:
    """Handle every key in order and run due tasks in between, until a Stop arrives."""
    attended = [_Attended(attendant) for attendant in (*box.tasks, *attendants)]
    while True:
        due = min((moment for one in attended if (moment := one.due) is not None), default=None)
        wait = None if due is None else due - clock.passed()
        try:
            came = inbox.get(timeout=wait) if wait is None or wait > 0 else inbox.get_nowait()
        except Empty:
            came = None
        wanted: WebInput | Stop | None = came.take() if isinstance(came, WebQueue) else came
        match wanted:
            case Key() as key:
                box.press(key)
            case TypedAnswer(text):
                box.write(text)
            case Stop():
                return
            case None:
                pass
            case _:
                box.pages.serve(wanted)
        now = clock.passed()
        for one in attended:
            if (moment := one.due) is not None and moment <= now:
                done = box.recovery.carefully("what is due", one.attendant.tick)
                one.rests_until = 0.0 if done else now + REST


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
