"""A simulated GPIO chip: lines, wires between them, and the kernel's requests for them, behind gpiod's API.

It has the part of gpiod's API that the hardware modules use, under the same names, and the two calls to the kernel of
`hardware.keys.lines`. Edges come through a real file descriptor, so waiting for them is real.

Connected lines have one level. An output drives it (low wins over high, and the conflict is counted), else a pull sets
it, else it stays as it was. So three keys in the corners of a rectangle show the fourth one, as in a matrix without
diodes.
"""

from __future__ import annotations

import ctypes
import errno
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, Literal
from unittest.mock import patch

import gpiod
from gpiod.line import Bias, Direction, Drive, Edge, Value

from hardware.keys import lines as key_lines
from tests.fakes.bus import os_error

PI_4B = 0xC03114

Node = int | Literal["gnd", "vcc"]
"""A line by its GPIO number, ground, or the supply."""

Wire = tuple[Node, Node]

_SUPPLIES: dict[Node, bool] = {"gnd": False, "vcc": True}
_PULLS = {Bias.PULL_UP: True, Bias.PULL_DOWN: False}


@dataclass
class _Line:
    """A line, and who holds it."""

    high: bool = False
    holder: str = ""
    settings: gpiod.LineSettings = field(default_factory=gpiod.LineSettings)
    request: FakeRequest | None = None
    broken: bool = False

    def driven(self) -> bool | None:
        """Return the level that it drives, if any."""
        high = self.settings.output_value is Value.ACTIVE
        if self.settings.direction is not Direction.OUTPUT or (high and self.settings.drive is Drive.OPEN_DRAIN):
            return None
        return high


