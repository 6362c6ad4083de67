"""Chips whose lines can be driven from outside, for the tests of the pins.

The chip is usually simulated. With COMPANION_LAB=1, on a machine whose lines can be wired by software, it is the
kernel's own: /dev/gpiochip0, with /sys/kernel/labwire to connect lines to ground and supply.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from queue import Empty, Queue
from typing import Any, Protocol
from unittest.mock import patch

import gpiod

from hardware.gpiod_factory import KernelFactory
from tests.fakes.chip import FakeGpio
from tests.waiting import LAST_RESORT

PI_4B = 0xC03114

KEY, OTHER, LAMP, PAST, TURN = 17, 22, 27, 23, 24
"""The lines that the tests use; ``PAST`` is reserved for the rig."""


class Rig(Protocol):
    """A chip whose lines a test can drive and read."""

    @property
    def factory(self) -> KernelFactory:
        """A pin factory on it."""

    @property
    def debounces(self) -> bool:
        """Whether it performs debouncing."""

    def drive(self, line: int, high: bool) -> None:
        """Force a level on a line, as a pressed key does."""

    def let_go(self, line: int) -> None:
        """Stop forcing a level on a line."""

    def level(self, line: int) -> bool:
        """Return the level of a line, as a meter would show it."""

    def occupied(self, line: int, holder: str) -> AbstractContextManager[None]:
        """Let another program hold a line for a while."""


class Simulated:
    """A simulated chip."""

    debounces = False

    def __init__(self, gpio: FakeGpio, factory: KernelFactory) -> None:
        self.gpio = gpio
        self.factory = factory
        self.drive = gpio.drive
        self.let_go = gpio.let_go
        self.level = gpio.level

    @contextmanager
    def occupied(self, line: int, holder: str) -> Iterator[None]:
        self.gpio.occupy(line, holder)
        try:
            yield
        finally:
            self.gpio.occupy(line, "")


class Kernels:
    """The kernel's own chip."""

    debounces = True
    _WIRES = Path("/sys/kernel/labwire")

    def __init__(self, factory: KernelFactory) -> None:
        self.factory = factory

    def drive(self, line: int, high: bool) -> None:
        to, other = ("vcc", "gnd") if high else ("gnd", "vcc")
        self._wire(f"off {line} {other}")
        self._wire(f"on {line} {to}")

    def let_go(self, line: int) -> None:
        self._wire(f"off {line} gnd")
        self._wire(f"off {line} vcc")

    def level(self, line: int) -> bool:
        rows = (row.split() for row in (self._WIRES / "levels").read_text().splitlines())
        return next(row[2] == "1" for row in rows if row[0] == str(line))

    @contextmanager
    def occupied(self, line: int, holder: str) -> Iterator[None]:
        with gpiod.request_lines("/dev/gpiochip0", {line: None}, consumer=holder):
            yield

    def clear(self) -> None:
        self._wire("clear")

    def _wire(self, order: str) -> None:
        (self._WIRES / "ctl").write_text(order)


@contextmanager
def bench() -> Iterator[FakeGpio]:
    """Make gpiod find a simulated chip, on a Pi 4."""
    gpio = FakeGpio()
    with (
        patch("gpiod.Chip", gpio.open),
        patch("hardware.gpio_levels.ioctl", gpio.ioctl),
        patch("gpiozero.pins.local.get_pi_revision", lambda: PI_4B),
    ):
        yield gpio


@contextmanager
def simulated() -> Iterator[Simulated]:
    with bench() as gpio:
        factory = KernelFactory(0)
        try:
            yield Simulated(gpio, factory)
        finally:
            factory.close()


@contextmanager
def kernels() -> Iterator[Kernels]:
    factory = KernelFactory()
    rig = Kernels(factory)
    rig.clear()
    try:
        yield rig
    finally:
        factory.close()
        rig.clear()


LAB = os.environ.get("COMPANION_LAB") == "1"

RIGS: dict[str, Callable[[], AbstractContextManager[Rig]]] = {"kernel": kernels} if LAB else {"simulated": simulated}


class Ear:
    """Records what pins report, in order; a handler of `when_changed` for any number of pins.

    Args:
        rig: The rig; an edge on its line ``PAST`` marks the end of the reports.
    """

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._heard: Queue[tuple[float, int] | None] = Queue()
        self._past = rig.factory.pin(PAST)
        self._past.input_with_pull("down")
        self._past.edges = "rising"
        self._past.when_changed = self._that_was_all

    def hear(self, ticks: float, state: int) -> None:
        self._heard.put((ticks, state))

    def all(self) -> list[tuple[float, int]]:
        """Return all reports since the last call."""
        self._rig.drive(PAST, True)
        self._rig.let_go(PAST)
        found = []
        while (report := self.next()) is not None:
            found.append(report)
        return found

    def states(self) -> list[int]:
        """Return only the levels of these reports."""
        return [state for _, state in self.all()]

    def next(self) -> tuple[float, int] | None:
        """Wait for a report."""
        try:
            return self._heard.get(timeout=LAST_RESORT)
        except Empty:
            raise AssertionError("Nothing was reported.") from None

    def _that_was_all(self, ticks: float, state: int) -> None:
        self._heard.put(None)


def watched(rig: Rig, line: int, ear: Ear, edges: str = "both", pull: str = "up") -> Any:
    pin = rig.factory.pin(line)
    pin.input_with_pull(pull)
    pin.edges = edges
    pin.when_changed = ear.hear
    return pin


def descriptors() -> int:
    """Return how many file descriptors this process has open."""
    return len(os.listdir("/proc/self/fd"))
