"""Debounce, ghosting, quadrature decoding.

Here live pure functions of what was read and when: no pins, no threads, no clock. A picture of contacts is an
integer with one bit a contact, set while it is closed; times are in seconds.

What is promised of every contact, as long as it bounces for at most ``SETTLE`` when it closes and when it opens, and
is looked at every 4.5 ms or its edges are all told:

- a press of 20 ms or more (from its first touch until it begins to open) counts, once, when at least as much lies
  between it and the next press of the same key;
- nothing counts that was not a press of its key; a touch shorter than ``SETTLE`` never does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from companion.ui.keys import Key
from hardware.presses import Presses

SETTLE = 0.005
"""Seconds a contact must read the same before it is believed."""


class Debounce:
    """Accepts a contact's level once it was stable long enough.

    >>> contacts = Debounce(settle=0.005)
    >>> contacts.see(0b1, began=0.000, ended=0.001), contacts.see(0b1, began=0.008, ended=0.009)
    (0, 1)
    """

    def __init__(self, settle: float = SETTLE) -> None:
        self.down = 0  # the contacts believed closed
        self._settle = settle
        self._pending: dict[int, float] = {}  # when a contact that reads otherwise will be believed, by its bit

    def see(self, closed: int, began: float, ended: float, unsure: int = 0) -> int:
        """Take what was read from one moment to another, and return the contacts believed closed.

        The reading is a span because reading a matrix takes its time: what is new in it counts from the end, and
        what has lasted must have lasted until the beginning.

        Args:
            closed: The contacts that read closed.
            began: When reading began.
            ended: When reading ended.
            unsure: The contacts this reading says nothing about; they stay as they are believed.
        """
        changed = (closed ^ self.down) & ~unsure
        self._pending = {bit: self._pending.get(bit, ended + self._settle) for bit in bits(changed)}
        for bit in [bit for bit, due in self._pending.items() if due <= began]:
            del self._pending[bit]
            self.down ^= 1 << bit
        return self.down

    def due(self) -> float | None:
        """Return when it must be looked again, even though nothing moves; None while all is settled."""
        return min(self._pending.values(), default=None)


class QuadratureDecoder:
    """Counts the detents of a rotary encoder.

    Contacts that bounce, and a knob that is turned and let back, walk to and fro on the circle
    open-open, closed-open, closed-closed, open-closed. Only coming home all the way around it is a turn, so no
    bounce can make one, nor spoil one, and no time has to be measured.
    """

    _CIRCLE = (0b00, 0b01, 0b11, 0b10)  # to the right; bit 0 is the contact that closes first

    def __init__(self) -> None:
        self._place = 0
        self._way = 0

    def see(self, closed: int) -> int:
        """Take the two contacts as they are now; return 1 for a detent to the right, -1 to the left, else 0."""
        place = self._CIRCLE.index(closed & 0b11)
        step = (place - self._place) % 4
        self._place = place
        # Two places at once is an edge that was missed, in a direction nobody knows; the other half decides.
        self._way += {0: 0, 1: 1, 2: 0, 3: -1}[step]
        if place != 0:
            return 0
        way, self._way = self._way, 0
        return (way >= 2) - (way <= -2)


class ContactReader:
    """Turns the levels of contacts into key presses and releases.

    Args:
        names: The key of each contact, lowest bit first; row by row where it is a matrix.
        columns: How many contacts a row of the matrix has; None where every contact has a line of its own.
        menu: The key that switches the machine off when it is held long; None is that of ``Presses``.
    """

    def __init__(self, names: Sequence[str], columns: int | None = None, menu: str | None = None) -> None:
        self._columns = columns
        self._closed = 0
        self._debounce = Debounce()
        self._presses = Presses(names, menu)
        self.moved = 0.0  # when the picture was last another than the one before

    def see(self, closed: int, began: float, ended: float | None = None) -> list[Key]:
        """Take what was read from one moment to another, and return the keys that come of it."""
        ended = began if ended is None else ended
        if closed != self._closed:
            self._closed, self.moved = closed, ended
        unsure = ambiguous(closed, self._columns) if self._columns else 0
        down = self._debounce.see(closed, began, ended, unsure)
        # A key that reads open may have come up long ago, while nobody looked: it says nothing by staying down.
        return self._presses.see(down, ended, unsure | down & ~closed)

    def follow(self, closed: int, time: float) -> list[Key]:
        """Take an edge: until then nothing had moved, from then on the contacts are as told."""
        return self.see(self._closed, time) + self.see(closed, time)

    def tap(self, name: str) -> list[Key]:
        """Take a key that is pressed and over at once, as a detent is; return the keys that come of it."""
        return self._presses.tap(name)

    @property
    def closed(self) -> int:
        """The contacts as they were last read."""
        return self._closed

    @property
    def bouncing(self) -> bool:
        """Whether a contact reads otherwise than is believed."""
        return self._debounce.due() is not None

    @property
    def idle(self) -> bool:
        """Whether every key is up and settled."""
        return not (self._closed or self._debounce.down or self.bouncing)

    def due(self) -> float | None:
        """Return when it must be looked again, even though no contact moves."""
        return min((due for due in (self._debounce.due(), self._presses.due()) if due is not None), default=None)


def ambiguous(closed: int, columns: int) -> int:
    """Return those contacts of a matrix that may be closed or may only seem so.

    Without diodes, three keys in the corners of a rectangle connect the fourth one: whoever sees two rows share two
    columns cannot tell which of these keys are down.

    Args:
        closed: The contacts that read closed, row by row.
        columns: How many contacts a row has.
    """
    row_mask = (1 << columns) - 1
    rows = [(shift, closed >> shift & row_mask) for shift in range(0, closed.bit_length(), columns)]
    found = 0
    for (upper, above), (lower, below) in combinations(rows, 2):
        shared = above & below
        if shared.bit_count() >= 2:
            found |= shared << upper | shared << lower
    return found


def bits(picture: int) -> Iterator[int]:
    """Give the numbers of the bits that are set, lowest first."""
    while picture:
        yield (picture & -picture).bit_length() - 1
        picture &= picture - 1
