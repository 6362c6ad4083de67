"""Turns readings of contacts into keys: removes bounce and ghost keys, decodes a rotary encoder; buttons and knobs.

Everything here is computed from readings and times alone: no pins, no threads, no clock. The state of the contacts
is a bit mask with one bit a contact, set while it is closed. Times are in seconds.

Guarantees for contacts that bounce for at most ``SETTLE`` when they close and open, and that are read every 4.5 ms or
report every edge:

- A press of 20 ms or more (from first touch to first opening) counts exactly once. The pause before the next press of
  the same key must be at least as long.
- Nothing else counts; a touch shorter than ``SETTLE`` never does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import combinations
from operator import itemgetter

from companion.ui.keys import Key
from hardware.keys.lines import Edge, Pull
from hardware.keys.presses import PressDetector

SETTLE = 0.005  # seconds that a contact's level must be stable before it is accepted
MOST = 100  # the edges of a knob that wait for others: a detent's, if its contacts bounce ten times as much as usual


class Debounce:
    """Accepts a contact's level once it was stable long enough.

    >>> contacts = Debounce(settle=0.005)
    >>> contacts.update(0b1, began=0.000, ended=0.001), contacts.update(0b1, began=0.008, ended=0.009)
    (0, 1)
    """

    def __init__(self, settle: float = SETTLE) -> None:
        self.down = 0  # the contacts accepted as closed
        self._settle = settle
        self._pending: dict[int, float] = {}  # by bit: when a changed contact will be accepted

    def update(self, closed: int, began: float, ended: float, unsure: int = 0) -> int:
        """Process a reading and return the contacts accepted as closed.

        Reading a matrix takes time, so a reading has a start and an end. The stable time of a change begins at the end
        of its first reading, and must be over at the start of a later one.

        Contacts that are `unsure`, as the reading cannot tell them, keep their accepted state.
        """
        changed = (closed ^ self.down) & ~unsure
        self._pending = {bit: self._pending.get(bit, ended + self._settle) for bit in bits(changed)}
        for bit in [bit for bit, due in self._pending.items() if due <= began]:
            del self._pending[bit]
            self.down ^= 1 << bit
        return self.down

    def due(self) -> float | None:
        """Return when the next reading is due even without an edge; None while all contacts are stable."""
        return min(self._pending.values(), default=None)


class QuadratureDecoder:
    """Counts the detents of a rotary encoder.

    The contacts run through the cycle open-open, closed-open, closed-closed, open-closed. Bouncing contacts, and a knob
    that is turned and released, move to and fro in it. Only a complete cycle is a detent, so bouncing neither adds nor
    loses any, and no time has to be measured.
    """

    _CIRCLE = (0b00, 0b01, 0b11, 0b10)  # turning right; bit 0 is the contact that closes first

    def __init__(self) -> None:
        self._place = 0
        self._way = 0

    def update(self, closed: int) -> int:
        """Process the state of the two contacts. Return 1 for a detent to the right, -1 for one to the left, else 0."""
        place = self._CIRCLE.index(closed & 0b11)
        step = (place - self._place) % 4
        self._place = place
        # A step of two is a missed edge of unknown direction; the other half of the cycle decides.
        self._way += {0: 0, 1: 1, 2: 0, 3: -1}[step]
        if place != 0:
            return 0
        way, self._way = self._way, 0
        return (way >= 2) - (way <= -2)


class DetentCounter:
    """Counts detents from the edges of a knob's contacts, of which some come late or not at all.

    Each line has a thread of its own in the kernel, and one may run late. So edges wait until both contacts are open
    again, and are put in the order of their times; those after the last detent wait on, as older ones may still follow.
    A thread that comes for two edges at once tells the second alone: the one between is taken to be half-way.
    """

    def __init__(self) -> None:
        self._decoder = QuadratureDecoder()
        self._closed = 0  # the closed contacts before the edges that wait
        self._edges: list[tuple[float, int, bool]] = []
        self._last: dict[int, tuple[float, bool]] = {}  # the time of each contact's last edge, and whether it closed

    def follow(self, time: float, contact: int, closed: bool) -> list[int]:
        """Process an edge of contact 0 or 1; return the detents: 1 for one to the right, -1 for one to the left."""
        before, was_closed = self._last.get(contact, (time, not closed))
        if was_closed is closed:
            self._edges.append(((before + time) / 2, contact, not closed))
        self._edges.append((time, contact, closed))
        self._last[contact] = time, closed
        if any(down for _, down in self._last.values()) and len(self._edges) < MOST:
            return []
        self._edges.sort(key=itemgetter(0))
        decoder, state, detents, counted = copy(self._decoder), self._closed, [], 0
        for number, (_, changed, down) in enumerate(self._edges, 1):
            state = with_contact(state, changed, down)
            if detent := decoder.update(state):
                detents.append(detent)
                counted = number
                self._decoder, self._closed = copy(decoder), state
        del self._edges[:counted]
        if len(self._edges) >= MOST:
            self._decoder, self._closed, self._edges = decoder, state, []
        return detents


class ContactReader:
    """Turns the levels of contacts into key presses and releases.

    `names` has the key of each contact, lowest bit first. Only a matrix, row by row, has `columns`.
    """

    def __init__(self, names: Sequence[str], columns: int | None = None) -> None:
        self._columns = columns
        self._closed = 0
        self._debounce = Debounce()
        self._presses = PressDetector(names)
        self.moved = 0.0  # when the reading last changed

    def update(self, closed: int, began: float, ended: float | None = None) -> list[Key]:
        """Process a reading that began and ended at given times; return the resulting keys."""
        ended = began if ended is None else ended
        if closed != self._closed:
            self._closed, self.moved = closed, ended
        unsure = ambiguous(closed, self._columns) if self._columns else 0
        down = self._debounce.update(closed, began, ended, unsure)
        # A key that now reads open may have been released a while ago, so it must not trigger a hold or repeat.
        return self._presses.update(down, ended, unsure | down & ~closed)

    def follow(self, closed: int, time: float) -> list[Key]:
        """Process an edge: the contacts were unchanged until then, and have the given state from then on."""
        return self.update(self._closed, time) + self.update(closed, time)

    def tap(self, name: str) -> list[Key]:
        """Process a key that is pressed and released at once, such as a detent; return the resulting keys."""
        return self._presses.tap(name)

    @property
    def closed(self) -> int:
        """The contacts as they were last read."""
        return self._closed

    @property
    def down(self) -> int:
        return self._debounce.down

    @property
    def bouncing(self) -> bool:
        """Whether the last reading differs from the accepted state."""
        return self._debounce.due() is not None

    def due(self) -> float | None:
        """Return when the next reading is due even without an edge."""
        return min((due for due in (self._debounce.due(), self._presses.due()) if due is not None), default=None)


def ambiguous(closed: int, columns: int) -> int:
    """Return the contacts of a matrix whose state is ambiguous because of ghosting.

    Without diodes, three pressed keys in the corners of a rectangle connect the fourth one. So if two rows share two
    closed columns, it is unknown which of these four keys are down.
    """
    row_mask = (1 << columns) - 1
    rows = [(shift, closed >> shift & row_mask) for shift in range(0, closed.bit_length(), columns)]
    found = 0
    for (upper, above), (lower, below) in combinations(rows, 2):
        shared = above & below
        if shared.bit_count() >= 2:
            found |= shared << upper | shared << lower
    return found


def with_contact(mask: int, contact: int, closed: bool) -> int:
    """Return a bit mask of closed contacts after one of them has closed or opened."""
    return mask & ~(1 << contact) | closed << contact


def bits(picture: int) -> Iterator[int]:
    """Yield the indices of the set bits, lowest first."""
    while picture:
        yield (picture & -picture).bit_length() - 1
        picture &= picture - 1


# Contacts with a line each


class ButtonKeys:
    """Buttons, joysticks.

    `lines` has the GPIO number of each key, `pull` is the level of a line while its key is up.
    """

    rows: tuple[int, ...] = ()

    def __init__(self, lines: Mapping[str, int], pull: Pull = "up") -> None:
        self.contacts: dict[int, Pull] = dict.fromkeys(lines.values(), pull)
        self._names = tuple(lines)
        self.begin()

    def begin(self) -> None:
        """Begin anew: all contacts count as open."""
        self._reader = ContactReader(self._names)

    def follow(self, edge: Edge, time: float) -> list[Key]:
        """Process an edge at a time, which never decreases; that of the edge itself may. Return the resulting keys."""
        return self._reader.follow(with_contact(self._reader.closed, edge.contact, edge.closed), time)

    def wait(self, time: float) -> list[Key]:
        """Process that nothing has changed until now."""
        return self._reader.update(self._reader.closed, time)

    def due(self) -> float | None:
        """Return when to look again even without an edge; None if only an edge can bring news."""
        return self._reader.due()


class KnobKeys(ButtonKeys):
    """A rotary encoder: ``<`` and ``>`` when turned, ``o`` when pushed.

    In a turn to the right, contact `a` closes first.
    """

    def __init__(self, a: int, b: int, push: int) -> None:
        super().__init__({"o": push})
        self.contacts = dict.fromkeys((push, a, b), "up")

    def begin(self) -> None:
        super().begin()
        self._detents = DetentCounter()

    def follow(self, edge: Edge, time: float) -> list[Key]:
        if edge.contact == 0:
            return super().follow(edge, time)
        detents = self._detents.follow(edge.time, edge.contact - 1, edge.closed)
        return [key for detent in detents for key in self._reader.tap(">" if detent > 0 else "<")]
