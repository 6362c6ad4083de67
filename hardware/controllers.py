"""Panel controllers (SSD1306, SH1106, SSD1322): RAM layout, window commands, initialisation by luma.

Here lives what differs between them. Preparing is luma's: its driver is made on a line that leads nowhere, and what
it says on being made is what a controller is told whenever it has to be prepared. luma is heavy (it loads a good
part of Pillow and starts threads), so it is imported when a controller is asked for, never when this module is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Protocol

from PIL import Image

from .frame_diff import Window, WindowPlanner

Chip = Literal["ssd1306", "ssd1309", "sh1106", "ssd1322"]
Bus = Literal["i2c", "spi"]
Codes = tuple[int, ...]
"""A command and its parameters, or several in a row."""

_TRANSFER = {"i2c": 2, "spi": 25}
"""What a transfer costs beside its bytes, in bytes.

On I2C that is the address and the control byte. Commands and picture are messages of their own, as luma sends them:
both datasheets allow them in one message, but there every command byte has a control byte before it, which costs
more from three command bytes on. On SPI it is the two calls to the kernel that set the D/C line and start the
transfer, as long as some 25 bytes at 4 MHz.
"""

_OFF = 0xAE
_NOTHING = 0xE3


class Controller(Protocol):
    """A kind of controller: how pixels are packed, and how a window of them is sent.

    Attributes:
        size: Width and height of the panel, in pixels.
        stride: How many bytes a row of the RAM has.
        planner: Finds what to send.
        prepare: What the controller is told before anything else, but for being dark meanwhile: one that is well
            does not flicker, and one that had no power is dark anyway.
        settle: Ends a command that a fault has cut off.
        contrast: The command of the contrast; its parameter follows.
        driver: luma's driver, on a line that leads nowhere yet.
        line: That line.
    """

    size: tuple[int, int]
    stride: int
    planner: WindowPlanner
    prepare: tuple[Codes, ...]
    settle: tuple[Codes, ...]
    contrast: int
    driver: Any
    line: SwitchableSerial

    def pack(self, picture: Image.Image) -> bytes:
        """Arrange a picture of the panel's size as the RAM holds it."""

    def address(self, window: Window, sent: Window | None) -> tuple[Codes, ...]:
        """Return the commands that make picture bytes go into a window, after another was filled."""


class Serial(Protocol):
    """The serial interface that luma's drivers use."""

    def command(self, *codes: int) -> None:
        """Send command bytes."""

    def data(self, data: list[int]) -> None:
        """Send picture bytes, or parameters of controllers that want them so."""

    def cleanup(self) -> None:
        """Close the bus underneath, if it was opened by this object."""


class NullSerial:
    """A serial interface that discards everything."""

    def command(self, *codes: int) -> None:
        """Send nothing."""

    def data(self, data: list[int]) -> None:
        """Send nothing."""

    def cleanup(self) -> None:
        """Close nothing."""


class SwitchableSerial:
    """A serial interface whose target can be exchanged under luma's driver."""

    def __init__(self) -> None:
        self.serial: Serial = NullSerial()

    def command(self, *codes: int) -> None:
        """Send command bytes."""
        self.serial.command(*codes)

    def data(self, data: list[int]) -> None:
        """Send picture bytes."""
        self.serial.data(data)

    def cleanup(self) -> None:
        """Let go of what is behind it."""
        self.serial.cleanup()


