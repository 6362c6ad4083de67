"""A matrix keypad, read by edges and scans.

A row is either driven low or released, never high, so two pressed keys in one column cannot short two outputs. All rows
are low except during a scan, so an edge tells when a key of a column closed or the last one opened, however late it is
read. Only a scan, in which one row at a time is low, tells which key it was. So one scan during a press is enough: the
edges around it say how long the key was closed. A press that ended before any scan gives ``MISSED``, once.

While one key is down, its own edge tells that it comes up, and the edges of other columns tell of their keys. What no
edge tells is a second key in its column: to find one, the column is read now and then while all rows but that of the
first key are low.

What no edge shows can be lost: of two keys of one column that overlap, one that is down between two scans only; a press
that ends or begins during a scan so slow that another one follows or precedes it there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple

from companion.ui.keys import MISSED, Key
from hardware.keys.contacts import SETTLE, ContactReader, Debounce, bits, with_contact
from hardware.keys.lines import Edge, KeyLines, Pull

LONG = 2 * SETTLE  # seconds within which a scan cannot hide the end of one press and the beginning of the next
BOUNCING = 0.002  # seconds between two scans while a contact bounces, if several are closed

SLACK = 0.0015
"""A scan is skipped if another one is due within this number of seconds; contacts must be read every 4.5 ms."""

HELD = 0.004  # seconds between two scans while several keys are down and unchanged
ALONE = 0.006  # the same while one key is down
FORGOTTEN = 0.02  # the same after ``LEFT`` seconds without a change: an object probably lies on the keypad
LEFT = 10.0


class Scan(NamedTuple):
    """The result of a scan of all rows."""

    began: float
    ended: float
    closed: int  # the closed contacts, row by row
    low: int  # the columns that were low after it


class MatrixKeys:
    """The keys of a matrix on lines. Each string of `keys` names the keys of a row, in the order of the columns."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int], keys: Sequence[str]) -> None:
        if [len(row) for row in keys] != [len(columns)] * len(rows):
            raise ValueError(f"{list(keys)} are not the keys of {len(rows)} rows and {len(columns)} columns.")
        self.contacts: dict[int, Pull] = dict.fromkeys(columns, "up")
        self.rows = tuple(rows)
        self._names = "".join(keys)
        self._width = len(columns)
        self._all_columns = (1 << len(columns)) - 1
        self.place(0, 0)
        self.begin()

    def place(self, contact: int, row: int) -> None:
        """Take the numbers that its first column and its first row have in the request."""
        self._contact, self._row = contact, row

    def begin(self) -> None:
        """Begin anew: all keys count as up."""
        self._decoder = MatrixDecoder(self._names, self._width)
        self._looked = 0.0  # when the last scan began
        self._moved = False  # whether an edge came since
        self._plan()

    def follow(self, edge: Edge, time: float) -> list[Key]:
        """Process an edge of a column; times must not decrease. Return the resulting keys."""
        keys = self._decoder.follow(with_contact(self._decoder.low, edge.contact, edge.closed), time)
        self._moved = True
        self._plan()
        return keys

    def wait(self, time: float) -> list[Key]:
        """Process that nothing has changed until now."""
        if self._settles is None or time < self._settles:
            return []
        keys = self._decoder.wait(time)
        self._plan()
        return keys

    def due(self) -> float | None:
        """Return when to look again even without an edge; None if only an edge can bring news."""
        return self._due

    def scan_due(self, now: float) -> bool:
        """Return whether it has to be scanned."""
        if self._period is None or self._due is None:
            return False
        return now >= self._due or (self._moved and self._alone is None)

    def still_alone(self, lines: KeyLines, clock: Callable[[], float]) -> bool:
        """Return whether one key is down and still the only one in its column, which alone is looked at."""
        if self._alone is None:
            return False
        self._looked = began = clock()
        self._moved = False
        self._set_due()
        column = self._decoder.low << self._contact
        lines.drive(~(1 << self._alone // self._width + self._row))
        others = lines.closed()
        lines.drive(-1)
        low = lines.closed()
        lines.ignore(column, began, clock())  # its own edges
        return bool(low & ~others & column)

    def scan(self, lines: KeyLines, clock: Callable[[], float]) -> Scan:
        """Find out which keys of the low columns are down."""
        self._looked = began = clock()
        self._moved = False
        closed, all_rows = 0, (1 << len(self.rows)) - 1 << self._row
        for row in range(len(self.rows)):
            lines.drive(~all_rows | 1 << row + self._row)
            closed |= (self._low(lines) & self._decoder.low) << row * self._width
        lines.drive(-1)
        low, ended = self._low(lines), clock()
        lines.ignore(self._all_columns << self._contact, began, ended)
        return Scan(began, ended, closed, low)

    def scanned(self, scan: Scan) -> list[Key]:
        """Process a scan, and return the resulting keys. Earlier edges must have been processed."""
        keys = self._decoder.scan(scan.closed, scan.low, scan.began, scan.ended)
        self._plan()
        return keys

    def _plan(self) -> None:
        """Compute what changes with the contacts alone: while a key is down, it is asked for often."""
        decoder = self._decoder
        self._alone, self._settles = decoder.alone, decoder.due()
        self._period: float | None = None  # seconds between two scans; None while nothing is down
        self._left = decoder.moved + LEFT  # when an object probably lies on the keypad
        if decoder.low:
            self._period = HELD if self._alone is None else ALONE
            if decoder.unscanned:
                self._period, self._left = 0.0, inf
            elif decoder.bouncing and self._alone is None:
                self._period = BOUNCING
        self._set_due()

    def _set_due(self) -> None:
        self._due = self._settles
        if self._period is not None:
            soon = self._looked + (self._period if self._looked < self._left else FORGOTTEN)
            # A scan just before a due reading would delay that one.
            if not self._period or self._settles is None or self._settles - soon > SLACK:
                self._due = soon

    def _low(self, lines: KeyLines) -> int:
        return lines.closed() >> self._contact & self._all_columns


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
        return keys + self._update(closed, time, time)

    def scan(self, closed: int, low: int, began: float, ended: float) -> list[Key]:
        """Process a scan: the closed contacts, and the columns that are low after it while every row is low."""
        found = self._columns_of(closed)
        # A contact that has not counted, and is open while another one keeps its column low, may have been a ghost.
        kept_low = sum(self._in_column[column] for column in bits(found & self.low))
        kept = self._contacts.closed & (closed | self._contacts.down | ~kept_low)
        keys = self._update(kept, began, began)
        # A column that came up during the scan: the end of a press that has counted; or else, perhaps, a whole press.
        opened = self.low & ~found & self._columns.down
        if ended - began < LONG:
            opened &= ~low  # else a press ended, and another one began
        keys += self.follow(self.low & ~opened, began)
        for column, fell in self._fell.items():
            contacts = closed & self._in_column[column]
            if contacts.bit_count() == 1:  # so the edge was its own
                keys += self._contacts.update(self._contacts.closed | contacts, fell)
        self._fell = dict.fromkeys(bits(low & ~found), ended)  # a contact bounced, or closed when its row was done
        return keys + self._update(closed, began, ended) + self.follow(low, ended)

    def wait(self, time: float) -> list[Key]:
        """Process that nothing has changed until now."""
        return self._update(self._contacts.closed, time, time)

    @property
    def alone(self) -> int | None:
        """The only contact that is closed, if it is the reason for all that is low; else None."""
        closed = self._contacts.closed
        known = closed.bit_count() == 1 and not self._fell and self._columns_of(closed) == self.low
        return closed.bit_length() - 1 if known else None

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

    def _update(self, closed: int, began: float, ended: float) -> list[Key]:
        """Debounce contacts and columns; a column that was down without any of its keys was a missed press."""
        keys = self._contacts.update(closed, began, ended)
        before = self._columns.down
        down = self._columns.update(self.low, began, ended)
        self._unexplained |= down & ~before
        self._unexplained &= ~self._columns_of(self._contacts.down)
        missed = self._unexplained & ~down
        self._unexplained &= down
        return keys + [MISSED] * missed.bit_count()
