"""A gpiozero pin factory on the kernel's GPIO character device, through the gpiod package.

lgpio, gpiozero's default, wakes up about 1650 times a second once an edge is awaited, and stops all input for good
when a handler fails. This factory does neither. It has no PWM: a request for it raises gpiozero's
PinPWMUnsupported.

The classes derive from gpiozero's, so gpiozero and gpiod are imported at the top. Import this module only where pins
are needed, or use `hardware.pin_factories.choose`, which reports missing packages in a sentence.
"""

from __future__ import annotations

import errno
import time
from collections.abc import Sequence
from datetime import timedelta
from threading import Lock
from typing import Any, NamedTuple

import gpiod
from gpiod.line import Bias, Direction, Drive, Value
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

from hardware import gpio_levels
from hardware.gpio_chips import CONSUMER, find_chip, holders
from hardware.input_thread import Edge, EdgePoller, InputThread

_PULLS = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
_EDGES = {"both": Detection.BOTH, "rising": Detection.RISING, "falling": Detection.FALLING, "none": Detection.NONE}

_ROOM = 64
"""Size of the kernel's edge queue for a line; when full, it drops the oldest. A key bounces about ten times."""


class KernelFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no types, so its classes are Any
    """Makes gpiozero pins for the lines of a chip.

    `chip` is the n of /dev/gpiochipn, or a path; None finds the chip behind the Pi's header.

    Raises OSError if there is no such chip, or it may not be opened.
    """

    def __init__(self, chip: int | str | None = None) -> None:
        super().__init__()
        # All local factories share one dict of pins, and closing one factory closes them all. These pins are
        # therefore kept apart. The reservations stay shared: two devices on one pin are refused, whichever
        # factories they use.
        self.pins: dict[Any, KernelPin] = {}
        self.pin_class = KernelPin
        path = f"/dev/gpiochip{chip}" if isinstance(chip, int) else chip or find_chip()
        self._lock = Lock()  # gpiod's objects are not thread-safe
        self._chip: gpiod.Chip | None = gpiod.Chip(path)
        self.edges = EdgePoller()
        self.inputs = InputThread(self.edges)

    def alive(self) -> bool:
        """Return at once whether edges would be noticed. Call it now and then, a few seconds apart."""
        return not self.edges.lost and self.inputs.alive()

    def close(self) -> None:
        """Release every line and end the thread; repeated calls do nothing."""
        with self._lock:  # first, so that no other thread can request its line again
            if self._chip is not None:
                self._chip.close()
                self._chip = None
        super().close()
        self.inputs.close()

    def open_drain(self, lines: Sequence[int]) -> OpenDrainLines:
        """Request lines that are driven low or released together, one order for all.

        Raises GPIOPinInUse if another program uses one of them.
        """
        low = gpiod.LineSettings(Direction.OUTPUT, bias=Bias.PULL_UP, drive=Drive.OPEN_DRAIN)
        return OpenDrainLines(self.request(low, *lines), len(lines))

    def request(self, settings: gpiod.LineSettings, *lines: int) -> gpiod.LineRequest:
        """Request lines from the kernel, as one.

        Raises:
            DeviceClosed: The factory is closed.
            GPIOPinInUse: Another program uses the line.
            PinInvalidFunction: The chip has no such line, or the line does not support the settings.
        """
        with self._lock:
            if self._chip is None:
                raise DeviceClosed("The pin factory is closed.")
            try:
                return self._chip.request_lines({lines: settings}, consumer=CONSUMER, event_buffer_size=_ROOM)
            except OSError as error:
                if error.errno != errno.EBUSY:
                    raise
                line, holder = next(iter(holders(self._chip, lines).items()), (lines[0], "somebody"))
                raise GPIOPinInUse(f"GPIO{line} is in use by {holder}") from error
            except ValueError as error:  # EINVAL
                refused = ", ".join(f"GPIO{line}" for line in lines)
                raise PinInvalidFunction(f"the kernel refuses {settings} for {refused}") from error


