"""Chips whose lines can be read from outside, for the tests of outputs.

The chip is usually simulated. With COMPANION_LAB=1, on a machine whose lines can be wired by software, it is the
kernel's own: /dev/gpiochip0, with /sys/kernel/labwire to look at its lines.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

import gpiod

from hardware.output_pins import KernelFactory
from tests.fakes.chip import FakeGpio


class Rig(Protocol):
    """A chip whose lines a test can read.

    Attributes:
        factory: A pin factory for its outputs.
    """

    factory: KernelFactory

    def level(self, line: int) -> bool:
        """Return the level of a line, as a meter would show it."""

    def occupied(self, line: int, holder: str) -> AbstractContextManager[None]:
        """Let another program hold a line for a while."""


class Simulated:
    """A simulated chip."""

    def __init__(self, gpio: FakeGpio) -> None:
        self.factory = KernelFactory()
        self._gpio = gpio
        self.level = gpio.level

    @contextmanager
    def occupied(self, line: int, holder: str) -> Iterator[None]:
        self._gpio.occupy(line, holder)
        try:
            yield
        finally:
            self._gpio.occupy(line, "")


class Kernels:
    """The kernel's own chip."""

    def __init__(self) -> None:
        self.factory = KernelFactory()

    def level(self, line: int) -> bool:
        rows = (row.split() for row in Path("/sys/kernel/labwire/levels").read_text().splitlines())
        return next(row[2] == "1" for row in rows if row[0] == str(line))

    @contextmanager
    def occupied(self, line: int, holder: str) -> Iterator[None]:
        with gpiod.request_lines("/dev/gpiochip0", {line: None}, consumer=holder):
            yield


@contextmanager
def simulated() -> Iterator[Rig]:
    with FakeGpio().found() as gpio:
        rig = Simulated(gpio)
        yield rig
        rig.factory.close()


@contextmanager
def kernels() -> Iterator[Rig]:
    rig = Kernels()
    yield rig
    rig.factory.close()


RIGS: dict[str, Callable[[], AbstractContextManager[Rig]]] = (
    {"kernel": kernels} if os.environ.get("COMPANION_LAB") == "1" else {"simulated": simulated}
)
