"""Input lines that record every edge with its time.

A thread that is late reads the level of now; a short press, or a step of an encoder, may be over by then. The edges
tell all of it, so nothing depends on how soon the thread gets to run.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from hardware.gpio_errors import line_errors

Moment = tuple[int, float]
"""Which contacts are closed, as a picture, and since when."""


class EdgeInputs:
    """Contacts on GPIO lines, their edges recorded.

    Args:
        factory: The gpiozero pin factory that has the lines.
        numbers: The GPIO numbers, that of the picture's lowest bit first.
        pull: ``up``, ``down``, or ``floating`` where the board has resistors of its own.
        low: Whether a closed contact reads low.
        clock: Seconds that only grow.
        ring: Called when there is something to look at, on the factory's thread.
    """

    def __init__(
        self,
        factory: Any,
        numbers: Sequence[int],
        pull: str,
        low: bool,
        clock: Callable[[], float],
        ring: Callable[[], None],
    ) -> None:
        self._factory = factory
        self._numbers = tuple(numbers)
        self._pull = pull
        self._low = low
        self._clock = clock
        self._ring = ring
        self._pins: list[Any] = []
        self._handlers: list[Callable[[Any, int], None]] = []  # gpiozero holds them weakly
        self._edges: deque[tuple[int, bool, float]] = deque()
        self._closed = 0
        self._last = 0.0

    def open(self) -> None:
        """Prepare the lines, every contact taken for open until the next look."""
        self._edges.clear()
        self._closed = 0
        for bit, number in enumerate(self._numbers):
            pin = self._factory.pin(number)
            self._pins.append(pin)
            pin.input_with_pull(self._pull)
            pin.bounce = None
            pin.edges = "both"
            handler = partial(self._note, bit)
            self._handlers.append(handler)
            pin.when_changed = handler

    def close(self) -> None:
        """Let go of the lines; never raises."""
        pins, self._pins = self._pins, []
        self._handlers.clear()
        let_go(pins, line_errors())

    def news(self, now: float, due: float | None) -> list[Moment]:
        """Return every picture since the last look, each with the time it began, oldest first.

        Where nothing was told and nothing was due, the levels themselves are looked at: just opened, or rung for a
        ping; the edges may have missed one.
        """
        return self.moments() or (self.compare() if due is None or now < due else [])

    def moments(self) -> list[Moment]:
        """Return every picture that edges told since the last look."""
        found = []
        while self._edges:
            bit, closed, time = self._edges.popleft()
            picture = self._closed | 1 << bit if closed else self._closed & ~(1 << bit)
            found.append(self._moment(picture, time))
        return found

    def compare(self) -> list[Moment]:
        """Read the levels, and return the picture of now where it is another than the edges told."""
        levels = [bool(pin.state) for pin in self._pins]
        picture = sum(1 << bit for bit, level in enumerate(levels) if level is not self._low)
        return [] if picture == self._closed or self._edges else [self._moment(picture, self._clock())]

    def _moment(self, picture: int, time: float) -> Moment:
        self._closed = picture
        self._last = max(self._last, time)
        return picture, self._last

    def _note(self, bit: int, ticks: Any, state: int) -> None:
        """Take an edge, on the factory's thread."""
        now = self._clock()
        age = self._factory.ticks_diff(self._factory.ticks(), ticks)
        # A factory may stamp edges by another clock than it tells the time by; such an age is nonsense.
        self._edges.append((bit, bool(state) is not self._low, now - age if 0 <= age < 1 else now))
        self._ring()


def let_go(pins: Iterable[Any], losses: tuple[type[Exception], ...]) -> None:
    """Let go of every pin, of those too that come after one that fails."""
    for pin in pins:
        with suppress(*losses):
            pin.when_changed = None
        with suppress(*losses):
            pin.close()
