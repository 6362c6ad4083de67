"""A matrix keypad.

A row is either driven low or an input, never high, so two pressed keys in one column cannot short two outputs. While
all keys are up, every row is low, and the falling edge of a column wakes the thread. Then one row at a time is low
until all keys are up and stable again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from companion.ui.keys import Key
from hardware.debounce import ContactReader
from hardware.edge_inputs import let_go
from hardware.gpio_keys import GpioKeys
from hardware.input_thread import Waker

BOUNCING = 0.002
"""Seconds between two scans while a contact bounces."""

SLACK = 0.0015
"""A scan is skipped if another one is due within this number of seconds; contacts must be read every 4.5 ms."""

HELD = 0.004
"""Seconds between two scans while keys are down and unchanged."""

FORGOTTEN = 0.02
"""The same after ``LEFT`` seconds without a change: an object probably lies on the keypad."""

LEFT = 10.0


class MatrixKeypad(GpioKeys):
    """A key source of a matrix keypad.

    Args:
        factory: A gpiozero pin factory.
        rows: The GPIO numbers of the rows.
        columns: The GPIO numbers of the columns.
        keys: The keys of each row, in the order of the columns.
        menu: The key that switches the machine off when held long; None is ``#`` if there is one, else ``o``.
        clock: A monotonic clock in seconds.
        waker: See ``GpioKeys``.
    """

    def __init__(
        self,
        factory: Any,
        rows: Sequence[int],
        columns: Sequence[int],
        keys: Sequence[str],
        *,
        menu: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        waker: Waker | None = None,
    ) -> None:
        if [len(row) for row in keys] != [len(columns)] * len(rows):
            raise ValueError(f"{list(keys)} are not the keys of {len(rows)} rows and {len(columns)} columns.")
        super().__init__("keypad", factory, (*rows, *columns), clock, waker)
        self._heights, self._widths = tuple(rows), tuple(columns)
        self._names, self._menu = "".join(keys), menu
        self._rows: list[Any] = []
        self._columns: list[Any] = []
        self._resting = False

    def _open(self) -> None:
        self._contacts = ContactReader(self._names, len(self._widths), self._menu)
        for number in self._widths:
            column = self._factory.pin(number)
            self._columns.append(column)
            column.input_with_pull("up")
            column.bounce = None  # debounced here: the kernel's debouncing misses short presses
            column.edges = "falling"
        for number in self._heights:
            self._rows.append(self._factory.pin(number))
        self._rest()

    def _release(self) -> None:
        pins = [*self._columns, *self._rows]
        self._columns, self._rows = [], []
        let_go(pins, self._losses)

    def _look(self, now: float) -> tuple[list[Key], float | None]:
        if self._resting:
            if not self._touched():
                return [], None  # the end of a bounce, or a ping
            self._stir()
        keys = self._contacts.see(self._scan(), now, self._clock())
        if self._contacts.idle:
            self._rest()
            return keys, None
        soon, due = now + self._period(now), self._contacts.due()
        # A scan just before a due one would delay that one.
        return keys, soon if due is None or due - soon > SLACK else due

    def _period(self, now: float) -> float:
        """Return the seconds until the next scan."""
        if self._contacts.bouncing:
            return BOUNCING
        return HELD if now - self._contacts.moved < LEFT else FORGOTTEN

    def _rest(self) -> None:
        """Drive all rows low and let any key wake the thread."""
        for row in self._rows:
            row.output_with_state(False)
        for column in self._columns:
            column.when_changed = self._moved
        self._resting = True
        if self._touched():  # a key pressed between the last scan and now causes no edge
            self._ring()

    def _stir(self) -> None:
        """Disable edges, which scanning itself would cause, and release every row."""
        self._resting = False
        for column in self._columns:
            column.when_changed = None
        for row in self._rows:
            row.input_with_pull("up")

    def _touched(self) -> bool:
        """Return whether any key is down; every row must be low."""
        return not all(column.state for column in self._columns)

    def _scan(self) -> int:
        """Return the closed contacts as a bit mask, row by row."""
        closed = 0
        place = 1
        for row in self._rows:
            row.output_with_state(False)
            for column in self._columns:
                if not column.state:
                    closed |= place
                place <<= 1
            # Pulled up instead of floating, because lines with a pull-up on the Pi can do nothing else.
            row.input_with_pull("up")
        return closed

    def _moved(self, _ticks: float, _state: int) -> None:
        """Handle a column's edge, on the factory's thread."""
        self._ring()
