"""Base class of the simulated one-bit controllers: how bytes are received, and how rows appear on the glass.

Each has 64 rows in pages of eight: one byte for each column, with the lowest bit on top. Each is on a module with
the most common wiring: row output 63 is at the top, and even and odd rows are wired to opposite sides.
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
"""The pixels of a page's byte in each of its eight lines: 0 or 255."""


class MisuseError(Exception):
    """Bytes arrived that the datasheet gives no meaning, or whose meaning is not simulated."""


class PageController(ABC):
    """A controller with its power on.

    Args:
        columns: Number of columns of its RAM.
        parameters: Number of parameter bytes for each command that has any.
        seed: Seed of the noise in the RAM after power-on.
    """

    def __init__(self, columns: int, parameters: Mapping[int, int], seed: int) -> None:
        self._columns = columns
        self._parameters = parameters
        self._noise = random.Random(seed)
        self.received = 0  # bytes received, including control bytes
        self.power_cut()

    def power_cut(self) -> None:
        """Switch the power off and on: registers as after reset, noise in the RAM."""
        self.ram = bytearray(self._noise.randbytes(self._columns * PAGES))  # by page and column
        self.reset()

    def reset(self) -> None:
        """Set the registers as after reset; the RAM keeps its content."""
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
        self._pending: list[int] = []  # a command that waits for parameters

    def write(self, message: bytes) -> None:
        """Receive an I2C write without its address, complete or interrupted.

        Raises:
            MisuseError: The drivers should never send this.
        """
        rest = memoryview(message)
        while rest:
            control, rest = rest[0], rest[1:]
            self.received += 1
            if control & 0x3F:
                raise MisuseError(f"0x{control:02X} is no control byte.")
            single = bool(control & 0x80)  # Co: one byte, then another control byte
            self.clock_in(bytes(rest[:1] if single else rest), data=bool(control & 0x40))
            rest = rest[1:] if single else rest[len(rest) :]

    def clock_in(self, payload: bytes, *, data: bool) -> None:
        """Receive bytes over SPI: commands with the D/C line low, pixels with it high.

        Raises:
            MisuseError: The drivers should never send this.
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
        """Return what is visible, as a picture of mode "1"."""
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
        """Return the pixels of a line of the RAM, by column: 0 or 255."""
        if self.all_on:
            return _LIT
        page = line // 8 * self._columns
        looks = _INVERSE if self.inverse else _PLAIN
        return bytes([self.ram[page + column] for column in columns]).translate(looks[line % 8])

    def _row_at(self, com: int) -> int | None:
        """Return the row that an output scans, or None if it scans none."""
        scanned = self.rows - 1 - com if self.rows_mirrored else com
        row = (scanned + self.offset) % HEIGHT
        return row if row < self.rows else None

    def _place_of(self, com: int) -> int:
        """Return the line of the glass that an output is wired to, counted from the bottom."""
        place, side = divmod(com, 2) if self.rows_alternate else (com % 32, com // 32)
        return 2 * place + (side ^ self.sides_swapped)

    def _command(self, byte: int) -> None:
        """Receive a byte of a command; execute it when complete, even if it came in several writes."""
        self._pending.append(byte)
        code, *parameters = self._pending
        if len(parameters) == self._parameters.get(code, 0):
            self._pending = []
            self._carry_out(code, parameters)

    @abstractmethod
    def _powered(self) -> bool:
        """Return whether the glass has the voltage it needs."""

    @abstractmethod
    def _column_at(self, x: int) -> int:
        """Return the RAM column that is visible at this distance from the left."""

    @abstractmethod
    def _data(self, byte: int) -> None:
        """Store a byte of pixels at the pointer, and move the pointer."""

    @abstractmethod
    def _carry_out(self, code: int, parameters: list[int]) -> None:
        """Execute a complete command."""

    def _configure(self, code: int, value: int) -> bool:
        """Execute a command that all these controllers share. Return whether it was one.

        Bits that the datasheets ignore are ignored here.
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
        elif code not in (0xD5, 0xDB, 0xE3):  # clock, deselect level, no operation: nothing visible
            return False
        return True
