"""A simulated SPI bus: it carries bytes to one simulated controller, and fails on request.

A write on SPI succeeds even without a device; only the computer's own side can fail.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from types import ModuleType
from typing import Protocol

from tests.fakes.bus import FaultyBus, Powered, os_error
from tests.fakes.chip import FakeGpio

_LARGEST = 4096  # spidev's default limit for a write, in bytes


class Device(Powered, Protocol):
    """A controller on the bus."""

    def clock_in(self, payload: bytes, *, data: bool) -> None:
        """Receive bytes, with the D/C line low or high."""

    def reset(self) -> None:
        """Reset, because the reset line went low."""


class FakeSpi(FaultyBus):
    """A bus with a controller on it.

    Args:
        device: The controller.
        gpio: The chip of its lines.
        dc: The D/C line.
        reset: The reset line, if there is one; the controller ignores bytes while it is low.
        path: The port and the chip select that the stand-in for spidev opens.
    """

    def __init__(
        self, device: Device, gpio: FakeGpio, dc: int, reset: int | None = None, path: tuple[int, int] = (0, 0)
    ) -> None:
        super().__init__([device])
        self._device = device
        self.gpio = gpio
        self._dc = dc
        self._reset = reset
        self._path = path
        self.speeds: set[int] = set()

    def carry(self, payload: bytes) -> None:
        """Write to the device.

        Raises:
            OSError: The bus is missing, or the write is to be interrupted.
        """
        if not self.plugged:
            raise os_error(errno.EIO)
        if self._reset in self.gpio.fell:
            self.gpio.fell.remove(self._reset)
            self._device.reset()
        arrived, fault = self.arriving(payload)
        if self._reset is None or self.gpio.level(self._reset):
            self._device.clock_in(arrived, data=self.gpio.level(self._dc))
        if fault is not None:
            raise fault

    def module(self) -> ModuleType:
        """Return a stand-in for the module spidev: put it into sys.modules under that name."""
        wire = self

        class Opened(SpiDev):
            def __init__(self) -> None:
                super().__init__(wire)

        spidev = ModuleType("spidev")
        spidev.SpiDev = Opened  # type: ignore[attr-defined]  # it is this module's one attribute
        return spidev

    def open(self, port: int, device: int) -> None:
        """Count a handle, if this bus is meant.

        Raises:
            OSError: Another bus is meant.
        """
        if (port, device) != self._path or not self.plugged:
            raise os_error(errno.ENOENT)
        self.handles += 1

    def close(self) -> None:
        """Count one handle less."""
        self.handles -= 1


class SpiDev:
    """Stands in for spidev.SpiDev, for drivers that only write."""

    def __init__(self, wire: FakeSpi) -> None:
        self._wire = wire
        self._opened = False
        self.max_speed_hz = 500_000

    def open(self, port: int, device: int) -> None:
        self._wire.open(port, device)
        self._opened = True

    def writebytes(self, values: Iterable[int]) -> None:
        """Write bytes, up to the kernel's limit."""
        payload = bytes(values)
        if not self._opened:
            raise os_error(errno.EBADF)
        if len(payload) > _LARGEST:
            raise OverflowError(f"A write has {_LARGEST} bytes at most, not {len(payload)}.")
        self._wire.speeds.add(self.max_speed_hz)
        self._wire.carry(payload)

    def close(self) -> None:
        """Close the bus; repeated calls do nothing."""
        if self._opened:
            self._opened = False
            self._wire.close()
