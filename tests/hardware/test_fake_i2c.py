"""The simulated buses, compared with the real ones."""

from __future__ import annotations

import errno
import os
from typing import Any

import pytest
import smbus2

from tests.fakes.i2c import FakeI2c

_NOBODY = os.strerror(errno.EREMOTEIO)


class Listener:
    """A device that records the bytes it receives."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def write(self, message: bytes) -> None:
        self.heard.append(message)

    def power_cut(self) -> None:
        """Forget nothing: it has no state."""


_i2c_msg: Any = smbus2.i2c_msg  # its published types do not match its behaviour


def written(data: bytes) -> Any:
    """Return smbus2's message for a write to the listener."""
    return _i2c_msg.write(0x3C, data)


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def bus(listener: Listener) -> FakeI2c:
    return FakeI2c({0x3C: listener})


def test_more_than_a_block_is_refused_on_either_path(bus: FakeI2c) -> None:
    for way in (bus.smbus(1), bus.fake_rpi_bus()):
        way.write_i2c_block_data(0x3C, 0x40, [0] * 32)
        with pytest.raises(ValueError, match="at most"):
            way.write_i2c_block_data(0x3C, 0x40, [0] * 33)


def test_more_than_the_kernel_takes_in_a_message_is_refused(bus: FakeI2c) -> None:
    with pytest.raises(OSError, match=os.strerror(errno.EINVAL)):
        bus.smbus(1).i2c_rdwr(written(bytes(8193)))


def test_every_nth_message_breaks_off_after_the_bytes_it_was_told(bus: FakeI2c, listener: Listener) -> None:
    way = bus.smbus(1)
    bus.fail_every(2, after=1, code=errno.ETIMEDOUT)
    outcomes: list[int | None] = []
    for number in range(4):
        try:
            way.write_i2c_block_data(0x3C, 0x40, [number])
            outcomes.append(None)
        except OSError as error:
            outcomes.append(error.errno)
    assert outcomes == [None, errno.ETIMEDOUT, None, errno.ETIMEDOUT]
    assert listener.heard == [b"\x40\x00", b"\x40", b"\x40\x02", b"\x40"]
    bus.fail_every(0)
    way.write_i2c_block_data(0x3C, 0x40, [9])
    way.write_i2c_block_data(0x3C, 0x40, [9])


def test_bytes_on_the_wire_are_counted_with_their_addresses(bus: FakeI2c) -> None:
    way = bus.smbus(1)
    way.write_i2c_block_data(0x3C, 0x00, [1, 2])
    assert bus.sent == 4
    with pytest.raises(OSError, match=_NOBODY):
        way.write_i2c_block_data(0x3D, 0x00, [1, 2])
    assert bus.sent == 5