class FakeGpio:
    """A chip with lines that can be connected by wires.

    Args:
        path: The path of its device.
        label: The kernel's name for it.
        lines: Number of lines.
        clock: A monotonic clock in seconds; it stamps the edges.
        spend: Called before every operation on lines, to let it take time.

    Attributes:
        denied: Whether opening it fails.
        handles: How many gpiod.Chip are open.
        held: The requests that are held.
        operations: How often the kernel was called to read or drive lines, or to request them.
        shorts: How often outputs drove against each other.
        fell: The lines that went low since somebody took them out of it.
    """

    def __init__(
        self,
        path: str = "/dev/gpiochip0",
        label: str = "pinctrl-bcm2711",
        lines: int = 58,
        *,
        clock: Callable[[], float] = time.monotonic,
        spend: Callable[[], None] = lambda: None,
    ) -> None:
        self.path = path
        self.label = label
        self.denied = False
        self.handles = self.operations = self.shorts = 0
        self.held: set[FakeRequest] = set()
        self.fell: set[int] = set()
        self.lines = [_Line() for _ in range(lines)]
        self._clock = clock
        self._spend = spend
        self._gone = False
        self._lock = RLock()
        self._wires: set[frozenset[Node]] = set()
        self._fighting: set[frozenset[int]] = set()
        self._kept: dict[int, list[bytes]] = {}  # by line: the edges that the kernel's thread has not queued yet
        self._deaf = False

    @property
    def requests(self) -> int:
        """How many requests are held."""
        return len(self.held)

    @property
    def unread(self) -> bool:
        """Whether there are edges that nobody has read."""
        return any(request.unread for request in self.held)

    @contextmanager
    def found(self) -> Iterator[FakeGpio]:
        """Make gpiod and the keys find it, on a Pi 4."""
        with (
            patch("hardware.gpio_chips.find_chip", lambda: self.path),
            patch("gpiod.Chip", self.open),
            patch.object(key_lines, "ioctl", self.ioctl),
            patch.object(key_lines, "read", self.read),
            patch("gpiozero.pins.local.get_pi_revision", lambda: PI_4B),
        ):
            yield self

    def open(self, path: str) -> FakeChip:
        """Stand in for gpiod.Chip: patch this method in under that name."""
        if path != self.path:
            raise os_error(errno.ENOENT, path)
        if self.denied:
            raise os_error(errno.EACCES, path)
        return FakeChip(self)

    def join(self, *wire: Node) -> None:
        """Connect two nodes by a wire, if they are not connected yet."""
        with self._lock:
            self._wires.add(frozenset(wire))
            self.settle(*wire)

    def part(self, *wire: Node) -> None:
        """Remove the wire between two nodes, if there is one."""
        with self._lock:
            self._wires.discard(frozenset(wire))
            self.settle(*wire)

    def level(self, line: int) -> bool:
        return self.lines[line].high

    def occupy(self, line: int, holder: str) -> None:
        """Let another program hold a line; "" ends it."""
        self.lines[line].holder = holder

    def lose(self, *lines: int) -> None:
        """Make every operation on these lines fail."""
        for line in lines:
            self.lines[line].broken = True

    def restore(self) -> None:
        """Make all lines work again."""
        for line in self.lines:
            line.broken = False

    def vanish(self) -> None:
        """Remove the chip, as when its driver is unbound: waiting threads wake up, and every call fails."""
        with self._lock:
            self._gone = True
            for request in self.held:
                request.queue(b"?")

    def come_back(self) -> None:
        """Be there again."""
        self._gone = False

    @contextmanager
    def deaf(self) -> Iterator[None]:
        """Lose every edge for a while."""
        self._deaf = True
        try:
            yield
        finally:
            self._deaf = False

    @contextmanager
    def late(self, *lines: int) -> Iterator[None]:
        """Let the edges of these lines come after those of others, with the times at which they happened."""
        self._kept = {line: [] for line in lines}
        try:
            yield
        finally:
            kept, self._kept = self._kept, {}
            for line, edges in kept.items():
                for edge in edges:
                    self._queue(line, edge)

    def ioctl(self, fd: int, order: int, levels: key_lines.Levels) -> int:
        """Stand in for the kernel's: read or drive lines; return -1 and set errno for a failure."""
        self._spend()
        with self._lock:
            self.operations += 1
            lines = next(request for request in self.held if request.fd == fd).lines
            if self._gone or any(line.broken for line in lines.values()):
                return _fail(errno.ENODEV if self._gone else errno.EIO)
            chosen = {number: 1 << bit for bit, number in enumerate(lines) if levels.lines >> bit & 1}
            if order == key_lines.READ:
                levels.high = sum(mask for number, mask in chosen.items() if lines[number].high)
                return 0
            if any(lines[number].settings.direction is not Direction.OUTPUT for number in chosen):
                return _fail(errno.EPERM)
            for number, mask in chosen.items():
                lines[number].settings.output_value = Value.ACTIVE if levels.high & mask else Value.INACTIVE
            self.settle(*chosen)
            return 0

    def read(self, fd: int, buffer: Any, size: int) -> int:
        """Stand in for the kernel's: read edges; return -1 and set errno if there are none."""
        with self._lock:
            if self._gone:
                return _fail(errno.ENODEV)
            try:
                found = os.read(fd, size)
            except BlockingIOError:
                return _fail(errno.EAGAIN)
            next(request for request in self.held if request.fd == fd).unread -= len(found) // key_lines.EVENT.size
            ctypes.memmove(buffer, found, len(found))
            return len(found)

    def settle(self, *nodes: Node) -> None:
        """Compute the level of lines and of all that is connected to them, and queue the edges; the lock is held."""
        for node in nodes:
            net = self._net(node)
            lines = {node: self.lines[node] for node in net if isinstance(node, int)}
            drivers = {number for number, line in lines.items() if line.driven() is not None}
            driven = {lines[number].driven() for number in drivers} | {
                _SUPPLIES[node] for node in _SUPPLIES.keys() & net
            }
            pulls = {_PULLS[line.settings.bias] for line in lines.values() if line.settings.bias in _PULLS}
            fought = self._fighting
            self._fighting = {fight for fight in fought if not fight & lines.keys()}
            if len(driven) == 2:
                self._fighting.add(frozenset(drivers))
                self.shorts += frozenset(drivers) not in fought
            if driven or len(pulls) == 1:
                for number in lines:
                    self._set(number, False not in (driven or pulls))

    def _net(self, node: Node) -> set[Node]:
        """Return a node and all that is connected to it, directly or not."""
        net, more = {node}, {node}
        while more:
            more = {node for wire in self._wires if wire & more for node in wire} - net
            net |= more
        return net

    def present(self) -> None:
        if self._gone:
            raise os_error(errno.ENODEV)

    def _set(self, number: int, high: bool) -> None:
        line = self.lines[number]
        if line.high is high:
            return
        line.high = high
        if not high:
            self.fell.add(number)
        if line.request is not None and line.settings.edge_detection is Edge.BOTH and not self._deaf:
            event = key_lines.EVENT.pack(round(self._clock() * 1e9), key_lines.RISING if high else 2, number)
            self._queue(number, event)

    def _queue(self, number: int, event: bytes) -> None:
        request = self.lines[number].request
        if number in self._kept:
            self._kept[number].append(event)
        elif request is not None:
            request.queue(event)


