"""A simulated GPIO chip: lines, wires between them, and the kernel's requests for them, behind gpiod's API.

It has the part of gpiod's API that a pin factory uses, under the same names: patch `FakeGpio.open` in for
gpiod.Chip. Edges come through a real file descriptor, so waiting for them is real. Debouncing happens in the
kernel and is not simulated: a debounced line behaves like any other.
"""

from __future__ import annotations

import ctypes
import errno
import os
import time
from collections import deque
from dataclasses import dataclass, field, replace
from threading import RLock

import gpiod
from gpiod.line import Bias, Direction, Drive, Edge, Value

from hardware.gpio_levels import READ, Levels
from tests.fakes.bus import os_error

_RISING = frozenset({Edge.RISING, Edge.BOTH})
_FALLING = frozenset({Edge.FALLING, Edge.BOTH})


@dataclass
class _Line:
    """A line, and everything that acts on it."""

    high: bool = False
    outside: bool | None = None  # a level forced from outside, if any
    holder: str = ""
    settings: gpiod.LineSettings = field(default_factory=gpiod.LineSettings)
    request: FakeRequest | None = None

    def driven(self) -> bool | None:
        if self.outside is not None:
            return self.outside
        if self.settings.direction is Direction.OUTPUT:
            if self.settings.drive is Drive.OPEN_DRAIN and self.settings.output_value is Value.ACTIVE:
                return None
            return self.settings.output_value is Value.ACTIVE
        return None

    def pulled(self) -> bool | None:
        return {Bias.PULL_UP: True, Bias.PULL_DOWN: False}.get(self.settings.bias)


class FakeGpio:
    """A chip with lines that can be driven from outside and connected by wires.

    Args:
        path: The path of its device.
        label: The kernel's name for it.
        lines: Number of lines.

    Attributes:
        denied: Whether opening it fails.
        handles: How many gpiod.Chip are open.
        requests: How many requests are held.
        ioctls: How often the kernel was asked to request or reconfigure a line.
    """

    def __init__(self, path: str = "/dev/gpiochip0", label: str = "pinctrl-bcm2711", lines: int = 58) -> None:
        self.path = path
        self.label = label
        self.denied = False
        self._gone = False
        self.handles = 0
        self.requests = 0
        self.ioctls = 0
        self._lock = RLock()
        self._lines = [_Line() for _ in range(lines)]
        self._wires: set[frozenset[int]] = set()
        self._seq = 0

    def open(self, path: str) -> FakeChip:
        """Stand in for gpiod.Chip: patch this method in under that name."""
        if path != self.path:
            raise os_error(errno.ENOENT, path)
        if self.denied:
            raise os_error(errno.EACCES, path)
        return FakeChip(self)

    def drive(self, line: int, high: bool) -> None:
        """Force a level on a line, stronger than pulls, as a pressed key does."""
        with self._lock:
            self._lines[line].outside = high
            self._settle(line)

    def ioctl(self, fd: int, order: int, levels: Levels) -> int:
        """Stand in for hardware.gpio_levels.ioctl: read or drive lines; return -1 and set errno for a failure."""
        with self._lock:
            if self._gone:
                return _fail(errno.ENODEV)
            request = next(line.request for line in self._lines if line.request and line.request.fd == fd)
            chosen = [(1 << bit, *line) for bit, line in enumerate(request._lines.items()) if levels.lines >> bit & 1]
            if order == READ:
                levels.high = sum(mask for mask, _, line in chosen if line.high)
                return 0
            self.ioctls += 1
            if any(line.settings.direction is not Direction.OUTPUT for _, _, line in chosen):
                return _fail(errno.EPERM)
            for mask, number, line in chosen:
                line.settings.output_value = Value.ACTIVE if levels.high & mask else Value.INACTIVE
                self._settle(number)
            return 0

    def let_go(self, line: int) -> None:
        """Stop forcing a level on a line."""
        with self._lock:
            self._lines[line].outside = None
            self._settle(line)

    def wire(self, one: int, other: int, *, joined: bool = True) -> None:
        """Connect or disconnect two lines."""
        with self._lock:
            (self._wires.add if joined else self._wires.discard)(frozenset({one, other}))
            self._settle(one, other)

    def level(self, line: int) -> bool:
        return self._lines[line].high

    def settings(self, line: int) -> gpiod.LineSettings:
        return self._lines[line].settings

    def occupy(self, line: int, holder: str) -> None:
        """Let another program hold a line; "" ends it."""
        self._lines[line].holder = holder

    def vanish(self) -> None:
        """Remove the chip, as when its driver is unbound: waiting threads wake up, and every call fails."""
        with self._lock:
            self._gone = True
            for line in self._lines:
                if line.request is not None:
                    os.eventfd_write(line.request.fd, 1)

    def _settle(self, *numbers: int) -> None:
        """Compute the level of all lines: a low driver wins over a high one, and that over a pull."""
        for number in numbers:
            group = [self._lines[joined] for joined in self._joined(number)]
            levels = [level for line in group if (level := line.driven()) is not None]
            pulls = [level for line in group if (level := line.pulled()) is not None]
            for line in group:
                high = all(levels) if levels else any(pulls) if pulls else line.high
                changed, line.high = high != line.high, high
                if changed and line.request is not None:
                    line.request._notice(line)

    def _joined(self, number: int) -> set[int]:
        """Return a line and all lines connected to it, directly or not."""
        joined, more = {number}, {number}
        while more:
            more = {line for wire in self._wires if wire & more for line in wire} - joined
            joined |= more
        return joined

    def _present(self) -> None:
        if self._gone:
            raise os_error(errno.ENODEV)

    def _next(self) -> int:
        self._seq += 1
        return self._seq