class Ssd1306:
    """SSD1306 or SSD1309: windows of pages, one byte for each column and page."""

    contrast = 0x81
    settle: tuple[Codes, ...] = ((_NOTHING, _NOTHING),)

    def __init__(self, chip: Chip, bus: Bus, size: tuple[int, int]) -> None:
        self.size = size
        self.stride = size[0]
        self.line, self.driver, said = _driver(chip, size)
        self.prepare = tuple(_lit(codes) for codes in said)
        # A window whose columns or pages are those of the one before needs three bytes of command, another six.
        fresh = 2 * _TRANSFER[bus] + 4
        self.planner = WindowPlanner(size[1] // 8, self.stride, fresh, _price(self, bus))

    def pack(self, picture: Image.Image) -> bytes:
        """Arrange a picture as pages of eight rows, lowest bit on top."""
        return pages(picture)

    def address(self, window: Window, sent: Window | None) -> tuple[Codes, ...]:
        """Return the commands: a full window leaves the pointer at its start, and what it set is still set."""
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
        self.line, self.driver, said = _driver(chip, size)
        self.prepare = tuple(_lit(codes) for codes in said)
        self.planner = WindowPlanner(size[1] // 8, self.stride, 2 * _TRANSFER[bus] + 3, _price(self, bus), tall=False)

    def pack(self, picture: Image.Image) -> bytes:
        """Arrange a picture as pages of eight rows, lowest bit on top."""
        return pages(picture)

    def address(self, window: Window, sent: Window | None) -> tuple[Codes, ...]:
        """Return the commands: a page stays set, a column does not."""
        column = window.left + self._unseen
        page = () if sent is not None and sent.top == window.top else (0xB0 | window.top,)
        return ((*page, column & 0x0F, 0x10 | column >> 4),)


class Ssd1322:
    """SSD1322: four bits a pixel, windows of rows and groups of four columns."""

    contrast = 0xC1
    settle: tuple[Codes, ...] = ()  # its parameters come with the D/C line high, so any command ends another
    _columns = 120

    def __init__(self, chip: Chip, bus: Bus, size: tuple[int, int]) -> None:
        self.size = size
        self.stride = size[0] // 2
        self._first = (self._columns - size[0] // 4) // 2
        self.line, self.driver, said = _driver(chip, size, mode="1")
        self.prepare = tuple(codes for codes in said if codes != (0xA4,))  # everything dark, until 0xA6 ends it
        self.planner = WindowPlanner(size[1], self.stride, 6 * _TRANSFER[bus] + 7, _price(self, bus), cell=2)

    def pack(self, picture: Image.Image) -> bytes:
        """Arrange a picture row by row, the left of two pixels in the high nibble."""
        grey = picture.convert("L").tobytes()
        high = int.from_bytes(grey[::2]) & int.from_bytes(b"\xf0" * (len(grey) // 2))
        low = int.from_bytes(grey[1::2]) & int.from_bytes(b"\x0f" * (len(grey) // 2))
        return (high | low).to_bytes(len(grey) // 2)

    def address(self, window: Window, sent: Window | None) -> tuple[Codes, ...]:
        """Return the commands."""
        columns = self._first + window.left // 2, self._first + window.right // 2 - 1
        return (0x15, *columns), (0x75, window.top, window.bottom - 1), (0x5C,)


_KINDS: dict[Chip, type[Ssd1306 | Sh1106 | Ssd1322]] = {
    "ssd1306": Ssd1306,
    "ssd1309": Ssd1306,
    "sh1106": Sh1106,
    "ssd1322": Ssd1322,
}


def controller(chip: Chip, bus: Bus, size: tuple[int, int]) -> Controller:
    """Make what is known of a controller on a bus.

    Raises:
        ValueError: There is no panel of this size with it.
    """
    from luma.core.error import DeviceDisplayModeError  # noqa: PLC0415  # luma is heavy, see above

    try:
        return _KINDS[chip](chip, bus, size)
    except DeviceDisplayModeError as error:
        raise ValueError(f"There is no {chip} of {size[0]}x{size[1]} pixels.") from error


def pages(picture: Image.Image) -> bytes:
    """Arrange a picture in pages of eight rows, a byte a column, lowest bit on top."""
    # Turned clockwise, a column is a row read from the bottom up: its bytes are the pages, last page first,
    # with the bits already in the controller's order.
    turned = picture.transpose(Image.Transpose.ROTATE_270).tobytes()
    count = picture.height // 8
    return b"".join(turned[page::count] for page in reversed(range(count)))


def _driver(chip: Chip, size: tuple[int, int], **more: str) -> tuple[SwitchableSerial, Any, list[Codes]]:
    """Make luma's driver on a line that leads nowhere; return the line, the driver and what the driver said."""
    import luma.oled.device  # noqa: PLC0415  # luma is heavy, see above

    kind: Any = getattr(luma.oled.device, chip)
    said: list[Codes] = []

    class Driver(kind):  # type: ignore[misc]  # luma has no types, so its classes are Any
        """The driver; what it says on being made is remembered, and brightness and light are left to the panel."""

        made = False

        def command(self, *codes: int) -> None:
            if not self.made:
                said.append(codes)
            super().command(*codes)

        def contrast(self, level: int) -> None:
            """Leave it as it is."""

        def show(self) -> None:
            """Leave it dark."""

        def clear(self) -> None:
            """Do nothing, on being made and at exit.

            The panel is painted before it is lit and dark before it is left, so nothing needs blanking; and
            luma blanks with Image.getdata, which Pillow 13 warns of and Pillow 14 has no more.
            """

    line = SwitchableSerial()
    driver = Driver(line, width=size[0], height=size[1], **more)
    driver.made = True
    return line, driver, said


def _lit(codes: Codes) -> Codes:
    """Return commands without the first, if that puts the panel out."""
    return codes[1:] if codes[0] == _OFF else codes


def _price(kind: Ssd1306 | Sh1106 | Ssd1322, bus: Bus) -> Callable[[Window, Window | None], int]:
    """Return what windows cost on a bus, in bytes."""
    transfer = _TRANSFER[bus]
    parted = isinstance(kind, Ssd1322)  # a command and its parameters are two transfers

    def price(window: Window, sent: Window | None) -> int:
        commands = kind.address(window, sent)
        transfers = 1 + sum(2 if parted and len(codes) > 1 else 1 for codes in commands)
        return transfers * transfer + sum(map(len, commands)) + window.size

    return price