class OpenDrainLines:
    """Lines that are driven low or released, never driven high; all are low at first."""

    def __init__(self, request: gpiod.LineRequest, count: int) -> None:
        self._request = request
        self._all = (1 << count) - 1

    def drive(self, low: int) -> None:
        """Drive the lines of a bit mask low, the first being the lowest bit; release the others to their pull-up."""
        gpio_levels.drive(self._request, self._all & ~low, self._all)

    def close(self) -> None:
        self._request.release()


class _Setup(NamedTuple):
    """The configuration of a line, in gpiozero's terms."""

    pull: str
    output: bool = False
    high: bool = False
    edges: str = "both"
    bounce: float | None = None
    armed: bool = False


def _settings(setup: _Setup) -> gpiod.LineSettings:
    """Return the same configuration in the kernel's terms."""
    if setup.output:
        return gpiod.LineSettings(Direction.OUTPUT, output_value=Value.ACTIVE if setup.high else Value.INACTIVE)
    return gpiod.LineSettings(
        Direction.INPUT,
        edge_detection=_EDGES[setup.edges] if setup.armed else Detection.NONE,
        bias=_PULLS[setup.pull],
        # With debouncing, the kernel also reads the settled level; so only while edges are awaited.
        debounce_period=timedelta(seconds=setup.bounce or 0) if setup.armed else timedelta(),
    )


class KernelPin(LocalPiPin):  # type: ignore[misc]  # as above
    """A GPIO line, requested at its first use and released when closed.

    A closed pin can be used again, as gpiozero expects; it then starts as a new one.

    ``bounce`` is the kernel's debouncing. It reports an edge only after the level has been stable for that time,
    stamped with the end of that time, and misses shorter presses. Prefer None and `hardware.contact_reader`.
    """

    def __init__(self, factory: KernelFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._lock = self._when_changed_lock  # one lock for everything in the pin
        self._request: gpiod.LineRequest | None = None
        self._setup = _Setup(info.pull or "floating")
        self._held: gpiod.LineSettings | None = None  # the settings that the kernel has
        self._since = 0  # ignore older edges

    def close(self) -> None:
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
        """Return the new edges; called by the input thread."""
        with self._lock:
            if self._request is None or not self._request.wait_edge_events(0):
                return []
            return [
                Edge(event.timestamp_ns, event.event_type is event.Type.RISING_EDGE)
                for event in self._request.read_edge_events()
            ]

    def deliver(self, edge: Edge) -> None:
        """Call the handler for an edge; called by the input thread."""
        with self._lock:
            if edge.stamp < self._since:
                return  # queued before its handler was removed
            handler = self._get_when_changed()
            if handler is None:  # gpiozero holds handlers weakly; this one was collected
                self._set_when_changed(None)
                return
        handler(edge.stamp / 1e9, int(edge.high))

    def _change(self, **changes: Any) -> None:
        """Change the line's configuration, unless it is the same already."""
        with self._lock:
            setup = self._setup._replace(**changes)
            settings = _settings(setup)
            if self._request is None:
                self._request = self._factory.request(settings, self._number)
            elif settings != self._held:
                self._request.reconfigure_lines({self._number: settings})
            self._setup, self._held = setup, settings

    def _get_function(self) -> str:
        return "output" if self._setup.output else "input"

    def _set_function(self, value: str) -> None:
        if value not in {"input", "output"}:
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        with self._lock:
            if value == "output" and not self._setup.output:
                self._change(output=True, high=bool(self._get_state()))  # keep the current level
            else:
                self._change(output=value == "output")

    def _get_state(self) -> int:
        with self._lock:
            if self._request is None:
                self._change()
            assert self._request is not None
            return int(gpio_levels.read(self._request))

    def _set_state(self, value: float) -> None:
        with self._lock:
            if not self._setup.output or self._request is None:
                raise PinSetInput(f"cannot set state of pin {self!r}")
            gpio_levels.drive(self._request, int(bool(value)))
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
            self._when_changed = None  # otherwise gpiozero would consider it enabled
            raise
        assert self._request is not None
        self._factory.edges.watch(self._request.fd, self)

    def _disable_event_detect(self) -> None:
        if self._request is not None:
            self._factory.edges.ignore(self._request.fd)
            self._change(armed=False)