class FakeChip:
    """Stands in for gpiod.Chip, for programs that request lines."""

    def __init__(self, gpio: FakeGpio) -> None:
        self._gpio = gpio
        gpio.handles += 1

    def __enter__(self) -> FakeChip:
        return self

    def __exit__(self, *error: object) -> None:
        self._gpio.handles -= 1

    def get_info(self) -> gpiod.ChipInfo:
        self._gpio.present()
        return gpiod.ChipInfo(os.path.basename(self._gpio.path), self._gpio.label, len(self._gpio.lines))

    def get_line_info(self, line: int) -> gpiod.LineInfo:
        """Return who holds a line, and how."""
        self._gpio.present()
        holder = self._line(line).holder
        return gpiod.LineInfo(line, f"GPIO{line}", bool(holder), holder, 2, False, 2, 1, 1, 1, False, 0)

    def request_lines(
        self, config: Mapping[int, gpiod.LineSettings], consumer: str = "?", event_buffer_size: int | None = None
    ) -> FakeRequest:
        self._gpio.present()
        with self._gpio._lock:
            lines = {number: self._line(number) for number in config}
            if any(line.broken for line in lines.values()):
                raise os_error(errno.EIO)
            if any(line.holder for line in lines.values()):
                raise os_error(errno.EBUSY)
            return FakeRequest(self._gpio, lines, config, consumer)

    def _line(self, number: int) -> _Line:
        if not 0 <= number < len(self._gpio.lines):
            raise ValueError(os.strerror(errno.EINVAL))  # like gpiod
        return self._gpio.lines[number]


class FakeRequest:
    """Stands in for gpiod.LineRequest."""

    def __init__(
        self, gpio: FakeGpio, lines: dict[int, _Line], config: Mapping[int, gpiod.LineSettings], consumer: str
    ) -> None:
        self._gpio = gpio
        self.lines = lines  # empty once they are released
        self.fd, self._end = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self.unread = 0
        gpio.held.add(self)
        gpio.operations += 1
        for number, line in lines.items():
            line.holder, line.settings = consumer, _copied(config[number])
        gpio.settle(*lines)
        for line in lines.values():
            line.request = self  # the initial level is no edge

    def queue(self, event: bytes) -> None:
        """Put an edge in the queue."""
        self.unread += 1
        os.write(self._end, event)

    def set_value(self, line: int, value: Value) -> None:
        """Drive a line."""
        with self._gpio._lock:
            self._gpio.present()
            if self.lines[line].broken:
                raise os_error(errno.EIO)
            self.lines[line].settings.output_value = value
            self._gpio.settle(line)

    def release(self) -> None:
        """Release the lines; repeated calls do nothing."""
        with self._gpio._lock:
            lines, self.lines = self.lines, {}
            for line in lines.values():
                line.holder, line.request, line.settings = "", None, gpiod.LineSettings()
            if lines:
                os.close(self.fd)
                os.close(self._end)
                self._gpio.held.remove(self)
                self._gpio.settle(*lines)


def _copied(settings: gpiod.LineSettings) -> gpiod.LineSettings:
    output = settings.direction is Direction.OUTPUT
    if output and settings.edge_detection is not Edge.NONE:
        raise ValueError(os.strerror(errno.EINVAL))  # as the kernel does
    return gpiod.LineSettings(**vars(settings))


def _fail(error: int) -> int:
    ctypes.set_errno(error)
    return -1
