"""The simulated SPI bus and the simulated SSD1322 behind it, compared with the real ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory
from luma.core.interface.serial import spi
from luma.oled.device import ssd1322
from PIL import Image

from tests.fakes.oled import MisuseError
from tests.fakes.spi import FakeSpi, SpiDev
from tests.fakes.ssd1322 import Ssd1322

DC, RESET = 24, 25


class Listener:
    """A device that records the bytes it receives."""

    def __init__(self) -> None:
        self.heard: list[tuple[bytes, bool]] = []
        self.resets = 0

    def clock_in(self, payload: bytes, *, data: bool) -> None:
        self.heard.append((payload, data))

    def reset(self) -> None:
        self.resets += 1

    def power_cut(self) -> None:
        """Forget nothing: it has no state."""


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    made = MockFactory()
    yield made
    made.close()


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def bus(listener: Listener, factory: MockFactory) -> FakeSpi:
    for line in (DC, RESET):
        factory.pin(line).output_with_state(1)
    return FakeSpi(listener, factory.pin(DC), factory.pin(RESET))


def opened(bus: FakeSpi) -> SpiDev:
    """Open the stand-in as luma does."""
    made: SpiDev = bus.module().SpiDev()
    made.open(0, 0)
    return made


def test_a_pulse_on_the_reset_line_is_felt_and_while_it_is_low_nothing_is_heard(
    bus: FakeSpi, listener: Listener, factory: MockFactory
) -> None:
    way = opened(bus)
    way.writebytes([1])
    before = listener.resets
    factory.pin(RESET).state = 0
    way.writebytes([2])
    factory.pin(RESET).state = 1
    way.writebytes([3])
    way.writebytes([4])
    assert [payload for payload, _data in listener.heard] == [b"\x01", b"\x03", b"\x04"]
    assert listener.resets - before >= 1


def test_more_than_the_kernel_takes_in_a_write_is_refused(bus: FakeSpi) -> None:
    way = opened(bus)
    way.writebytes(bytes(4096))
    with pytest.raises(OverflowError):
        way.writebytes(bytes(4097))


# The controller


def told(*commands: tuple[int, ...]) -> Ssd1322:
    """Return a controller that received commands, each with its parameters."""
    made = Ssd1322()
    for code, *parameters in commands:
        made.clock_in(bytes([code]), data=False)
        made.clock_in(bytes(parameters), data=True)
    return made


READY = ((0xA0, 0x14, 0x11), (0xCA, 0x3F), (0x15, 28, 91), (0x75, 0, 63))


def black(*commands: tuple[int, ...]) -> Ssd1322:
    """Return a lit controller with black content."""
    made = told(*READY, (0xAF,), (0x5C,))
    made.clock_in(bytes(128 * 64), data=True)
    for code, *parameters in commands:
        made.clock_in(bytes([code]), data=False)
        made.clock_in(bytes(parameters), data=True)
    return made


def lit(*places: tuple[int, int]) -> Image.Image:
    """Return a black picture with these pixels lit."""
    picture = Image.new("1", (256, 64))
    for place in places:
        picture.putpixel(place, 1)
    return picture


def test_a_command_ends_one_that_misses_parameters() -> None:
    made = black((0xC1, 0x20), (0x15, 5), (0xC1, 0x30), (0x75, 0, 63), (0x5C,))
    made.clock_in(b"\xf0", data=True)
    assert made.contrast == 0x30
    assert made.glass() == lit((0, 0))


@pytest.mark.parametrize(
    "command", [(0x21, 0, 1), (0xE3,), (0x15, 9, 5), (0x15, 0, 120), (0x75, 0, 128), (0xFD, 0x16), (0xA1, 3), (0xA2, 3)]
)
def test_what_no_driver_should_send_is_an_error(command: tuple[int, ...]) -> None:
    with pytest.raises(MisuseError):
        told(command)


def test_a_picture_without_the_command_to_write_is_an_error() -> None:
    with pytest.raises(MisuseError):
        told((0xC1, 0x20, 0x30))


def test_a_picture_that_would_stand_on_its_head_is_an_error() -> None:
    with pytest.raises(MisuseError):
        black((0xA0, 0x06, 0x11)).glass()


# luma's display(), the reference here, uses a function that Pillow deprecates
@pytest.mark.filterwarnings("ignore:.*getdata:DeprecationWarning")
def test_lumas_own_driver_puts_its_picture_on_the_glass(factory: MockFactory) -> None:
    class Lines:
        """The part of RPi.GPIO that luma uses."""

        LOW, HIGH, OUT = 0, 1, 1

        def setup(self, line: int, _direction: int) -> None:
            factory.pin(line).output_with_state(1)

        def output(self, line: int, level: int) -> None:
            factory.pin(line).state = level

    made = Ssd1322()
    bus = FakeSpi(made, factory.pin(DC), factory.pin(RESET))
    picture = Image.frombytes("1", (256, 64), random.Random(1).randbytes(256 * 64 // 8))
    ssd1322(spi(spi=bus.module().SpiDev(), gpio=Lines(), gpio_DC=DC, gpio_RST=RESET), mode="1").display(picture)
    assert made.glass() == picture
