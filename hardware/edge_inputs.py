"""Input lines that record every edge with its time.

A delayed thread would only read the current level, and miss a short press or an encoder step. The recorded edges are
complete, so the result does not depend on when the thread runs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from math import inf
from typing import Any, Literal

from hardware.gpio_errors import line_errors

LATE = 10.0
"""Seconds by which an edge may be read late. An older one was stamped with another clock, and counts as of now."""

PAUSES = 64
"""The number of pauses that are remembered: the scans of 0.2 seconds. A busy machine tells an edge some scans later."""

TimedState = tuple[int, float]  # the closed contacts as a bit mask, and since when


class EdgeInputs:
    """Contacts on GPIO lines, their edges recorded.

    The first number is the lowest bit of the mask. `pull` is the level of the lines while their contacts are open. The
    factory's thread calls `wake` when an edge was recorded.
    """

    def __init__(
        self,
        factory: Any,
        numbers: Sequence[int],
        pull: Literal["up", "down"],
        clock: Callable[[], float],
        wake: Callable[[], None],
    ) -> None:
        self._factory = factory
        self._numbers = tuple(numbers)
        self._pull = pull
        self._low = pull == "up"  # whether a closed contact reads low
        self._clock = clock
        self._wake = wake
        self._pins: list[Any] = []
        self._handlers: list[Callable[[Any, int], None]] = []  # gpiozero keeps only weak references
        self._edges: deque[tuple[int, bool, float]] = deque()
        self._closed = 0
        self._last = 0.0
        self._pauses: tuple[tuple[Any, Any], ...] = ()  # start and end, newest first; None goes on

    def open(self) -> None:
        """Set up the lines. All contacts count as open until the next look."""
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
        """Release the lines; never raises."""
        pins, self._pins = self._pins, []
        self._handlers.clear()
        release_pins(pins, line_errors())

    def changes(self, now: float, due: float | None) -> list[TimedState]:
        """Return every state of the contacts since the last call, each with its start time, oldest first.

        If there was no edge and nothing was due, the levels are read: the lines were just opened or a ping woke the
        thread, and an edge may have been missed.
        """
        return self.states() or (self.compare() if due is None or now < due else [])

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Record no edge that falls into the block, not even one that is told after it."""
        began, before = self._factory.ticks(), self._pauses[: PAUSES - 1]
        self._pauses = (began, None), *before
        try:
            yield
        finally:
            self._pauses = (began, self._factory.ticks()), *before

    def gather(self) -> None:
        """Record the edges that the factory has not told yet, if it tells them on this thread."""
        edges = getattr(self._factory, "edges", None)
        if edges is not None:
            edges.serve()

    def states(self, until: float = inf) -> list[TimedState]:
        """Return every state that recorded edges led to since the last call, as far as they happened until a time."""
        found = []
        while self._edges and self._edges[0][2] <= until:
            bit, closed, time = self._edges.popleft()
            picture = self._closed | 1 << bit if closed else self._closed & ~(1 << bit)
            found.append(self._timed(picture, time))
        return found

    @property
    def state(self) -> int:
        """The closed contacts, as far as edges and levels were read."""
        return self._closed

    def compare(self) -> list[TimedState]:
        """Read the levels; return the current state if it differs from the one that the edges led to."""
        picture = sum(1 << bit for bit in range(len(self._pins)) if self.closed(bit))
        if picture == self._closed or self._edges:
            return []
        self._closed = picture
        return [(picture, self._clock())]  # edges from before this time may still come

    def closed(self, bit: int) -> bool:
        """Read a line; return whether its contact is closed."""
        return bool(self._pins[bit].state) is not self._low

    def _timed(self, picture: int, time: float) -> TimedState:
        self._closed = picture
        self._last = max(self._last, time)
        return picture, self._last

    def _note(self, bit: int, ticks: Any, state: int) -> None:
        """Record an edge, on the factory's thread."""
        if self._in_pause(ticks):
            return
        now = self._clock()
        age = self._factory.ticks_diff(self._factory.ticks(), ticks)
        self._edges.append((bit, bool(state) is not self._low, now - age if 0 <= age < LATE else now))
        self._wake()

    def _in_pause(self, ticks: Any) -> bool:
        later = self._factory.ticks_diff
        for began, ended in self._pauses:
            if later(ticks, began) >= 0:
                return ended is None or later(ended, ticks) >= 0
        return False


def release_pins(pins: Iterable[Any], errors: tuple[type[Exception], ...]) -> None:
    """Release every pin, even if some of them fail."""
    for pin in pins:
        with suppress(*errors):
            pin.when_changed = None
        with suppress(*errors):
            pin.close()
