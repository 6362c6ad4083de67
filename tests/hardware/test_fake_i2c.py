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
        self.cuts = 0

    def write(self, message: bytes) -> None:
        self.heard.append(message)

    def power_cut(self) -> None:
        self.cuts += 1


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


def test_a_block_write_arrives_as_its_first_byte_and_its_data(bus: FakeI2c, listener: Listener) -> None:
    bus.smbus(1).write_i2c_block_data(0x3C, 0x00, [0xAE, 0xAF])
    bus.fake_rpi_bus().write_i2c_block_data(0x3C, 0x40, [1, 2, 3])
    assert listener.heard == [b"\x00\xae\xaf", b"\x40\x01\x02\x03"]


def test_a_combined_write_arrives_message_by_message_however_long(bus: FakeI2c, listener: Listener) -> None:
    bus.smbus("/dev/i2c-1").i2c_rdwr(written(bytes(1025)), written(b"\x07"))
    assert listener.heard == [bytes(1025), b"\x07"]


def test_more_than_a_block_is_refused_on_either_path(bus: FakeI2c) -> None:
    for way in (bus.smbus(1), bus.fake_rpi_bus()):
        way.write_i2c_block_data(0x3C, 0x40, [0] * 32)
        with pytest.raises(ValueError, match="at most"):
            way.write_i2c_block_data(0x3C, 0x40, [0] * 33)


def test_more_than_the_kernel_takes_in_a_message_is_refused(bus: FakeI2c) -> None:
    with pytest.raises(OSError, match=os.strerror(errno.EINVAL)):
        bus.smbus(1).i2c_rdwr(written(bytes(8193)))


def test_an_address_where_nothing_is_does_not_acknowledge(bus: FakeI2c, listener: Listener) -> None:
    with pytest.raises(OSError, match=_NOBODY):
        bus.smbus(1).write_i2c_block_data(0x3D, 0x00, [0xAE])
    assert listener.heard == []


def test_an_unplugged_device_hears_nothing_until_it_is_plugged_in(bus: FakeI2c, listener: Listener) -> None:
    way = bus.smbus(1)
    bus.unplug()
    with pytest.raises(OSError, match=_NOBODY):
        way.write_i2c_block_data(0x3C, 0x00, [1])
    bus.plug()
    way.write_i2c_block_data(0x3C, 0x00, [2])
    assert (listener.heard, listener.cuts) == ([b"\x00\x02"], 1)


def test_loose_data_lines_leave_a_device_its_power(bus: FakeI2c, listener: Listener) -> None:
    bus.unplug(powered=True)
    with pytest.raises(OSError, match=_NOBODY):
        bus.smbus(1).write_i2c_block_data(0x3C, 0x00, [1])
    assert listener.cuts == 0


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


def test_a_bus_that_is_not_there_cannot_be_opened(bus: FakeI2c) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        bus.smbus(2)
    assert caught.value.filename == "/dev/i2c-2"
    assert bus.handles == 0


def test_open_handles_are_counted_and_a_closed_one_does_not_work(bus: FakeI2c, listener: Listener) -> None:
    first, second = bus.smbus(1), bus.smbus()
    second.open(1)
    assert bus.handles == 2
    first.close()
    first.close()
    assert bus.handles == 1
    with pytest.raises(TypeError):
        first.write_i2c_block_data(0x3C, 0x00, [1])
    with pytest.raises(TypeError):
        first.i2c_rdwr(written(b"\x01"))
    assert listener.heard == []


def test_reading_is_not_pretended(bus: FakeI2c) -> None:
    with pytest.raises(NotImplementedError):
        bus.smbus(1).i2c_rdwr(_i2c_msg.read(0x3C, 1))
