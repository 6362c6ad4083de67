"""A simulated I2C bus: it carries bytes to simulated devices, and fails on request.

Drivers reach it in two ways: through a stand-in for smbus2.SMBus, which runs on a board, or through fake-rpi's bus
class, which sends 32 bytes at a time. fake-rpi prints when imported and depends on numpy, so it is imported only
when that bus is requested.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from tests.fakes.bus import FaultyBus, Powered, os_error

_READ = 0x0001  # the kernel's I2C_M_RD
_LARGEST = 8192  # the kernel's limit for a message, in bytes
_SMBUS_BLOCK = 32


class Device(Powered, Protocol):
    """A device on the bus."""

    def write(self, message: bytes) -> None:
        """Receive the bytes of a write, without the address."""


class FakeI2c(FaultyBus):
    """A bus with devices at addresses.

    Args:
        devices: The devices by their seven-bit address.
        number: The n of the /dev/i2c-n that the stand-in for smbus2.SMBus opens.
    """

    def __init__(self, devices: Mapping[int, Device], number: int = 1) -> None:
        super().__init__(devices.values())
        self._devices = dict(devices)
        self._number = number

    def carry(self, address: int, message: bytes) -> None:
        """Write to a device; the address counts as a byte, even if not acknowledged.

        Raises:
            OSError: No device acknowledges, or the message is to be interrupted.
        """
        self.sent += 1
        if address not in self._devices or not self.plugged:
            raise os_error(errno.EREMOTEIO)  # as a Pi reports a missing acknowledgement
        arrived, fault = self.arriving(message)
        self._devices[address].write(arrived)
        if fault is not None:
            raise fault

    def smbus(self, bus: int | str | None = None) -> Smbus:
        """Stand in for smbus2.SMBus: patch this method in under that name."""
        return Smbus(self, bus)

    def fake_rpi_bus(self) -> Any:
        """Return a bus of fake-rpi's SMBus class whose block writes reach the devices."""
        from fake_rpi.smbus import SMBus  # see above

        wire = self

        class Bus(SMBus):  # type: ignore[misc]  # fake-rpi has no types, so its classes are Any
            def write_i2c_block_data(self, i2c_addr: int, register: int, data: Iterable[int]) -> None:
                wire.carry(i2c_addr, _block(register, data))

        return Bus(1)

    def _open(self, path: str) -> None:
        if path != f"/dev/i2c-{self._number}":
            raise os_error(errno.ENOENT, path)
        self.handles += 1

    def _close(self) -> None:
        self.handles -= 1


class Smbus:
    """Stands in for smbus2.SMBus, for drivers that only write.

    Args:
        wire: The simulated bus.
        bus: Number or path, opened at once; None opens nothing yet.
    """

    def __init__(self, wire: FakeI2c, bus: int | str | None = None) -> None:
        self._wire = wire
        self._opened = False
        if bus is not None:
            self.open(bus)

    def open(self, bus: int | str) -> None:
        self._wire._open(f"/dev/i2c-{bus}" if isinstance(bus, int) else bus)
        self._opened = True

    def close(self) -> None:
        """Close the bus; repeated calls do nothing."""
        if self._opened:
            self._opened = False
            self._wire._close()

    def write_i2c_block_data(self, i2c_addr: int, register: int, data: Iterable[int]) -> None:
        """Write a byte and up to 32 more."""
        self._must_be_open()
        self._wire.carry(i2c_addr, _block(register, data))

    def i2c_rdwr(self, *i2c_msgs: Any) -> None:
        """Write messages of any length that the kernel accepts.

        Args:
            i2c_msgs: Objects of smbus2.i2c_msg, whose published types do not match its behaviour.

        Raises:
            NotImplementedError: One of them is a read; no simulated device can be read.
        """
        self._must_be_open()
        for message in i2c_msgs:
            if message.flags & _READ:
                raise NotImplementedError("Reading is not simulated.")
            payload = bytes(message)
            if len(payload) > _LARGEST:
                raise os_error(errno.EINVAL)
            self._wire.carry(message.addr, payload)

    def _must_be_open(self) -> None:
        # smbus2 fails in the same way: it passes None to ioctl as the file.
        if not self._opened:
            raise TypeError("This bus is closed.")


def _block(register: int, data: Iterable[int]) -> bytes:
    """Return the bytes that an SMBus block write sends after the address."""
    message = bytes([register, *data])
    if len(message) - 1 > _SMBUS_BLOCK:
        raise ValueError(f"An SMBus block has {_SMBUS_BLOCK} bytes at most, not {len(message) - 1}.")
    return message
