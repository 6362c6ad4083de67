"""Panel controllers (SSD1306, SH1106, SSD1322): RAM layout, window commands, initialisation by luma.

The initialization commands come from luma: its driver is created on a recording serial interface, and the recorded
commands are replayed whenever a controller has to be initialized. luma is slow to import (it loads much of Pillow
and starts threads), so it is imported when a controller is requested, not with this module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from PIL import Image, _imaging

from .frame_diff import Window, WindowPlanner
from .panel_spec import Bus, Chip

Codes = tuple[int, ...]  # a command and its parameters, or several such commands

_TRANSFER = {"i2c": 2, "spi": 25}
"""Overhead of a transfer on each bus, as a number of bytes.

On I2C, it is the address and the control byte. Commands and picture are separate messages, as luma sends them.
Both datasheets allow one message for both, but then each command byte needs a control byte; from three command
bytes on that costs more. On SPI, the overhead is two kernel calls, for the D/C line and the transfer. They take
as long as some 25 bytes at 4 MHz.
"""

_OFF = 0xAE
_CLOCK = 0xD5
_NOTHING = 0xE3


class PanelController(Protocol):
    """A type of panel controller: how pixels are packed, and how a window of them is sent."""

    size: tuple[int, int]  # width and height of the panel, in pixels
    stride: int  # bytes in a row of the RAM
    planner: WindowPlanner  # chooses the windows to send
    # The initialization commands, without the one that turns the panel off. So a working panel does not flicker; one
    # that lost power is off anyway.
    prepare: tuple[Codes, ...]
    settle: tuple[Codes, ...]  # commands that complete one cut off by an error
    contrast: int  # the contrast command; its parameter follows
    driver: Any  # luma's driver, not connected to a bus yet
    line: RetargetableSerial  # the driver's serial interface

    def pack(self, picture: Image.Image) -> bytes:
        """Return a picture of the panel's size in the layout of the RAM."""

    def address(self, window: Window, sent: Window | None) -> tuple[Codes, ...]:
        """Return the commands that direct picture bytes to a window, given the window sent before."""


class Serial(Protocol):
    """The serial interface that luma's drivers use."""

    def command(self, *codes: int) -> None: ...

    def data(self, data: list[int]) -> None:
        """Send picture bytes; on some controllers also parameters."""

    def cleanup(self) -> None:
        """Close the bus, if this object opened it."""


class NullSerial:
    """A serial interface that discards everything."""

    def command(self, *codes: int) -> None: ...

    def data(self, data: list[int]) -> None: ...

    def cleanup(self) -> None: ...


class RetargetableSerial:
    """A serial interface whose target can be exchanged under luma's driver."""

    def __init__(self) -> None:
        self.serial: Serial = NullSerial()

    def command(self, *codes: int) -> None:
        self.serial.command(*codes)

    def data(self, data: list[int]) -> None:
        self.serial.data(data)

    def cleanup(self) -> None:
        self.serial.cleanup()


