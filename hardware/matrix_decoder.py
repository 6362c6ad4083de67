"""Finds the keys of a matrix keypad from edges of its columns and from scans. It has no pins, threads or clock.

While every row is low, an edge tells when a key of a column closed or the last one opened, however late it is read.
Only a scan tells which key it was. So one scan during a press is enough: the edges around it say how long the key was
closed. A press that ended before any scan gives ``MISSED``, once.

What no edge shows can be lost: of two keys of one column that overlap, one that is down between two scans only; a press
that ends or begins during a scan so slow that another one follows or precedes it there.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.ui.keys import MISSED, Key
from hardware.contact_reader import SETTLE, ContactReader, Debounce, bits

LONG = 2 * SETTLE  # seconds within which a scan cannot hide the end of one press and the beginning of the next


class MatrixDecoder:
    """Turns edges of columns and scans of contacts into keys; times must not decrease."""

    def __init__(self, names: Sequence[str], columns: int) -> None:
        self.low = 0  # the columns that are low
        self._contacts = ContactReader(names, columns)
        self._columns = Debounce()
        self._in_column = [sum(1 << bit for bit in range(column, len(names), columns)) for column in range(columns)]
        self._fell: dict[int, float] = {}  # by column: when it fell, if no scan has come since
        self._rose: dict[int, tuple[int, float]] = {}  # by column: which contact opened, and when
        self._unexplained = 0  # columns that are down although no key of theirs has been accepted

    def follow(self, low: int, time: float) -> list[Key]:
        """Process an edge: these columns are low from then on, every row being low."""
        keys = self.wait(time)
        closed = self._contacts.closed
        for column in bits(self.low & ~low):
            self._rose[column] = closed & self._in_column[column], time
            closed &= ~self._in_column[column]
            self._fell.pop(column, None)
        for column in bits(low & ~self.low):
            contacts, rose = self._rose.get(column, (0, time))
            if contacts.bit_count() == 1 and time - rose < SETTLE:
                closed |= contacts  # it bounces
            else:
                self._fell[column] = time
        self.low = low
        return keys + self._see(closed, time, time)

    def scan(self, closed: int, low: int, began: float, ended: float) -> list[Key]:
        """Process a scan: the closed contacts, and the columns that are low after it while every row is low."""
        found = self._columns_of(closed)
        # A contact that has not counted, and is open while another one keeps its column low, may have been a ghost.
        kept_low = sum(self._in_column[column] for column in bits(found & self.low))
        kept = self._contacts.closed & (closed | self._contacts.down | ~kept_low)
        keys = self._see(kept, began, began)
        # A column that came up during the scan: the end of a press that has counted; or else, perhaps, a whole press.
        opened = self.low & ~found & self._columns.down
        if ended - began < LONG:
            opened &= ~low  # else a press ended, and another one began
        keys += self.follow(self.low & ~opened, began)
        for column, fell in self._fell.items():
            contacts = closed & self._in_column[column]
            if contacts.bit_count() == 1:  # so the edge was its own
                keys += self._contacts.see(self._contacts.closed | contacts, fell)
        self._fell = dict.fromkeys(bits(low & ~found), ended)  # a contact bounced, or closed when its row was done
        return keys + self._see(closed, began, ended) + self.follow(low, ended)

    def wait(self, time: float) -> list[Key]:
        """Process that nothing has changed until now."""
        return self._see(self._contacts.closed, time, time)

    @property
    def unscanned(self) -> bool:
        """Whether a column is low and nothing tells which of its keys is down."""
        return bool(self._fell)

    @property
    def bouncing(self) -> bool:
        """Whether a contact differs from its accepted state."""
        return self._contacts.bouncing

    @property
    def moved(self) -> float:
        """When a contact last changed."""
        return self._contacts.moved

    def due(self) -> float | None:
        """Return when the next reading is due even without an edge; None if only an edge can bring news."""
        return min((due for due in (self._contacts.due(), self._columns.due()) if due is not None), default=None)

    def _columns_of(self, contacts: int) -> int:
        return sum(1 << column for column, mask in enumerate(self._in_column) if contacts & mask)

    def _see(self, closed: int, began: float, ended: float) -> list[Key]:
        """Debounce contacts and columns; a column that was down without any of its keys was a missed press."""
        keys = self._contacts.see(closed, began, ended)
        before = self._columns.down
        down = self._columns.see(self.low, began, ended)
        self._unexplained |= down & ~before
        self._unexplained &= ~self._columns_of(self._contacts.down)
        missed = self._unexplained & ~down
        self._unexplained &= down
        return keys + [MISSED] * missed.bit_count()
