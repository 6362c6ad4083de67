"""Virtual time, in which keys are read: it passes only on request, and nothing depends on the machine's speed."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

from companion.ui.keys import Key
from hardware.keys.source import KeyReader
from tests.fakes.chip import FakeGpio


class VirtualTime:
    """A clock, a simulated chip, the thread that reads its keys, and a plan of actions.

    The thread wakes up for an edge and when it is due, like that of `BoardKeys`.

    Args:
        late: Returns the seconds by which the thread is late; called for each wake-up.
        cost: Seconds that an operation on lines takes.

    Attributes:
        gpio: The chip.
        wakes: How often the thread has woken up.
    """

    def __init__(self, late: Callable[[], float] = lambda: 0.0, cost: float = 0.0) -> None:
        self.now = 1000.0
        self.late = late
        self.wakes = 0
        self.gpio = FakeGpio(clock=self.clock, spend=self._spend)
        self._cost = cost
        self._order = count()
        self._plan: list[tuple[float, int, Callable[[], object]]] = []
        self._turn: Callable[[], float | None] | None = None
        self._due: float | None = None  # when the thread wakes up
        self._rung = False  # whether that is because of an edge

    def clock(self) -> float:
        return self.now

    def read(self, turn: Callable[[], float | None] | None) -> None:
        """Let the thread call a function from now on, which returns when it is due again; None ends the thread."""
        self._turn, self._due, self._rung = turn, self.now, False

    def ring(self) -> None:
        """Wake the thread, as a ping does."""
        late = self.now + self.late()
        self._due = late if self._due is None else min(self._due, late)
        self._rung = True

    def at(self, moment: float, action: Callable[[], object]) -> None:
        heapq.heappush(self._plan, (moment, next(self._order), action))

    def wait(self, seconds: float) -> None:
        self.until(self.now + seconds)

    def until(self, moment: float) -> None:
        """Let time pass until a moment, and a little longer if the thread is busy then."""
        while True:
            if self.gpio.unread and not self._rung:
                self.ring()
            nexts = [due for due in (self._due, *(plan[0] for plan in self._plan[:1])) if due is not None]
            if not nexts or min(nexts) > moment:
                self._pass(moment)
                return
            self._pass(min(nexts))
            self._happen()
            if self._turn is not None and self._due is not None and self._due <= self.now:
                self.wakes += 1
                self._rung = False
                due = self._turn()
                self._due = None if due is None else max(due, self.now) + self.late()
            elif self._turn is None:
                self._due = None

    def _pass(self, moment: float) -> None:
        """Let it be a moment, or up to two nanoseconds later: clock and stamps of the kernel count in nanoseconds."""
        if moment > self.now:
            whole = round(moment * 1e9)
            self.now = next(now for now in (whole / 1e9, (whole + 1) / 1e9) if now >= moment)

    def _happen(self) -> None:
        """Run the actions that are due."""
        while self._plan and self._plan[0][0] <= self.now:
            heapq.heappop(self._plan)[2]()

    def _spend(self) -> None:
        """Let an operation take its time; later operations see what happens during it."""
        self._pass(self.now + self._cost)
        self._happen()


class VirtualKeys:
    """Stands in for `BoardKeys`, without its thread: its keys are read in virtual time, by whoever lets it pass."""

    def __init__(self, kinds: Sequence[Any], time: VirtualTime) -> None:
        self._kinds = kinds
        self._time = time
        self.reader: KeyReader | None = None

    def start(self, put: Callable[[Key], None]) -> None:
        self.reader = reader = KeyReader(self._kinds, self._time.clock)
        reader.open()

        def turn() -> float | None:
            keys, due = reader.turn()
            for key in keys:
                put(key)
            return due

        self._time.read(turn)
        self._time.wait(0)

    def alive(self) -> bool:
        return self.reader is not None and not self.reader.broken

    def close(self) -> None:
        self._time.read(None)
        if self.reader is not None:
            self.reader.close()
            self.reader = None
