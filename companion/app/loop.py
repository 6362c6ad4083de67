"""The event loop: one queue, one thread; it sleeps until a key comes or a timed task is due.

No exception of a key, a written answer or an attendant ends it: it is logged, and the attendant rests for a while.
"""

from __future__ import annotations

from collections.abc import Iterable
from queue import Empty, SimpleQueue
from typing import Protocol

from companion.ui.keys import Key

from .controller import Controller
from .error_log import LogExceptions
from .ports import Clock, TextAnswer
from .web_queue import WebQueue


class Stop:
    """The queue item that ends the loop."""


REST = 10.0
"""Seconds until an attendant that failed is called again."""

Inbox = SimpleQueue[Key | TextAnswer | Stop | WebQueue]


class InputQueue(Protocol):
    """A queue of keys and texts, as the loop reads it."""

    def get(self, block: bool = True, timeout: float | None = None) -> Key | TextAnswer | Stop | WebQueue:
        """Return the first, or wait for it.

        Raises:
            Empty: Nothing came within so many seconds.
        """

    def get_nowait(self) -> Key | TextAnswer | Stop | WebQueue:
        """Return the first.

        Raises:
            Empty: There is none.
        """


class TimedTask(Protocol):
    """A task with a due time: the loop runs it when that time has come."""

    @property
    def due(self) -> float | None:
        """Return when to call `tick`, in seconds as ``Clock.passed`` counts them; None: only after something else."""

    def tick(self) -> None:
        """Do what is due."""


def run(box: Controller, inbox: InputQueue, clock: Clock, attendants: Iterable[TimedTask] = ()) -> None:
    """Press every key that comes, in order, and do whatever is due in between, until told to stop."""
    everyone: tuple[TimedTask, ...] = (box.front, box.saving, *attendants)
    attended = [_Attended(attendant) for attendant in everyone]
    while True:
        due = min((moment for one in attended if (moment := one.due) is not None), default=None)
        wait = None if due is None else due - clock.passed()
        try:
            came = inbox.get(timeout=wait) if wait is None or wait > 0 else inbox.get_nowait()
        except Empty:
            came = None
        if isinstance(came, WebQueue):
            came = came.take()
        match came:
            case Key() as key:
                box.press(key)
            case TextAnswer(text):
                box.write(text)
            case Stop():
                return
        now = clock.passed()
        for one in attended:
            if (moment := one.due) is not None and moment <= now:
                done = box.carefully("what is due", one.attendant.tick)
                one.rests_until = 0.0 if done else now + REST


class _Attended:
    """An attendant, and until when it rests because it failed."""

    def __init__(self, attendant: TimedTask) -> None:
        self.attendant = attendant
        self.rests_until = 0.0

    @property
    def due(self) -> float | None:
        due = None
        with LogExceptions("asking when something is due"):
            due = self.attendant.due
        return None if due is None else max(due, self.rests_until)
