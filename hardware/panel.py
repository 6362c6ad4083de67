"""The OLED panel: how its controller is addressed, and a panel that sends only the bytes that changed.

SSD1306, SSD1309 and SH1106 are addressed alike, page by page; the SSD1322 has four bits a pixel, and is sent the same
pages as windows of eight rows.
"""

from __future__ import annotations

import atexit
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, _imaging

from companion.app.ports import DeviceError

from .panel_bus import Chip, PanelSpec, Serial, failures, open_i2c, open_spi

SIZE = (128, 64)  # width and height of the application's pictures, on every panel

_DISPLAY_OFF, _DISPLAY_ON = 0xAE, 0xAF
_PAGES = 8  # of eight rows each, in every panel's height

_GAP = {"i2c": 6, "spi": 30}
"""The longest run of unchanged bytes that is sent along, because that is not slower than another address.

An address takes two messages. On I2C they cost six bytes more: two addresses of the device, two control bytes, and the
column. On SPI they cost four kernel calls, which take as long as some 50 bytes; 30 is best on pictures of whole games.
"""


class Controller(Struct, frozen=True):
    """How a kind of controller is prepared and addressed."""

    # The commands that prepare it, a message each. The one that turns the panel off is not among them: so a working
    # panel does not flicker, and one that lost power is off anyway.
    start: tuple[bytes, ...]
    contrast: int = 0x81  # the command for the contrast; the level follows
    width: int = 128  # in pixels
    first: int = 0  # the column of its RAM at the left edge; if it is grey, the group of four columns
    grey: bool = False  # whether a pixel has four bits, and parameters of commands are sent as data


def _messages(codes: str) -> tuple[bytes, ...]:
    """Return messages of hexadecimal codes, with commas between the messages."""
    return tuple(map(bytes.fromhex, codes.split(",")))


# SSD1306 and SH1106 begin with two commands that do nothing: after an incomplete command, the controller takes up to
# two bytes as missing parameters. D5 F0 is the fastest clock: with a slower one, cameras see dark bands in a QR code.
# 20 02 is the addressing by pages. An SH1106 knows no other, and takes it for a column; so where the wrong one of the
# two is set, the picture is only moved by two pixels.
_SSD1306 = Controller(
    _messages(
        "E3 E3"
        "20 00 21 00 7F 22 00 07"  # the whole RAM, if the program before left a window of it
        "D5 F0 A8 3F D3 00 40 8D 14 20 02 A1 C8 DA 12 D9 F1 DB 40 A4 A6"
    )
)
_SH1106 = Controller(
    _messages("E3 E3 20 02 B0 C8 00 10 40 A1 A6 A8 3F A4 D3 00 D5 F0 D9 22 DA 12 DB 20 8D 14"),
    first=2,  # 128 of 132 columns are visible
)
_SSD1322 = Controller(
    _messages(
        "FD 12, B3 F2, CA 3F, A2 00, A1 00, A0 14 11, B5 00, AB 01, B4 A0 FD, C7 0F, B9, B1 F0"
        ", D1 82 20, BB 0D, B6 08, BE 00, A6, A9"
    ),
    contrast=0xC1,
    width=256,
    first=28,
    grey=True,
)
CONTROLLERS: dict[Chip, Controller] = {
    "ssd1306": _SSD1306,
    "ssd1309": _SSD1306,
    "sh1106": _SH1106,
    "ssd1322": _SSD1322,
}
"""The controllers by name. A test compares their commands with those of luma's drivers."""


