"""A gpiozero pin factory on the kernel's GPIO character device, through the gpiod package.

Here live the factory and its pins. lgpio, gpiozero's own choice, wakes up about 1650 times a second once an edge
is waited for, and ends all input for good when a handler fails; this factory does neither. It has no PWM: asking
for it raises gpiozero's PinPWMUnsupported.

gpiozero and gpiod are imported at the top, because the classes here derive from gpiozero's: import this module
where pins are needed, or have `hardware.pin_factories.choose` do it, which says in a sentence what is missing.
"""

from __future__ import annotations

import errno
import time
from datetime import timedelta
from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

import gpiod
from gpiod.line import Bias, Direction, Value
from gpiod.line import Edge as Detection
from gpiozero.exc import (
    DeviceClosed,
    GPIOPinInUse,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
)
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hardware.gpio_chips import CONSUMER, find_chip, holders
from hardware.input_thread import Edge, InputThread, LinePoll

_PULLS = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_EDGES = {"both": Detection.BOTH, "rising": Detection.RISING, "falling": Detection.FALLING, "none": Detection.NONE}

_ROOM = 64
"""Edges of a line that the kernel keeps for us; of more it forgets the oldest. A key bounces ten times or so."""


class KernelFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no types, so its classes are Any
    """Makes gpiozero pins for the lines of a chip.

    Args:
        chip: The n of /dev/gpiochipn, or a path; None finds the one behind the Pi's header.

    Raises:
        OSError: There is no such chip, or it may not be opened.
    """

    def __init__(self, chip: int | str | None = None) -> None:
        super().__init__()
        # All local factories share one dict of pins, and each closes them all when it is closed. These pins
        # are closed by their own factory alone. The reservations stay shared: two devices on one pin are
        # refused, whichever factories they have.
        self.pins: dict[Any, KernelPin] = {}
        self.pin_class = KernelPin
        path = f"/dev/gpiochip{chip}" if isinstance(chip, int) else chip or find_chip()
        self._lock = Lock()  # gpiod's objects bear only one thread at a time
        self._chip: gpiod.Chip | None = gpiod.Chip(path)
        self.edges = LinePoll()
        self.inputs = InputThread(self.edges)

    def alive(self) -> bool:
        """Tell at once whether edges would be noticed; to be asked now and then, a few seconds apart."""
        return not self.edges.lost and self.inputs.alive()

    def close(self) -> None:
        """Let go of every line, end the thread; closing again does nothing."""
        with self._lock:  # first of all, so that no thread that still works a pin gets its line again
            if self._chip is not None:
                self._chip.close()
                self._chip = None
        super().close()
        self.inputs.close()

    def request(self, line: int, settings: gpiod.LineSettings) -> gpiod.LineRequest:
        """Have the kernel give us a line.

        Raises:
            DeviceClosed: The factory is closed.
            GPIOPinInUse: Somebody else has the line.
            PinInvalidFunction: The chip has no such line, or the line cannot be what it should.
        """
        with self._lock:
            if self._chip is None:
                raise DeviceClosed("The pin factory is closed.")
            try:
                return self._chip.request_lines({line: settings}, consumer=CONSUMER, event_buffer_size=_ROOM)
            except OSError as error:
                if error.errno != errno.EBUSY:
                    raise
                holder = holders(self._chip, [line]).get(line, "somebody")
                raise GPIOPinInUse(f"GPIO{line} is in use by {holder}") from error
            except ValueError as error:  # EINVAL
                raise PinInvalidFunction(f"the kernel refuses {settings} for GPIO{line}") from error


class _Setup(NamedTuple):  # and no dataclass: a scan replaces it all the time, and dataclasses.replace is slow
    """How a line is to be held, in gpiozero's words."""

    pull: str
    output: bool = False
    high: bool = False
    edges: str = "both"
    bounce: float | None = None
    armed: bool = False


@lru_cache(maxsize=256)  # a scan of a keypad goes to and fro between two of them
def _settings(setup: _Setup) -> gpiod.LineSettings:
    """Say the same in the kernel's words."""
    if setup.output:
        return gpiod.LineSettings(Direction.OUTPUT, output_value=Value.ACTIVE if setup.high else Value.INACTIVE)
    return gpiod.LineSettings(
        Direction.INPUT,
        edge_detection=_EDGES[setup.edges] if setup.armed else Detection.NONE,
        bias=_PULLS[setup.pull],
        # While it debounces, the kernel also reads the settled level: only while edges are waited for.
        debounce_period=timedelta(seconds=setup.bounce or 0) if setup.armed else timedelta(),
    )


