"""A simulated SSD1306 on a 128x64 module, down to the bytes of the I2C bus.

Here lives what the controller's datasheet (rev. 1.1) says of the commands that luma's driver and ours send:
bytes in, light out. A byte that no driver of ours should send is an error, not a guess.
"""

from __future__ import annotations

import random
from enum import Enum

from PIL import Image

WIDTH, HEIGHT, PAGES = 128, 64, 8

# How many parameter bytes follow; every other command is one byte.
_PARAMETERS = {
    0x20: 1,  # memory addressing mode
    0x21: 2,  # column window
    0x22: 2,  # page window
    0x81: 1,  # contrast
    0x8D: 1,  # charge pump
    0xA8: 1,  # multiplex ratio
    0xD3: 1,  # display offset
    0xD5: 1,  # clock
    0xD9: 1,  # pre-charge
    0xDA: 1,  # wiring of the rows
    0xDB: 1,  # deselect level
}


class MisuseError(Exception):
    """Bytes arrived that the datasheet gives no meaning, or whose meaning is not simulated."""


class Addressing(Enum):
    """Where the pointer goes after a byte of picture; the values are the command's."""

    HORIZONTAL = 0
    VERTICAL = 1
    PAGE = 2


class Ssd1306:
    """The controller and its glass.

    The module is built as most are: seen upright, segment 127 is at the left, row output 63 at the top, and
    even and odd rows are wired to opposite sides. It has 3.3 V alone: without the charge pump it is dark.

    Args:
        seed: Decides the noise in the RAM after power has come.
    """

    def __init__(self, seed: int = 0) -> None:
        self._noise = random.Random(seed)
        self.received = 0  # bytes that have arrived, control bytes included
        self.power_cut()

    def power_cut(self) -> None:
        """Take the power away and give it back: registers as after reset, noise in the RAM."""
        self.ram = bytearray(self._noise.randbytes(WIDTH * PAGES))  # by page and segment
        self.lit = False
        self.pump = False
        self.all_on = False
        self.inverse = False
        self.contrast = 0x7F
        self.mode = Addressing.PAGE
        self.columns = (0, WIDTH - 1)
        self.pages = (0, PAGES - 1)
        self.column = 0
        self.page = 0
        self.first_column = 0  # page mode only
        self.start_line = 0
        self.offset = 0
        self.rows = HEIGHT
        self.segments_mirrored = False
        self.rows_mirrored = False
        self.rows_alternate = True
        self.sides_swapped = False
        self._pending: list[int] = []  # a command still waiting for parameters

    def write(self, message: bytes) -> None:
        """Take what one write on the bus brings after the address, in whole or up to where it was cut off.

        Raises:
            MisuseError: For what no driver of ours should send.
        """
        rest = memoryview(message)
        while rest:
            control, rest = rest[0], rest[1:]
            self.received += 1
            if control & 0x3F:
                raise MisuseError(f"0x{control:02X} is no control byte.")
            single = bool(control & 0x80)  # Co: one byte, and then another control byte
            take = self._data if control & 0x40 else self._command
            for byte in rest[:1] if single else rest:
                self.received += 1
                take(byte)
            rest = rest[1:] if single else rest[len(rest) :]

    def glass(self) -> Image.Image:
        """Return what a person sees, as a picture of mode "1"."""
        seen = Image.new("1", (WIDTH, HEIGHT))
        if not (self.lit and self.pump):
            return seen
        for com in range(HEIGHT):
            row = self._row_at(com)
            if row is None:
                continue
            line = (row + self.start_line) % HEIGHT
            y = HEIGHT - 1 - self._place_of(com)
            for segment in range(WIDTH):
                dot = bool(self.ram[line // 8 * WIDTH + segment] >> line % 8 & 1)
                if self.all_on or dot != self.inverse:
                    seen.putpixel((WIDTH - 1 - segment, y), 1)
        return seen

    def _row_at(self, com: int) -> int | None:
        """Return which row of the scan an output drives, or None when it drives none."""
        scanned = self.rows - 1 - com if self.rows_mirrored else com
        row = (scanned + self.offset) % HEIGHT
        return row if row < self.rows else None

    def _place_of(self, com: int) -> int:
        """Return which line of the glass an output is wired to, counted from the bottom of the module."""
        place, side = divmod(com, 2) if self.rows_alternate else (com % 32, com // 32)
        return 2 * place + (side ^ self.sides_swapped)

    def _data(self, byte: int) -> None:
        """Put a byte of picture where the pointer is, and move the pointer."""
        if self._pending:
            raise MisuseError(f"A picture came in the middle of command 0x{self._pending[0]:02X}.")
        # The mirroring of segments takes place on the way into the RAM: what is there already stays.
        segment = WIDTH - 1 - self.column if self.segments_mirrored else self.column
        self.ram[self.page * WIDTH + segment] = byte
        if self.mode is Addressing.PAGE:
            self.column, _ = _next(self.column, (self.first_column, WIDTH - 1))
        elif self.mode is Addressing.HORIZONTAL:
            self.column, wrapped = _next(self.column, self.columns)
            if wrapped:
                self.page, _ = _next(self.page, self.pages)
        else:
            self.page, wrapped = _next(self.page, self.pages)
            if wrapped:
                self.column, _ = _next(self.column, self.columns)

    def _command(self, byte: int) -> None:
        """Take a byte of a command; carry the command out when it is whole, even if over several writes."""
        self._pending.append(byte)
        code, *parameters = self._pending
        if len(parameters) < _PARAMETERS.get(code, 0):
            return
        self._pending = []
        if not parameters:
            self._simple(code)
        elif code in (0x20, 0x21, 0x22):
            self._address(code, parameters)
        else:
            self._configure(code, parameters[0])

    def _simple(self, code: int) -> None:
        """Carry out a command of one byte."""
        if code <= 0x1F or 0xB0 <= code <= 0xB7:
            if self.mode is not Addressing.PAGE:
                raise MisuseError(f"0x{code:02X} is for page addressing only.")
            if code <= 0x0F:
                self.column = self.first_column = self.first_column & 0x70 | code
            elif code <= 0x1F:
                self.column = self.first_column = (code & 0x07) << 4 | self.first_column & 0x0F
            else:
                self.page = code & 0x07
        elif 0x40 <= code <= 0x7F:
            self.start_line = code & 0x3F
        elif code in (0xA0, 0xA1):
            self.segments_mirrored = code == 0xA1
        elif code in (0xA4, 0xA5):
            self.all_on = code == 0xA5
        elif code in (0xA6, 0xA7):
            self.inverse = code == 0xA7
        elif code in (0xAE, 0xAF):
            self.lit = code == 0xAF
        elif code in (0xC0, 0xC8):
            self.rows_mirrored = code == 0xC8
        elif code != 0xE3:  # no operation
            raise MisuseError(f"Command 0x{code:02X} is not simulated.")

    def _address(self, code: int, parameters: list[int]) -> None:
        """Carry out a command on how picture bytes are addressed."""
        if code == 0x20:
            if parameters[0] & 0x03 == 3:
                raise MisuseError("There is no fourth addressing mode.")
            self.mode = Addressing(parameters[0] & 0x03)
            return
        if self.mode is Addressing.PAGE:
            raise MisuseError(f"0x{code:02X} is not for page addressing.")
        first, last = (value & (0x7F if code == 0x21 else 0x07) for value in parameters)
        if first > last:
            raise MisuseError(f"A window from {first} to {last} is none.")
        if code == 0x21:
            self.columns, self.column = (first, last), first
        else:
            self.pages, self.page = (first, last), first

    def _configure(self, code: int, value: int) -> None:
        """Carry out any other command; bits the datasheet does not care for are not looked at."""
        if code == 0x81:
            self.contrast = value
        elif code == 0x8D:
            self.pump = bool(value & 0x04)
        elif code == 0xA8:
            if value & 0x3F < 15:
                raise MisuseError(f"A multiplex ratio of {(value & 0x3F) + 1} is none.")
            self.rows = (value & 0x3F) + 1
        elif code == 0xD3:
            self.offset = value & 0x3F
        elif code == 0xD9:
            if not value & 0x0F or not value & 0xF0:
                raise MisuseError("A pre-charge phase has at least one clock.")
        elif code == 0xDA:
            self.rows_alternate = bool(value & 0x10)
            self.sides_swapped = bool(value & 0x20)
        # Clock (0xD5) and deselect level (0xDB) change nothing that can be seen here.


def _next(address: int, window: tuple[int, int]) -> tuple[int, bool]:
    """Return the address after one in a window, and whether that is back at the window's start."""
    first, last = window
    if not first <= address <= last:  # possible after a change of mode
        raise MisuseError(f"The pointer is at {address}, outside its window from {first} to {last}.")
    return (first, True) if address == last else (address + 1, False)
