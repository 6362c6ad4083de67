"""The panel: a 128x64 one-bit OLED, behind luma's ssd1306 driver on an I2C bus.

Here live only the adapter and its factory. luma is heavy (it loads a good part of Pillow and starts threads),
so it is imported when a panel is made, never when this module is.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from PIL import Image

from companion.app.ports import DeviceFault

_COLUMN_WINDOW = 0x21
_PAGE_WINDOW = 0x22
_DISPLAY_OFF = 0xAE


class Serial(Protocol):
    """What luma's drivers speak through: one of luma.core.interface.serial, or anything like it."""

    def command(self, *codes: int) -> None:
        """Send command bytes."""

    def data(self, data: bytes) -> None:
        """Send picture bytes."""

    def cleanup(self) -> None:
        """Close the bus underneath, if it was opened by this object."""


class _Nowhere:
    """A serial interface with nothing behind it; it remembers the commands."""

    def __init__(self) -> None:
        self.commands: list[tuple[int, ...]] = []

    def command(self, *codes: int) -> None:
        self.commands.append(codes)

    def data(self, data: bytes) -> None:
        pass

    def cleanup(self) -> None:
        pass


class _Line:
    """The serial interface luma's driver holds; what is behind it can be exchanged."""

    def __init__(self, serial: Serial) -> None:
        self.serial = serial

    def command(self, *codes: int) -> None:
        self.serial.command(*codes)

    def data(self, data: bytes) -> None:
        self.serial.data(data)

    def cleanup(self) -> None:
        self.serial.cleanup()


class LumaPanel:
    """Shows pictures on an SSD1306, sending nothing when nothing has changed.

    Making one touches no device: the bus is opened by the first `show`, and anew after every fault.

    Args:
        connect: Opens the way to the panel; called again after every fault.
    """

    def __init__(self, connect: Callable[[], Serial]) -> None:
        from luma.core.error import Error  # noqa: PLC0415  # luma is heavy, see above

        self._connect = connect
        self._losses = (OSError, Error)
        # luma registers an exit hook for every driver made, for good, and a driver initialises its controller
        # only when made. So there is one driver; what it sends on being made goes nowhere, is remembered, and
        # is sent each time the controller has to be initialised.
        self._nowhere = _Nowhere()
        self._line = _Line(self._nowhere)
        self._driver = _driver(self._line)
        *self._prepare, self._light = self._nowhere.commands
        self.size: tuple[int, int] = (self._driver.width, self._driver.height)
        self._shown: bytes | None = None  # None: not known, and the controller may not be initialised

    def show(self, picture: Image.Image) -> None:
        """Make the panel show the picture.

        Args:
            picture: Mode "1", exactly as large as the panel.

        Raises:
            DeviceFault: The panel does not take it; the next call starts from nothing.
            ValueError: The picture has another mode or size.
        """
        if picture.mode != "1" or picture.size != self.size:
            raise ValueError(f"The panel takes {self.size} in mode 1, not {picture.size} in {picture.mode}.")
        pages = pack(picture)
        if pages == self._shown:
            return
        started = self._shown is not None
        self._shown = None  # until all of it has arrived
        try:
            if started:
                self._paint(pages)
            else:
                self._start(pages)
        except self._losses as error:
            self._disconnect()
            raise DeviceFault("The panel does not answer.") from error
        self._shown = pages

    def close(self) -> None:
        """Put the panel out and let go of the bus; a later `show` opens it again."""
        self._shown = None
        with suppress(*self._losses):
            self._driver.hide()
        self._disconnect()

    def _start(self, pages: bytes) -> None:
        """Initialise the controller and paint before it is lit, for its RAM holds noise."""
        self._disconnect()
        try:
            self._line.serial = self._connect()
        except self._losses as error:
            raise DeviceFault("The panel's bus cannot be opened.") from error
        # If a fault cut off the last command, the controller takes the next bytes, two at the most, for its
        # missing parameters. This one does no harm as a parameter, nor as a command.
        self._driver.command(_DISPLAY_OFF, _DISPLAY_OFF)
        for codes in self._prepare:
            self._driver.command(*codes)
        self._paint(pages)
        self._driver.command(*self._light)

    def _paint(self, pages: bytes) -> None:
        """Send the whole picture."""
        width, height = self.size
        self._driver.command(_COLUMN_WINDOW, 0, width - 1, _PAGE_WINDOW, 0, height // 8 - 1)
        self._driver.data(pages)

    def _disconnect(self) -> None:
        """Let go of the bus."""
        with suppress(*self._losses):
            self._line.cleanup()
        self._line.serial = self._nowhere


def open_panel(bus: int = 1, address: int = 0x3C) -> LumaPanel:
    """Make the panel at an address of one of the machine's I2C buses.

    Whether bus and panel are there is found out by the first `show`.

    Args:
        bus: The n of /dev/i2c-n.
        address: Seven bits; 0x3C or 0x3D for an SSD1306.
    """
    from luma.core.interface.serial import i2c  # noqa: PLC0415  # luma is heavy, see above

    return LumaPanel(lambda: i2c(port=bus, address=address))


def pack(picture: Image.Image) -> bytes:
    """Arrange a picture as the controller's RAM: pages of eight rows, a byte a column, lowest bit on top."""
    # Turned clockwise, a column is a row read from the bottom up: its bytes are the pages, last page first,
    # with the bits already in the controller's order.
    turned = picture.transpose(Image.Transpose.ROTATE_270).tobytes()
    pages = picture.height // 8
    return b"".join(turned[page::pages] for page in reversed(range(pages)))


def _driver(line: _Line) -> Any:
    """Make luma's driver for a 128x64 SSD1306 on a line."""
    from luma.oled.device import ssd1306  # noqa: PLC0415  # luma is heavy, see above

    class Driver(ssd1306):  # type: ignore[misc]  # luma has no types, so its classes are Any
        def clear(self) -> None:
            """Do nothing, on being made and at exit.

            The panel is painted before it is lit and dark before it is left, so nothing needs blanking; and
            luma blanks with Image.getdata, which Pillow 13 warns of and Pillow 14 has no more.
            """

    return Driver(line)
