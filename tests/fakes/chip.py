"""A simulated GPIO chip: lines, wires between them, and the kernel's requests for them, behind gpiod's API.

Here lives as much of gpiod as a pin factory uses, under gpiod's own names: patch `FakeGpio.open` in for
gpiod.Chip. Edges come through a real file descriptor, so that whoever waits for them really waits. Debouncing
is the kernel's and is not simulated: a debounced line is as any other here.
"""

from __future__ import annotations

import errno
import os
import time
from collections import deque
from dataclasses import dataclass, field, replace
from threading import RLock

import gpiod
from gpiod.line import Bias, Direction, Edge, Value

from tests.fakes.bus import os_error

_RISING = frozenset({Edge.RISING, Edge.BOTH})
_FALLING = frozenset({Edge.FALLING, Edge.BOTH})


@dataclass
class _Line:
    """A line, and what acts on it."""

    high: bool = False
    outside: bool | None = None  # the level somebody forces on it; None: nobody does
    holder: str = ""
    settings: gpiod.LineSettings = field(default_factory=gpiod.LineSettings)
    request: FakeRequest | None = None

    def driven(self) -> bool | None:
        if self.outside is not None:
            return self.outside
        if self.settings.direction is Direction.OUTPUT:
            return self.settings.output_value is Value.ACTIVE
        return None

    def pulled(self) -> bool | None:
        return {Bias.PULL_UP: True, Bias.PULL_DOWN: False}.get(self.settings.bias)


class FakeGpio:
    """A chip with lines that can be driven from outside and joined by wires.

    Args:
        path: Where its device is.
        label: What the kernel calls it.
        lines: How many it has.

    Attributes:
        denied: Whether it may not be opened.
        handles: How many gpiod.Chip are open.
        requests: How many requests are held.
        ioctls: How often the kernel was asked to hold a line, or hold it differently.
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
        """Force a level on a line; it wins over pulls, as a finger does."""
        with self._lock:
            self._lines[line].outside = high
            self._settle(line)

    def let_go(self, line: int) -> None:
        """Force no level on a line any longer."""
        with self._lock:
            self._lines[line].outside = None
            self._settle(line)

    def wire(self, one: int, other: int, *, joined: bool = True) -> None:
        """Join two lines, or part them."""
        with self._lock:
            (self._wires.add if joined else self._wires.discard)(frozenset({one, other}))
            self._settle(one, other)

    def level(self, line: int) -> bool:
        """Return the level of a line."""
        return self._lines[line].high

    def settings(self, line: int) -> gpiod.LineSettings:
        """Return how a line is held."""
        return self._lines[line].settings

    def occupy(self, line: int, holder: str) -> None:
        """Have somebody else hold a line; "" ends it."""
        self._lines[line].holder = holder

    def vanish(self) -> None:
        """Lose the chip, as when its driver is unbound: whoever waits is woken, and all that is asked of it fails."""
        with self._lock:
            self._gone = True
            for line in self._lines:
                if line.request is not None:
                    os.eventfd_write(line.request.fd, 1)

    def _settle(self, *numbers: int) -> None:
        """Give lines and those joined to them their level: a low driver wins, then a high one, then a pull."""
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
        """Return a line and those it is joined to, over however many wires."""
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
    """What gpiod.Chip is to somebody who requests lines."""

    def __init__(self, gpio: FakeGpio) -> None:
        self._gpio = gpio
        self._open = True
        gpio.handles += 1

    def __enter__(self) -> FakeChip:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close it; closing it twice does nothing."""
        if self._open:
            self._open = False
            self._gpio.handles -= 1

    def get_info(self) -> gpiod.ChipInfo:
        """Say what it is called."""
        self._must_be_open()
        return gpiod.ChipInfo(os.path.basename(self._gpio.path), self._gpio.label, len(self._gpio._lines))

    def get_line_info(self, line: int) -> gpiod.LineInfo:
        """Say who holds a line, and how."""
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
        self, config: dict[int, gpiod.LineSettings], consumer: str = "?", event_buffer_size: int = 16
    ) -> FakeRequest:
        """Hold a line.

        Raises:
            NotImplementedError: It is more than one.
        """
        self._must_be_open()
        if len(config) != 1:
            raise NotImplementedError("A request for several lines is not simulated.")
        ((number, settings),) = config.items()
        with self._gpio._lock:
            line = self._line(number)
            if line.holder:
                raise os_error(errno.EBUSY)
            return FakeRequest(self._gpio, number, line, settings, consumer, event_buffer_size)

    def _line(self, number: int) -> _Line:
        if not 0 <= number < len(self._gpio._lines):
            raise ValueError(os.strerror(errno.EINVAL))  # as gpiod does
        return self._gpio._lines[number]

    def _must_be_open(self) -> None:
        if not self._open:
            raise gpiod.ChipClosedError
        self._gpio._present()


