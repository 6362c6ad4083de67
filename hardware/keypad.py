"""A matrix keypad.

A row is either driven low or an input, never high, so two pressed keys in one column cannot short two outputs. All rows
are low except during a scan, so the edges of the columns, which the kernel records with their times, tell when keys
were pressed and released, even if the thread runs late. While a column is low, scans tell which of its keys are down:
one row at a time is low. `hardware.matrix_decoder` derives the keys from both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from companion.ui.keys import Key
from hardware.contact_reader import bits
from hardware.edge_inputs import EdgeInputs, release_pins
from hardware.gpio_errors import line_errors
from hardware.gpio_key_source import GpioKeys
from hardware.input_thread import Waker
from hardware.matrix_decoder import MatrixDecoder

BOUNCING = 0.002  # seconds between two scans while a contact bounces

SLACK = 0.0015
"""A scan is skipped if another one is due within this number of seconds; contacts must be read every 4.5 ms."""

HELD = 0.004  # seconds between two scans while keys are down and unchanged
FORGOTTEN = 0.02  # the same after ``LEFT`` seconds without a change: an object probably lies on the keypad
LEFT = 10.0


class MatrixKeypad(GpioKeys):
    """A key source of a matrix keypad.

    Each string of `keys` names the keys of a row, in the order of the columns.
    """

    def __init__(
        self,
        factory: Any,
        rows: Sequence[int],
        columns: Sequence[int],
        keys: Sequence[str],
        *,
        clock: Callable[[], float] = time.monotonic,
        waker: Waker | None = None,
    ) -> None:
        if [len(row) for row in keys] != [len(columns)] * len(rows):
            raise ValueError(f"{list(keys)} are not the keys of {len(rows)} rows and {len(columns)} columns.")
        super().__init__("keypad", factory, (*rows, *columns), clock, waker)
        self._heights, self._all = tuple(rows), (1 << len(rows)) - 1
        self._names = "".join(keys)
        self._rows: Any = None
        self._columns = EdgeInputs(factory, columns, "up", clock, self._wake)
        self._width = len(columns)
        self._due: float | None = None

    def _open(self) -> None:
        self._reader = MatrixDecoder(self._names, self._width)
        self._due = None
        self._columns.open()
        rows = getattr(self._factory, "open_drain", partial(PinRows, self._factory))
        self._rows = rows(self._heights)
        self._rows.drive(self._all)

    def _release(self) -> None:
        self._columns.close()
        rows, self._rows = self._rows, None
        if rows is not None:
            with suppress(*self._errors):
                rows.close()

    def _read(self, now: float) -> tuple[list[Key], float | None]:
        # While a time is due, the levels are read after each scan; else a ping reads them.
        states = self._columns.states() or (self._columns.compare() if self._due is None else [])
        keys = [key for low, since in states for key in self._reader.follow(low, since)]
        if not self._reader.low:
            keys += self._reader.wait(self._clock())
            self._due = self._reader.due()
        elif states or self._due is None or now >= self._due:
            keys += self._scan()
            self._due = self._next(now)
        return keys, self._due

    def _next(self, now: float) -> float | None:
        """Return when to look again after a scan that began now."""
        due = self._reader.due()
        if not self._reader.low:
            return due
        if self._reader.unscanned:
            return now
        if self._reader.bouncing:
            soon = now + BOUNCING
        else:
            soon = now + (HELD if now - self._reader.moved < LEFT else FORGOTTEN)
        # A scan just before a due one would delay that one.
        return soon if due is None or due - soon > SLACK else due

    def _scan(self) -> list[Key]:
        """Find out which keys of the low columns are down."""
        with self._columns.pause():  # a scan causes edges
            began = self._clock()
            closed = self._closed()
        self._columns.gather()  # the thread may have been late, so a press may have ended before the scan
        keys = [key for low, since in self._columns.states(began) for key in self._reader.follow(low, since)]
        self._columns.compare()  # what changed meanwhile was not recorded
        return keys + self._reader.scan(closed, self._columns.state, began, self._clock())

    def _closed(self) -> int:
        """Return the closed contacts of the low columns as a bit mask, row by row."""
        closed, low = 0, list(bits(self._reader.low))
        for row in range(len(self._heights)):
            self._rows.drive(1 << row)
            for column in low:
                if self._columns.closed(column):
                    closed |= 1 << row * self._width + column
        self._rows.drive(self._all)
        return closed


class PinRows:
    """A keypad's rows as single pins, driven one after the other: some pin factories cannot drive several at once.

    The first number is the lowest bit of a mask.
    """

    def __init__(self, factory: Any, numbers: Sequence[int]) -> None:
        self._pins = [factory.pin(number) for number in numbers]

    def drive(self, low: int) -> None:
        """Drive the rows of a bit mask low, and release the others: first these, so that two are never driven."""
        for bit, pin in enumerate(self._pins):
            if not low >> bit & 1:
                # Pulled up instead of floating, because lines with a pull-up on the Pi can do nothing else.
                pin.input_with_pull("up")
        for bit in bits(low):
            self._pins[bit].output_with_state(False)

    def close(self) -> None:
        release_pins(self._pins, line_errors())
