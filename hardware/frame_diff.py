"""Finds the windows of a controller's RAM to send for a new picture, with the fewest bytes.

It only plans: bytes in, windows out. The controllers supply the cost of a window.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from msgspec import Struct

_OPEN = 32  # maximum number of windows to compare; a picture with more is sent more coarsely


class Window(Struct, frozen=True):
    """A rectangle of the controller's RAM, in rows and bytes."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def size(self) -> int:
        return (self.bottom - self.top) * (self.right - self.left)

    def cut(self, ram: bytes, stride: int) -> bytes:
        rows = range(self.top * stride, self.bottom * stride, stride)
        return b"".join(ram[row + self.left : row + self.right] for row in rows)


Price = Callable[[Window, Window | None], int]
"""Bytes that sending a window costs, itself included, after another one (None: the previous window is unknown)."""


class WindowPlanner:
    """Plans the windows for one kind of controller.

    Changes in a row are merged where sending the gap costs less than a new window. If windows may have several rows,
    each window is then merged with the one that saves most. On pictures of whole games, the result is within one
    percent of comparing all pairs again after each merge.

    Args:
        rows: Number of rows in the RAM.
        stride: Bytes in a row.
        fresh: Approximate overhead of a window in bytes; decides which gaps to send.
        price: Exact cost of a window; decides between the windows and the whole frame.
        cell: Windows begin and end at multiples of this number of bytes.
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
        if self._tall:
            return [Window(0, self._rows, 0, self._stride)]
        return [Window(row, row + 1, 0, self._stride) for row in range(self._rows)]

    def plan(self, old: bytes, new: bytes, sent: Window | None = None) -> list[Window]:
        """Return the windows to send, in order, to a RAM that holds ``old``, row by row.

        ``sent`` is the window sent last, if the controller still has its settings.
        """
        if old == new:
            return []
        changed = (int.from_bytes(old) ^ int.from_bytes(new)).to_bytes(len(new))
        windows = self._windows(changed)
        whole = self.whole()
        return windows if self.price(windows, sent) < self.price(whole, sent) else whole

    def price(self, windows: Iterable[Window], sent: Window | None = None) -> int:
        """Return the cost of sending windows in this order."""
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
        """Yield row, first byte and end of every run of changes; small gaps belong to a run."""
        stride, cell = self._stride, self._cell
        for row in range(self._rows):
            begin = row * stride
            for run in runs.finditer(changed, begin, begin + stride):
                yield row, (run.start() - begin) // cell * cell, -(-(run.end() - begin) // cell) * cell

    def _joined(self, found: Iterable[tuple[int, int, int]]) -> list[Window] | None:
        """Merge runs into windows of several rows where that saves bytes. Return None if too many windows remain."""
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
