"""Finds the windows of a controller's RAM to send for a new picture, with the fewest bytes.

Here lives the planning alone: bytes in, windows out. What a window costs is told by who will send it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

_OPEN = 32  # windows that are weighed against each other; a picture with more is sent more coarsely


class Window(NamedTuple):
    """A rectangle of the controller's RAM, in rows and bytes."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def size(self) -> int:
        """Return how many bytes it holds."""
        return (self.bottom - self.top) * (self.right - self.left)

    def cut(self, ram: bytes, stride: int) -> bytes:
        """Return its bytes of a RAM, row by row."""
        rows = range(self.top * stride, self.bottom * stride, stride)
        return b"".join(ram[row + self.left : row + self.right] for row in rows)


Price = Callable[[Window, Window | None], int]
"""What sending a window costs after another (None: nothing is known of what was sent), its own bytes included."""


class WindowPlanner:
    """Plans the windows for one kind of controller.

    Changes of a row are joined where the gap costs less than another window; then, where the controller takes
    windows of several rows, each window is joined with whichever saves most. On the pictures of whole games that
    is within one percent of trying every pair again after every joining.

    Args:
        rows: How many rows the RAM has.
        stride: How many bytes a row has.
        fresh: What a window costs beside its bytes, roughly; it decides which gaps are sent along.
        price: What a window costs, exactly; it decides between the windows and the whole frame.
        cell: Windows begin and end at multiples of so many bytes.
        tall: Whether a window may have several rows.
    """

    def __init__(self, rows: int, stride: int, fresh: int, price: Price, *, cell: int = 1, tall: bool = True) -> None:
        self._rows = rows
        self._stride = stride
        self._fresh = fresh
        self._price = price
        self._cell = cell
        self._tall = tall
        gaps = (min(gap, stride) for gap in (max(fresh - 1, 1), 4 * fresh, stride))
        self._runs = [re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % gap) for gap in gaps]

    def whole(self) -> list[Window]:
        """Return the windows of the whole frame."""
        if self._tall:
            return [Window(0, self._rows, 0, self._stride)]
        return [Window(row, row + 1, 0, self._stride) for row in range(self._rows)]

    def plan(self, old: bytes, new: bytes, sent: Window | None = None) -> list[Window]:
        """Return what to send, in this order, to a RAM that holds ``old``.

        Args:
            old: The RAM as it is, row by row.
            new: The RAM as it shall be.
            sent: The window that was sent last, if the controller still knows it.
        """
        if old == new:
            return []
        changed = (int.from_bytes(old) ^ int.from_bytes(new)).to_bytes(len(new))
        windows = self._windows(changed)
        whole = self.whole()
        return windows if self.price(windows, sent) < self.price(whole, sent) else whole

    def price(self, windows: Iterable[Window], sent: Window | None = None) -> int:
        """Return what sending windows in this order costs."""
        total = 0
        for window in windows:
            total += self._price(window, sent)
            sent = window
        return total

    def _windows(self, changed: bytes) -> list[Window]:
        """Return windows around all bytes that are not zero."""
        if not self._tall:
            return [Window(row, row + 1, left, right) for row, left, right in self._found(changed, self._runs[0])]
        for runs in self._runs:
            windows = self._joined(self._found(changed, runs))
            if windows is not None:
                return windows
        return self.whole()

    def _found(self, changed: bytes, runs: re.Pattern[bytes]) -> Iterable[tuple[int, int, int]]:
        """Yield row, first byte and byte after the last of every run of changes with small gaps."""
        stride, cell = self._stride, self._cell
        for row in range(self._rows):
            begin = row * stride
            for run in runs.finditer(changed, begin, begin + stride):
                yield row, (run.start() - begin) // cell * cell, -(-(run.end() - begin) // cell) * cell

    def _joined(self, found: Iterable[tuple[int, int, int]]) -> list[Window] | None:
        """Join runs to windows of several rows where that saves, or return None when there are too many of them."""
        made: list[tuple[int, int, int, int]] = []
        for row, first, last in found:
            top, bottom, left, right = row, row + 1, first, last
            while True:
                most, with_most = 0, None
                own = self._fresh + (bottom - top) * (right - left)
                for other in made:
                    up, down, start, end = other
                    height = (bottom if bottom > down else down) - (top if top < up else up)
                    width = (right if right > end else end) - (left if left < start else start)
                    saved = own + (down - up) * (end - start) - height * width
                    if saved > most:
                        most, with_most = saved, other
                if with_most is None:
                    break
                made.remove(with_most)
                up, down, start, end = with_most
                top, bottom, left, right = min(top, up), max(bottom, down), min(left, start), max(right, end)
            made.append((top, bottom, left, right))
            if len(made) > _OPEN:
                return None
        return [Window(*window) for window in sorted(made)]
