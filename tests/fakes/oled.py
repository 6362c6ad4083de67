"""What the simulated one-bit controllers have in common: how bytes reach them, and how rows come to the glass.

Each has 64 rows in pages of eight, a byte a column with the lowest bit on top, and sits on a module built as most
are: seen upright, row output 63 is at the top, and even and odd rows are wired to opposite sides.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping

from PIL import Image

WIDTH, HEIGHT, PAGES = 128, 64, 8

_DARK, _LIT = bytes(WIDTH), bytes([255]) * WIDTH
_PLAIN, _INVERSE = (
    [bytes(255 * (bool(byte >> bit & 1) != inverse) for byte in range(256)) for bit in range(8)]
    for inverse in (False, True)
)
"""What becomes of a byte of a page in each of its eight lines: 0 or 255."""


class MisuseError(Exception):
    """Bytes arrived that the datasheet gives no meaning, or whose meaning is not simulated."""


class PageController(ABC):
    """A controller with its power on.

    Args:
        columns: How many columns its RAM has.
        parameters: How many parameter bytes follow a command; every other command is one byte.
        seed: Decides the noise in the RAM after power has come.
    """

    def __init__(self, columns: int, parameters: Mapping[int, int], seed: int) -> None:
        self._columns = columns
        self._parameters = parameters
        self._noise = random.Random(seed)
        self.received = 0  # bytes that have arrived, control bytes included
        self.power_cut()

    def power_cut(self) -> None:
        """Take the power away and give it back: registers as after reset, noise in the RAM."""
        self.ram = bytearray(self._noise.randbytes(self._columns * PAGES))  # by page and column
        self.reset()

    def reset(self) -> None:
        """Set the registers as after reset; the RAM keeps what it holds."""
        self.lit = False
        self.all_on = False
        self.inverse = False
        self.start_line = 0
        self.offset = 0
        self.rows = HEIGHT
        self.segments_mirrored = False
        self.rows_mirrored = False
        self.rows_alternate = True
        self.sides_swapped = False
        self._pending: list[int] = []  # a command still waiting for parameters

    def write(self, message: bytes) -> None:
        """Take what one write on an I2C bus brings after the address, in whole or up to where it was cut off.

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
            self.clock_in(bytes(rest[:1] if single else rest), data=bool(control & 0x40))
            rest = rest[1:] if single else rest[len(rest) :]

    def clock_in(self, payload: bytes, *, data: bool) -> None:
        """Take bytes as SPI brings them: commands with the D/C line low, picture with it high.

        Raises:
            MisuseError: For what no driver of ours should send.
        """
        for byte in payload:
            self.received += 1
            if not data:
                self._command(byte)
            elif self._pending:
                raise MisuseError(f"A picture came in the middle of command 0x{self._pending[0]:02X}.")
            else:
                self._data(byte)

    def glass(self) -> Image.Image:
        """Return what a person sees, as a picture of mode "1"."""
        lines = [_DARK] * HEIGHT
        if self.lit and self._powered():
            columns = [self._column_at(x) for x in range(WIDTH)]
            for com in range(HEIGHT):
                row = self._row_at(com)
                if row is not None:
                    line = (row + self.start_line) % HEIGHT
                    lines[HEIGHT - 1 - self._place_of(com)] = self._line(line, columns)
        return Image.frombytes("L", (WIDTH, HEIGHT), b"".join(lines)).convert("1")

    def _line(self, line: int, columns: list[int]) -> bytes:
        """Return how bright the dots of a line of the RAM are, by its columns: 0 or 255."""
        if self.all_on:
            return _LIT
        page = line // 8 * self._columns
        looks = _INVERSE if self.inverse else _PLAIN
        return bytes([self.ram[page + column] for column in columns]).translate(looks[line % 8])

    def _row_at(self, com: int) -> int | None:
        """Return which row of the scan an output drives, or None when it drives none."""
        scanned = self.rows - 1 - com if self.rows_mirrored else com
        row = (scanned + self.offset) % HEIGHT
        return row if row < self.rows else None

    def _place_of(self, com: int) -> int:
        """Return which line of the glass an output is wired to, counted from the bottom of the module."""
        place, side = divmod(com, 2) if self.rows_alternate else (com % 32, com // 32)
        return 2 * place + (side ^ self.sides_swapped)

    def _command(self, byte: int) -> None:
        """Take a byte of a command; carry the command out when it is whole, even if over several writes."""
        self._pending.append(byte)
        code, *parameters = self._pending
        if len(parameters) == self._parameters.get(code, 0):
            self._pending = []
            self._carry_out(code, parameters)

    @abstractmethod
    def _powered(self) -> bool:
        """Tell whether the glass has the voltage it needs."""

    @abstractmethod
    def _column_at(self, x: int) -> int:
        """Return which column of the RAM is seen so far from the left."""

    @abstractmethod
    def _data(self, byte: int) -> None:
        """Put a byte of picture where the pointer is, and move the pointer."""

    @abstractmethod
    def _carry_out(self, code: int, parameters: list[int]) -> None:
        """Carry out a command that is whole."""

    def _configure(self, code: int, value: int) -> bool:
        """Carry out a command that these controllers share, and tell whether it was one.

        Bits the datasheets do not care for are not looked at.
        """
        if 0x40 <= code <= 0x7F:
            self.start_line = code & 0x3F
        elif code in (0xA0, 0xA1):
            self.segments_mirrored = code == 0xA1
        elif code in (0xA4, 0xA5):
            self.all_on = code == 0xA5
        elif code in (0xA6, 0xA7):
            self.inverse = code == 0xA7
        elif code == 0xA8:
            if value & 0x3F < 15:
                raise MisuseError(f"A multiplex ratio of {(value & 0x3F) + 1} is none.")
            self.rows = (value & 0x3F) + 1
        elif code in (0xAE, 0xAF):
            self.lit = code == 0xAF
        elif code in (0xC0, 0xC8):
            self.rows_mirrored = code == 0xC8
        elif code == 0xD3:
            self.offset = value & 0x3F
        elif code == 0xD9:
            if not value & 0x0F or not value & 0xF0:
                raise MisuseError("A pre-charge phase has at least one clock.")
        elif code == 0xDA:
            self.rows_alternate = bool(value & 0x10)
            self.sides_swapped = bool(value & 0x20)
        elif code not in (0xD5, 0xDB, 0xE3):  # clock, deselect level, no operation: nothing that can be seen
            return False
        return True