class Ssd1306:
    """SSD1306 or SSD1309: windows of pages, one byte for each column and page."""

    contrast = 0x81
    settle: tuple[Codes, ...] = ((_NOTHING, _NOTHING),)

    def __init__(self, chip: Chip, bus: Bus, size: tuple[int, int]) -> None:
        self.size = size
        self.stride = size[0]
        self.line, self.driver, commands = _driver(chip, size)
        self.prepare = tuple(_fast(_lit(codes)) for codes in commands)
        # A window with the same columns or pages as the one before needs three command bytes, any other six.
        fresh = 2 * _TRANSFER[bus] + 4
        self.planner = WindowPlanner(size[1] // 8, self.stride, fresh, _price(self, bus))

    def pack(self, picture: Image.Image) -> bytes:
        """Return a picture as pages of eight rows; the lowest bit is the top row."""
        return pages(picture)

    def address(self, window: Window, sent: Window | None) -> tuple[Codes, ...]:
        """Return the window commands. After a complete window, the pointer is at its start and the settings remain."""
        columns = window.left, window.right - 1
        rows = window.top, window.bottom - 1
        codes: Codes = ()
        if sent is None or columns != (sent.left, sent.right - 1):
            codes += (0x21, *columns)
        if sent is None or rows != (sent.top, sent.bottom - 1):
            codes += (0x22, *rows)
        return (codes,) if codes else ()


class Sh1106:
    """SH1106: pages without windows; 128 of 132 columns are visible."""

    contrast = 0x81
    settle: tuple[Codes, ...] = ((_NOTHING, _NOTHING),)
    _unseen = 2

    def __init__(self, chip: Chip, bus: Bus, size: tuple[int, int]) -> None:
        self.size = size
        self.stride = size[0]
        self.line, self.driver, commands = _driver(chip, size)
        self.prepare = tuple(_lit(codes) for codes in commands)
        self.planner = WindowPlanner(size[1] // 8, self.stride, 2 * _TRANSFER[bus] + 3, _price(self, bus), tall=False)

    def pack(self, picture: Image.Image) -> bytes:
        """Return a picture as pages of eight rows; the lowest bit is the top row."""
        return pages(picture)

    def address(self, window: Window, sent: Window | None) -> tuple[Codes, ...]:
        """Return the page and column commands. The controller keeps the page, but not the column."""
        column = window.left + self._unseen
        page = () if sent is not None and sent.top == window.top else (0xB0 | window.top,)
        return ((*page, column & 0x0F, 0x10 | column >> 4),)


class Ssd1322:
    """SSD1322: four bits a pixel, windows of rows and groups of four columns."""

    contrast = 0xC1
    settle: tuple[Codes, ...] = ()  # its parameters are sent with D/C high, so any new command ends an incomplete one
    _columns = 120

    def __init__(self, chip: Chip, bus: Bus, size: tuple[int, int]) -> None:
        self.size = size
        self.stride = size[0] // 2
        self._first = (self._columns - size[0] // 4) // 2
        self.line, self.driver, commands = _driver(chip, size, mode="1")
        self.prepare = tuple(codes for codes in commands if codes != (0xA4,))  # 0xA4 makes all pixels dark until 0xA6
        self.planner = WindowPlanner(size[1], self.stride, 6 * _TRANSFER[bus] + 7, _price(self, bus), cell=2)

    def pack(self, picture: Image.Image) -> bytes:
        """Return a picture row by row; the left one of two pixels is in the high nibble."""
        grey = picture.convert("L").tobytes()
        high = int.from_bytes(grey[::2]) & int.from_bytes(b"\xf0" * (len(grey) // 2))
        low = int.from_bytes(grey[1::2]) & int.from_bytes(b"\x0f" * (len(grey) // 2))
        return (high | low).to_bytes(len(grey) // 2)

    def address(self, window: Window, sent: Window | None) -> tuple[Codes, ...]:
        columns = self._first + window.left // 2, self._first + window.right // 2 - 1
        return (0x15, *columns), (0x75, window.top, window.bottom - 1), (0x5C,)


_KINDS: dict[Chip, type[Ssd1306 | Sh1106 | Ssd1322]] = {
    "ssd1306": Ssd1306,
    "ssd1309": Ssd1306,
    "sh1106": Sh1106,
    "ssd1322": Ssd1322,
}


def controller(chip: Chip, bus: Bus, size: tuple[int, int]) -> PanelController:
    """Return the controller description for a chip, a bus and a panel size.

    Raises ValueError if luma has no panel of this size with this chip.
    """
    from luma.core.error import DeviceDisplayModeError  # luma is heavy, see above

    try:
        return _KINDS[chip](chip, bus, size)
    except DeviceDisplayModeError as error:
        raise ValueError(f"There is no {chip} of {size[0]}x{size[1]} pixels.") from error


def pages(picture: Image.Image) -> bytes:
    """Return a picture as pages of eight rows, one byte for each column; the lowest bit is the top row."""
    # After a clockwise rotation, each column is a row, read from the bottom up. Its bytes are the pages, last
    # page first, with their bits already in the controller's order.
    turned = _packed(picture.transpose(Image.Transpose.ROTATE_270))
    count = picture.height // 8
    return b"".join(turned[page::count] for page in reversed(range(count)))


def _packed(picture: Image.Image) -> bytes:
    """Return the rows of a 1-bit picture, eight pixels a byte, by Pillow's own encoder.

    `Image.tobytes` does the same, but imports Pillow's readers of files, and with them Python's `logging`: the start
    would wait for them.
    """
    encoder = _imaging.raw_encoder("1", "1")
    encoder.setimage(picture.im, (0, 0, *picture.size))
    _length, _state, rows = encoder.encode(picture.width * picture.height)
    return bytes(rows)


def _driver(chip: Chip, size: tuple[int, int], **more: str) -> tuple[RetargetableSerial, Any, list[Codes]]:
    """Create luma's driver without a bus. Return its serial interface, the driver, and its initialization commands."""
    import luma.oled.device  # luma is heavy, see above

    kind: Any = getattr(luma.oled.device, chip)
    commands: list[Codes] = []

    class Driver(kind):  # type: ignore[misc]  # luma has no types, so its classes are Any
        """luma's driver; it records its initialization commands and changes neither contrast nor power."""

        made = False

        def command(self, *codes: int) -> None:
            if not self.made:
                commands.append(codes)
            super().command(*codes)

        def contrast(self, level: int) -> None:
            """Do nothing; the panel sets the contrast."""

        def show(self) -> None:
            """Do nothing; the panel is lit later."""

        def clear(self) -> None:
            """Do nothing; luma calls this on creation and at exit.

            The panel is painted before it is lit and dark before it is closed, so there is nothing to clear. And luma
            clears with Image.getdata, which Pillow 13 deprecates and Pillow 14 removes.
            """

    line = RetargetableSerial()
    driver = Driver(line, width=size[0], height=size[1], **more)
    driver.made = True
    return line, driver, commands


def _lit(codes: Codes) -> Codes:
    """Return commands without the first one if that turns the panel off."""
    return codes[1:] if codes[0] == _OFF else codes


def _fast(codes: Codes) -> Codes:
    """Return commands with the fastest clock, as luma sets it for the SH1106.

    With a slower one, cameras see dark bands in a QR code.
    """
    if _CLOCK not in codes:
        return codes
    place = codes.index(_CLOCK) + 1
    return (*codes[:place], 0xF0, *codes[place + 1 :])


def _price(kind: Ssd1306 | Sh1106 | Ssd1322, bus: Bus) -> Callable[[Window, Window | None], int]:
    """Return a function that computes the cost of a window on a bus, in bytes."""
    transfer = _TRANSFER[bus]
    parted = isinstance(kind, Ssd1322)  # a command and its parameters are two transfers

    def price(window: Window, sent: Window | None) -> int:
        commands = kind.address(window, sent)
        transfers = 1 + sum(2 if parted and len(codes) > 1 else 1 for codes in commands)
        return transfers * transfer + sum(map(len, commands)) + window.size

    return price