class KernelPin(LocalPiPin):  # type: ignore[misc]  # as above
    """A GPIO line, requested at its first use and released when closed.

    A closed pin can be used again, as gpiozero expects: it begins as a new one.

    ``bounce`` is the kernel's own debouncing: an edge is reported only when the level has stayed for that long,
    stamped with the end of that time, and a press shorter than it is never seen. Better none, and pure logic.
    """

    def __init__(self, factory: KernelFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._lock = self._when_changed_lock  # one lock for all of a pin
        self._request: gpiod.LineRequest | None = None
        self._setup = _Setup(info.pull or "floating")
        self._held: gpiod.LineSettings | None = None  # as the kernel was last told
        self._since = 0  # edges older than this were not waited for

    def close(self) -> None:
        """Let go of the line."""
        with self._lock:
            if self._request is not None:
                self._factory.edges.ignore(self._request.fd)
                self._request.release()
            self._request = self._held = None
            self._when_changed = None
            self._setup = _Setup(self.info.pull or "floating")

    def output_with_state(self, state: float) -> None:
        """Drive the line at a level, in one step."""
        self._change(output=True, high=bool(state))

    def input_with_pull(self, pull: str) -> None:
        """Stop driving the line and pull it, in one step."""
        self._check_pull(pull)
        self._change(output=False, pull=pull)

    def collect(self) -> list[Edge]:
        """Take the edges that have come; for the thread that waits for them."""
        with self._lock:
            if self._request is None or not self._request.wait_edge_events(0):
                return []
            return [
                Edge(event.timestamp_ns, event.event_type is event.Type.RISING_EDGE)
                for event in self._request.read_edge_events()
            ]

    def deliver(self, edge: Edge) -> None:
        """Tell the handler of an edge; for the thread that waits for them."""
        with self._lock:
            if edge.stamp < self._since:
                return  # it lay in the queue when its handler was taken away
            handler = self._get_when_changed()
            if handler is None:  # gpiozero holds handlers weakly, and this one is gone
                self._set_when_changed(None)
                return
        handler(edge.stamp / 1e9, int(edge.high))

    def _change(self, **changes: Any) -> None:
        """Have the line held differently, if it is not held so already."""
        with self._lock:
            setup = self._setup._replace(**changes)
            settings = _settings(setup)
            if self._request is None:
                self._request = self._factory.request(self._number, settings)
            elif settings is not self._held and settings != self._held:
                self._request.reconfigure_lines({self._number: settings})
            self._setup, self._held = setup, settings

    def _get_function(self) -> str:
        return "output" if self._setup.output else "input"

    def _set_function(self, value: str) -> None:
        if value not in {"input", "output"}:
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        with self._lock:
            if value == "output" and not self._setup.output:
                self._change(output=True, high=bool(self._get_state()))  # it stays at the level it is found at
            else:
                self._change(output=value == "output")

    def _get_state(self) -> int:
        with self._lock:
            if self._request is None:
                self._change()
            assert self._request is not None
            return int(self._request.get_value(self._number) is Value.ACTIVE)

    def _set_state(self, value: float) -> None:
        with self._lock:
            if not self._setup.output or self._request is None:
                raise PinSetInput(f"cannot set state of pin {self!r}")
            self._request.set_value(self._number, Value.ACTIVE if value else Value.INACTIVE)
            self._setup = self._setup._replace(high=bool(value))
            self._held = _settings(self._setup)

    def _get_pull(self) -> str:
        return self._setup.pull

    def _set_pull(self, value: str) -> None:
        if self._setup.output:
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        self._check_pull(value)
        self._change(pull=value)

    def _check_pull(self, pull: str) -> None:
        if pull not in _PULLS:
            raise PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        if self.info.pull not in {pull, ""}:
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")

    def _get_bounce(self) -> float | None:
        return self._setup.bounce

    def _set_bounce(self, value: float | None) -> None:
        if value is not None and value < 0:
            raise PinInvalidBounce("bounce must be 0 or greater")
        self._change(bounce=value or None)

    def _get_edges(self) -> str:
        return self._setup.edges

    def _set_edges(self, value: str) -> None:
        if value not in _EDGES:
            raise PinInvalidEdges(f'invalid edge specification "{value}" for pin {self!r}')
        self._change(edges=value)

    def _enable_event_detect(self) -> None:
        self._since = time.monotonic_ns()
        try:
            self._change(armed=True)
        except BaseException:
            self._when_changed = None  # or gpiozero would take it for enabled
            raise
        assert self._request is not None
        self._factory.edges.watch(self._request.fd, self)

    def _disable_event_detect(self) -> None:
        if self._request is not None:
            self._factory.edges.ignore(self._request.fd)
            self._change(armed=False)