class LumaPanel:
    """Shows pictures of 128x64 over one of luma's serial interfaces, and sends only changes.

    Creating one touches no device: the first `show` opens the bus, and the next call after an error opens it again. A
    panel that is still open at the end of the program is closed.
    """

    def __init__(self, spec: PanelSpec, connect: Callable[[], Serial]) -> None:
        self.size = SIZE
        self._spec = spec
        self._chip = CONTROLLERS[spec.chip]
        self._connect = connect
        self._failures = failures()
        self._bus: Serial | None = None
        self._level = 255
        self._wanted: bytes | None = None  # content that the RAM should have; None before the first picture
        self._held: bytes | None = None  # content that it has; None: unknown, and possibly not initialized
        self._page: int | None = None  # the page that was addressed last; None: unknown
        atexit.register(self.close)

    def show(self, picture: Image.Image) -> None:
        """Show a picture.

        Raises:
            DeviceError: The panel does not take it. The next call starts from scratch.
            ValueError: The picture has another mode or size.
        """
        if picture.mode != "1" or picture.size != SIZE:
            raise ValueError(f"The panel takes {SIZE} in mode 1, not {picture.size} in {picture.mode}.")
        before, self._wanted = self._held, pages(self._fitted(picture))
        if before is None:
            self._prepare()
        elif before != self._wanted:
            with self._sending():
                for page, left, right in self._changed(before, self._wanted):
                    self._paint(page, left, right)

    def shine(self, level: int) -> None:
        """Set the brightness: 0 (off, but the picture is kept) to 255.

        Raises:
            DeviceError: The panel does not take it. The next picture sets the brightness again.
            ValueError: The level is not from 0 to 255.
        """
        if not 0 <= level <= 255:
            raise ValueError(f"A panel shines from 0 to 255, not {level}.")
        before, self._level = self._level, level
        if self._wanted is None or (level == before and self._held is not None):
            return
        if self._held is None or not before:
            self._prepare()  # it may have lost power unnoticed while it was off
            return
        with self._sending():
            if level:
                self._dim()
            else:
                self._command(_DISPLAY_OFF)

    def exchange(self, chip: Chip) -> None:
        """Drive the panel as another controller; nothing is sent until the next picture."""
        self._disconnect()
        self._spec, self._chip = replace(self._spec, chip=chip), CONTROLLERS[chip]
        self._wanted = None

    def refresh(self) -> None:
        """Initialize the controller again and send the whole picture; a working panel does not flicker.

        Raises DeviceError if the panel does not take it; the next call starts from scratch.
        """
        if self._wanted is not None:
            self._prepare()

    def close(self) -> None:
        """Switch the panel off and release the bus; a later `show` opens it again."""
        with suppress(*self._failures):
            self._command(_DISPLAY_OFF)
        self._disconnect()
        self._wanted = None

    def _prepare(self) -> None:
        """Set every register and paint everything before the panel is lit, because its RAM may contain noise."""
        if self._held is None:
            self._disconnect()
            try:
                self._bus = self._connect()
            except self._failures as error:
                raise DeviceError("The panel's bus cannot be opened.") from error
        with self._sending():
            for codes in self._chip.start:
                self._command(*codes)
            self._page = None
            self._dim()
            for page in range(_PAGES):
                self._paint(page, 0, self._chip.width)
            self._command(_DISPLAY_ON if self._level else _DISPLAY_OFF)

    @contextmanager
    def _sending(self) -> Iterator[None]:
        """Consider the panel's content unknown until everything sent in this block has arrived.

        Raises DeviceError if it did not arrive.
        """
        self._held = None
        try:
            yield
        except self._failures as error:
            self._disconnect()
            raise DeviceError("The panel does not answer.") from error
        self._held = self._wanted

    def _changed(self, old: bytes, new: bytes) -> Iterator[tuple[int, int, int]]:
        """Yield the runs of columns that changed in each page, with short gaps: page, first column, and end."""
        width, step = self._chip.width, 4 if self._chip.grey else 1
        runs = re.compile(rb"[^\0]+(?:\0{1,%d}[^\0]+)*" % _GAP[self._spec.bus])
        changed = (int.from_bytes(old) ^ int.from_bytes(new)).to_bytes(len(new))
        for page in range(_PAGES):
            begin = page * width
            for run in runs.finditer(changed, begin, begin + width):
                yield page, (run.start() - begin) // step * step, -(-(run.end() - begin) // step) * step

    def _paint(self, page: int, left: int, right: int) -> None:
        """Send a run of columns of a page."""
        assert self._wanted is not None  # guaranteed by the callers
        assert self._bus is not None
        begin, first = page * self._chip.width, self._chip.first
        run = self._wanted[begin + left : begin + right]
        if self._chip.grey:
            self._command(0x15, first + left // 4, first + right // 4 - 1)
            self._command(0x75, page * 8, page * 8 + 7)
            self._command(0x5C)
            run = _grey(run)
        else:
            column = (left + first) & 0x0F, 0x10 | (left + first) >> 4
            self._command(*column if page == self._page else (0xB0 | page, *column))  # it keeps the page
            self._page = page
        self._bus.data(list(run))

    def _dim(self) -> None:
        """Set the contrast; every level is readable in the dark."""
        self._command(self._chip.contrast, max(self._level * self._spec.contrast // 255, 1))

    def _command(self, code: int, *more: int) -> None:
        if self._bus is None:
            return
        if self._chip.grey:
            self._bus.command(code)
            if more:
                self._bus.data(list(more))
        else:
            self._bus.command(code, *more)

    def _fitted(self, picture: Image.Image) -> Image.Image:
        """Rotate a picture, and put it into the middle of a wider panel."""
        if self._spec.rotation == 180:
            picture = picture.transpose(Image.Transpose.ROTATE_180)
        if self._chip.width == picture.width:
            return picture
        fitted = Image.new("1", (self._chip.width, picture.height))
        fitted.paste(picture, ((fitted.width - picture.width) // 2, 0))
        return fitted

    def _disconnect(self) -> None:
        bus, self._bus, self._held = self._bus, None, None
        if bus is not None:
            with suppress(*self._failures):
                bus.cleanup()


def open_panel(spec: PanelSpec | None = None, dc: int | None = None, reset: int | None = None) -> LumaPanel:
    """Make a panel; without a spec an SSD1306 at the usual address.

    A panel on SPI needs the line for data/command, and that for reset if it is wired. Only the first `show` finds out
    whether bus, lines and panel are present. Raises ValueError if there is no such panel.
    """
    spec = spec or PanelSpec()
    if spec.bus == "i2c":
        if CONTROLLERS[spec.chip].grey:
            raise ValueError(f"An {spec.chip} is not spoken to over I2C.")
        return LumaPanel(spec, partial(open_i2c, spec.bus_number, spec.address))
    if dc is None:
        raise ValueError("A panel on SPI needs a line for data/command.")
    return LumaPanel(spec, partial(open_spi, spec.bus_number, spec.device, dc, reset))


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


def _grey(run: bytes) -> bytes:
    """Return columns of a page row by row, with four bits a pixel; the left one of two pixels is in the high nibble."""
    pairs = list(zip(run[::2], run[1::2], strict=True))
    return bytes((left >> row & 1) * 0xF0 | (right >> row & 1) * 0x0F for row in range(8) for left, right in pairs)