class FakeChip:
    """Stands in for gpiod.Chip, for programs that request lines."""

    def __init__(self, gpio: FakeGpio) -> None:
        self._gpio = gpio
        self._open = True
        gpio.handles += 1

    def __enter__(self) -> FakeChip:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it; repeated calls do nothing."""
        if self._open:
            self._open = False
            self._gpio.handles -= 1

    def get_info(self) -> gpiod.ChipInfo:
        self._must_be_open()
        return gpiod.ChipInfo(os.path.basename(self._gpio.path), self._gpio.label, len(self._gpio._lines))

    def get_line_info(self, line: int) -> gpiod.LineInfo:
        """Return who holds a line, and how."""
        self._must_be_open()
        held = self._line(line)
        return gpiod.LineInfo(
            line,
            f"GPIO{line}",
            bool(held.holder),
            held.holder,
            held.settings.direction.value,
            held.settings.active_low,
            held.settings.bias.value,
            held.settings.drive.value,
            held.settings.edge_detection.value,
            held.settings.event_clock.value,
            bool(held.settings.debounce_period),
            int(held.settings.debounce_period.total_seconds() * 1e6),
        )

    def request_lines(
        self, config: dict[tuple[int, ...], gpiod.LineSettings], consumer: str = "?", event_buffer_size: int = 16
    ) -> FakeRequest:
        self._must_be_open()
        ((numbers, settings),) = config.items()
        with self._gpio._lock:
            lines = {number: self._line(number) for number in numbers}
            if any(line.holder for line in lines.values()):
                raise os_error(errno.EBUSY)
            return FakeRequest(self._gpio, lines, settings, consumer, event_buffer_size)

    def _line(self, number: int) -> _Line:
        if not 0 <= number < len(self._gpio._lines):
            raise ValueError(os.strerror(errno.EINVAL))  # like gpiod
        return self._gpio._lines[number]

    def _must_be_open(self) -> None:
        if not self._open:
            raise gpiod.ChipClosedError
        self._gpio._present()


class FakeRequest:
    """Stands in for gpiod.LineRequest."""

    def __init__(
        self, gpio: FakeGpio, lines: dict[int, _Line], settings: gpiod.LineSettings, consumer: str, room: int
    ) -> None:
        _check(settings)
        self._gpio = gpio
        self._lines = lines  # empty once they are released
        self._events: deque[gpiod.EdgeEvent] = deque(maxlen=room)  # the oldest are dropped, as in the kernel
        self._seq = 0
        self.fd = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_SEMAPHORE | os.EFD_NONBLOCK)  # readable: as many as events
        for line in lines.values():
            line.holder, line.request = consumer, self
            line.settings = replace(settings, edge_detection=Edge.NONE)
        gpio.requests += 1
        gpio.ioctls += 1
        gpio._settle(*lines)
        for line in lines.values():
            line.settings.edge_detection = settings.edge_detection  # the initial level is no edge

    def release(self) -> None:
        """Release the lines; repeated calls do nothing."""
        with self._gpio._lock:
            if self._lines:
                lines, self._lines = self._lines, {}
                for line in lines.values():
                    line.holder, line.request, line.settings = "", None, gpiod.LineSettings()
                os.close(self.fd)
                self._gpio.requests -= 1
                self._gpio._settle(*lines)

    def reconfigure_lines(self, config: dict[int, gpiod.LineSettings]) -> None:
        with self._gpio._lock:
            ((number, settings),) = config.items()
            held = self._held(number)
            _check(settings)
            self._gpio.ioctls += 1
            # A change of level caused by the new settings is not reported as an edge.
            before = held.settings.edge_detection
            watched = settings.edge_detection if before is settings.edge_detection else Edge.NONE
            held.settings = replace(settings, edge_detection=watched)
            self._gpio._settle(number)
            held.settings.edge_detection = settings.edge_detection

    def wait_edge_events(self, timeout: float | None = None) -> bool:
        """Return at once whether there are edges; waiting is not simulated."""
        if timeout != 0:
            raise NotImplementedError("Waiting is not simulated.")
        with self._gpio._lock:
            self._must_hold()
            return bool(self._events)

    def read_edge_events(self) -> list[gpiod.EdgeEvent]:
        """Return the new edges.

        Raises:
            BlockingIOError: There are none, where the kernel would block.
        """
        with self._gpio._lock:
            self._must_hold()
            events = list(self._events)
            for _ in range(len(events) or 1):
                os.eventfd_read(self.fd)
            self._events.clear()
            return events

    def _notice(self, line: _Line) -> None:
        """Put a change of level in the queue, if edges are awaited."""
        if line.settings.edge_detection not in (_RISING if line.high else _FALLING):
            return
        self._seq += 1
        kind = gpiod.EdgeEvent.Type.RISING_EDGE if line.high else gpiod.EdgeEvent.Type.FALLING_EDGE
        full = len(self._events) == self._events.maxlen
        number = next(number for number, held in self._lines.items() if held is line)
        self._events.append(gpiod.EdgeEvent(kind.value, time.monotonic_ns(), number, self._gpio._next(), self._seq))
        if not full:
            os.eventfd_write(self.fd, 1)

    def _must_hold(self) -> None:
        if not self._lines:
            raise gpiod.RequestReleasedError
        self._gpio._present()

    def _held(self, number: int) -> _Line:
        self._must_hold()
        if number not in self._lines:
            raise ValueError(os.strerror(errno.EINVAL))
        return self._lines[number]


def _fail(error: int) -> int:
    ctypes.set_errno(error)
    return -1


def _check(settings: gpiod.LineSettings) -> None:
    """Refuse settings that the kernel refuses."""
    output = settings.direction is Direction.OUTPUT
    if output and (settings.edge_detection is not Edge.NONE or settings.debounce_period):
        raise ValueError(os.strerror(errno.EINVAL))
    if settings.direction is Direction.AS_IS and settings.bias is not Bias.AS_IS:
        raise ValueError(os.strerror(errno.EINVAL))
