"""The GPIO lines of a board's keys: one request to the kernel, and the edges it recorded, with their times.

A thread that comes late would read only the present levels, and miss a short press or a step of a knob. The recorded
edges are complete, so what they mean does not depend on when they are read.

The kernel is called without releasing Python's interpreter, which gpiod does: a thread that gave it up waits for it
while another one computes, and a scan of a keypad would take tens of milliseconds. None of these calls waits.
"""

from __future__ import annotations

import ctypes
import errno
import os
from collections import deque
from collections.abc import Mapping, Sequence
from operator import attrgetter
from struct import Struct as Layout
from typing import Literal, NamedTuple

from hardware.gpio_chips import request

Pull = Literal["up", "down"]

READ, DRIVE = 0xC010B40E, 0xC010B40F  # the kernel's GPIO_V2_LINE_GET_VALUES_IOCTL and GPIO_V2_LINE_SET_VALUES_IOCTL
RISING = 1  # the kernel's GPIO_V2_LINE_EVENT_RISING_EDGE
EVENT = Layout("=QII32x")
"""The kernel's struct gpio_v2_line_event: the time in nanoseconds of the monotonic clock, the kind, the line."""

ROOM = 512
"""Size of the kernel's queue of edges; when full, it drops the oldest. A key bounces about ten times."""

AT_ONCE = 64
"""The number of edges that are read from it by one call."""

SCANS = 64
"""The number of scans that are remembered: those of 0.2 seconds. A busy machine tells an edge some scans later."""


class Edge(NamedTuple):
    """A change of a contact."""

    time: float  # in seconds of the monotonic clock
    contact: int  # the number of its line in the request
    closed: bool


class Levels(ctypes.Structure):
    """The kernel's struct gpio_v2_line_values. The first line of a request is the lowest bit."""

    _fields_ = (("high", ctypes.c_uint64), ("lines", ctypes.c_uint64))
    high: int  # the lines that are high
    lines: int  # the lines to read or drive


_keeping = ctypes.PyDLL(None, use_errno=True)  # a PyDLL keeps the interpreter, other than a CDLL
ioctl, read = _keeping.ioctl, _keeping.read
ioctl.argtypes = ctypes.c_int, ctypes.c_ulong, ctypes.POINTER(Levels)
read.argtypes = ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t
read.restype = ctypes.c_ssize_t


class KeyLines:
    """Contacts, whose edges are recorded, and the rows of a keypad, which are driven low or released, never high.

    `contacts` has the level of each line while its contact is open. Numbers and bits of contacts count in its order,
    those of rows in theirs. All rows are low at first.

    Raises OSError if a line is not available; its text says who uses it.
    """

    def __init__(self, contacts: Mapping[int, Pull], rows: Sequence[int] = ()) -> None:
        from gpiod import LineSettings  # slow to import, and may be missing
        from gpiod.line import Bias, Direction, Drive
        from gpiod.line import Edge as Detection

        bias = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN}
        row = LineSettings(Direction.OUTPUT, bias=Bias.PULL_UP, drive=Drive.OPEN_DRAIN)
        lines = {
            line: LineSettings(Direction.INPUT, edge_detection=Detection.BOTH, bias=bias[pull])
            for line, pull in contacts.items()
        }
        self._request = request(lines | dict.fromkeys(rows, row), ROOM)
        self.fd = self._request.fd
        os.set_blocking(self.fd, False)
        self._contact = {line: number for number, line in enumerate(contacts)}
        self._low = sum(1 << number for number, pull in enumerate(contacts.values()) if pull == "up")
        self._all, self._rows, self._first = (1 << len(contacts)) - 1, (1 << len(rows)) - 1, len(contacts)
        self._buffer = ctypes.create_string_buffer(EVENT.size * AT_ONCE)
        self._events = memoryview(self._buffer)
        self._scans: deque[tuple[float, float, int]] = deque(maxlen=SCANS)  # start, end, contacts; the newest first

    def edges(self) -> list[Edge]:
        """Return the new edges, the oldest first, without those that scans caused. Raises OSError if the chip is gone.

        The kernel queues them line by line, so an older one may still follow. At most a full queue is read: a line gone
        wild does not keep the thread here.
        """
        found: list[Edge] = []
        for _ in range(ROOM // AT_ONCE):
            size = read(self.fd, self._buffer, EVENT.size * AT_ONCE)
            if size <= 0:
                if size < 0 and ctypes.get_errno() != errno.EAGAIN:
                    raise _failure()
                break
            for stamp, kind, line in EVENT.iter_unpack(self._events[:size]):
                time, contact = stamp / 1e9, self._contact[line]
                if not self._caused(time, contact):
                    found.append(Edge(time, contact, (kind == RISING) is not bool(self._low >> contact & 1)))
            if size < EVENT.size * AT_ONCE:
                break
        return sorted(found, key=attrgetter("time"))

    def closed(self) -> int:
        """Return the contacts that are closed now, as a bit mask."""
        levels = Levels(0, self._all)
        _call(self.fd, READ, levels)
        return (levels.high ^ self._low) & self._all

    def drive(self, low: int) -> None:
        """Drive the rows of a bit mask low, and release the others to their pull-up."""
        _call(self.fd, DRIVE, Levels((self._rows & ~low) << self._first, self._rows << self._first))

    def ignore(self, contacts: int, began: float, ended: float) -> None:
        """Drop the edges of these contacts that fell into a scan, whenever the kernel tells them."""
        self._scans.appendleft((began, ended, contacts))

    def close(self) -> None:
        self._request.release()

    def _caused(self, time: float, contact: int) -> bool:
        for began, ended, contacts in self._scans:
            if time > ended:
                return False
            if time >= began:
                return bool(contacts >> contact & 1)
        return False


def _call(fd: int, order: int, levels: Levels) -> None:
    if ioctl(fd, order, levels):
        raise _failure()


def _failure() -> OSError:
    error = ctypes.get_errno()
    return OSError(error, os.strerror(error))