class FakeRequest:
    """What gpiod.LineRequest is to the holder of one line."""

    def __init__(
        self, gpio: FakeGpio, number: int, line: _Line, settings: gpiod.LineSettings, consumer: str, room: int
    ) -> None:
        _check(settings)
        self._gpio = gpio
        self._number = number
        self._line: _Line | None = line
        self._events: deque[gpiod.EdgeEvent] = deque(maxlen=room)  # the oldest are forgotten, as the kernel does
        self._seq = 0
        self.fd = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_SEMAPHORE | os.EFD_NONBLOCK)  # readable: as many as events
        line.holder, line.request = consumer, self
        line.settings = replace(settings, edge_detection=Edge.NONE)
        gpio.requests += 1
        gpio.ioctls += 1
        gpio._settle(number)
        line.settings.edge_detection = settings.edge_detection  # the level it began with is no edge

    def release(self) -> None:
        """Let go of the line; releasing twice does nothing."""
        with self._gpio._lock:
            if self._line is not None:
                self._line.holder, self._line.request, self._line.settings = "", None, gpiod.LineSettings()
                self._line = None
                os.close(self.fd)
                self._gpio.requests -= 1
                self._gpio._settle(self._number)

    def get_value(self, line: int) -> Value:
        """Read the level."""
        with self._gpio._lock:
            return Value.ACTIVE if self._held(line).high else Value.INACTIVE

    def set_value(self, line: int, value: Value) -> None:
        """Drive the level.

        Raises:
            PermissionError: The line is an input.
        """
        with self._gpio._lock:
            held = self._held(line)
            if held.settings.direction is not Direction.OUTPUT:
                raise os_error(errno.EPERM)
            held.settings.output_value = value
            self._gpio._settle(line)

    def reconfigure_lines(self, config: dict[int, gpiod.LineSettings]) -> None:
        """Hold the line differently."""
        with self._gpio._lock:
            ((number, settings),) = config.items()
            held = self._held(number)
            _check(settings)
            self._gpio.ioctls += 1
            # What changes because of the new settings is no edge yet for those who wait for one from now on.
            before = held.settings.edge_detection
            watched = settings.edge_detection if before is settings.edge_detection else Edge.NONE
            held.settings = replace(settings, edge_detection=watched)
            self._gpio._settle(number)
            held.settings.edge_detection = settings.edge_detection

    def wait_edge_events(self, timeout: float | None = None) -> bool:
        """Tell at once whether there are edges; waiting for them is not simulated."""
        if timeout != 0:
            raise NotImplementedError("Waiting is not simulated.")
        with self._gpio._lock:
            self._held(self._number)
            return bool(self._events)

    def read_edge_events(self) -> list[gpiod.EdgeEvent]:
        """Take the edges that have come.

        Raises:
            BlockingIOError: There are none, and the kernel would let us wait.
        """
        with self._gpio._lock:
            self._held(self._number)
            events = list(self._events)
            for _ in range(len(events) or 1):
                os.eventfd_read(self.fd)
            self._events.clear()
            return events

    def _notice(self, line: _Line) -> None:
        """Put a change of level in the queue, if it is waited for."""
        if line.settings.edge_detection not in (_RISING if line.high else _FALLING):
            return
        self._seq += 1
        kind = gpiod.EdgeEvent.Type.RISING_EDGE if line.high else gpiod.EdgeEvent.Type.FALLING_EDGE
        full = len(self._events) == self._events.maxlen
        self._events.append(
            gpiod.EdgeEvent(kind.value, time.monotonic_ns(), self._number, self._gpio._next(), self._seq)
        )
        if not full:
            os.eventfd_write(self.fd, 1)

    def _held(self, number: int) -> _Line:
        if self._line is None:
            raise gpiod.RequestReleasedError
        self._gpio._present()
        if number != self._number:
            raise ValueError(os.strerror(errno.EINVAL))
        return self._line


def _check(settings: gpiod.LineSettings) -> None:
    """Refuse what the kernel refuses."""
    output = settings.direction is Direction.OUTPUT
    if output and (settings.edge_detection is not Edge.NONE or settings.debounce_period):
        raise ValueError(os.strerror(errno.EINVAL))
    if settings.direction is Direction.AS_IS and settings.bias is not Bias.AS_IS:
        raise ValueError(os.strerror(errno.EINVAL))
