"""A simulated SSD1322 on a 256x64 module with sixteen greys, behind SPI.

It follows the datasheet (rev. 1.2) for the commands that luma's driver and ours send. Parameters come with the D/C
line high, so a low line always begins a command. Only luma's orientation of the picture is simulated.
"""

from __future__ import annotations

import random

from PIL import Image

from .oled import MisuseError

WIDTH, HEIGHT = 256, 64
COLUMNS, ROWS = 120, 128  # a column is four pixels in two bytes
FIRST_COLUMN = 28
"""The RAM column that is visible at the left."""

_PARAMETERS = {
    0x15: 2,  # columns
    0x75: 2,  # rows
    0xA0: 2,  # remap
    0xA1: 1,  # start line
    0xA2: 1,  # offset
    0xAB: 1,  # regulator
    0xB1: 1,  # phase lengths
    0xB3: 1,  # clock
    0xB4: 2,  # enhancement A
    0xB5: 1,  # GPIO
    0xB6: 1,  # second pre-charge
    0xBB: 1,  # pre-charge voltage
    0xBE: 1,  # deselect level
    0xC1: 1,  # contrast current
    0xC7: 1,  # master contrast
    0xCA: 1,  # multiplex ratio
    0xD1: 2,  # enhancement B
    0xFD: 1,  # lock
}
_SINGLE = {0x5C, 0xA4, 0xA5, 0xA6, 0xA7, 0xA9, 0xAE, 0xAF, 0xB9}
_UPRIGHT = [0x14, 0x11]  # horizontal increment; nibbles and row outputs mirrored; row outputs on two sides
_STRIDE = 2 * COLUMNS
_PLAIN, _INVERSE = (
    [bytes(255 * (bool(byte & nibble) != inverse) for byte in range(256)) for nibble in (0xF0, 0x0F)]
    for inverse in (False, True)
)
"""The pixels of a byte's left and right dot: 0 or 255."""


class Ssd1322:
    """The controller and its glass.

    Args:
        seed: Seed of the noise in the RAM after power-on.
    """

    def __init__(self, seed: int = 0) -> None:
        self._noise = random.Random(seed)
        self.received = 0  # bytes received
        self.power_cut()

    def power_cut(self) -> None:
        """Switch the power off and on: registers as after reset, noise in the RAM."""
        self.ram = bytearray(self._noise.randbytes(_STRIDE * ROWS))
        self.reset()

    def reset(self) -> None:
        """Set the registers as after reset; the RAM keeps its content."""
        self.lit = False
        self.look = 0xA6
        self.contrast = 0x7F
        self.remap = [0x00, 0x01]
        self.rows = ROWS
        self._columns = (0, COLUMNS - 1)
        self._lines = (0, ROWS - 1)
        self._place = (0, 0)  # row, and byte in the row
        self._code: int | None = None
        self._missing = 0
        self._given: list[int] = []

    def clock_in(self, payload: bytes, *, data: bool) -> None:
        """Receive bytes over SPI: commands with the D/C line low, parameters and pixels with it high.

        Raises:
            MisuseError: The drivers should never send this.
        """
        for byte in payload:
            self.received += 1
            if not data:
                self._begin(byte)
            elif self._missing:
                self._given.append(byte)
                self._missing -= 1
                if not self._missing:
                    self._carry_out()
            elif self._code == 0x5C:
                self._data(byte)
            else:
                raise MisuseError("A picture came without the command to write.")

    def glass(self) -> Image.Image:
        """Return what is visible, as a picture of mode "1"; every dot that is not black is lit."""
        seen = Image.new("1", (WIDTH, HEIGHT), int(self.lit and self.look == 0xA5))
        if not self.lit or self.look in (0xA4, 0xA5):
            return seen
        if self.remap != _UPRIGHT or self.rows != HEIGHT:
            raise MisuseError("Only upright pictures of 64 rows are simulated.")
        starts = range(2 * FIRST_COLUMN, 2 * FIRST_COLUMN + HEIGHT * _STRIDE, _STRIDE)
        middle = b"".join(self.ram[start : start + WIDTH // 2] for start in starts)
        dots = bytearray(WIDTH * HEIGHT)
        dots[0::2], dots[1::2] = (middle.translate(nibble) for nibble in (_INVERSE if self.look == 0xA7 else _PLAIN))
        return Image.frombytes("L", (WIDTH, HEIGHT), bytes(dots)).convert("1")

    def _begin(self, code: int) -> None:
        """Receive the first byte of a command; an incomplete command before it is dropped."""
        if code not in _PARAMETERS and code not in _SINGLE:
            raise MisuseError(f"Command 0x{code:02X} is not simulated.")
        self._code, self._missing, self._given = code, _PARAMETERS.get(code, 0), []
        if code in (0xA4, 0xA5, 0xA6, 0xA7):
            self.look = code
        elif code in (0xAE, 0xAF):
            self.lit = code == 0xAF
        elif code == 0x5C:
            self._place = (self._lines[0], 2 * self._columns[0])

    def _carry_out(self) -> None:
        """Execute a command whose parameters are complete."""
        match self._code, self._given:
            case 0x15, [first, last]:
                self._columns = _window(first, last, COLUMNS)
            case 0x75, [first, last]:
                self._lines = _window(first, last, ROWS)
            case 0xA0, remap:
                self.remap = remap
            case 0xC1, [level]:
                self.contrast = level
            case 0xCA, [ratio]:
                self.rows = (ratio & 0x7F) + 1
            case 0xFD, [lock] if lock != 0x12:
                raise MisuseError("Locking is not simulated.")
            case ((0xA1 | 0xA2), [line]) if line:
                raise MisuseError("Moved pictures are not simulated.")

    def _data(self, byte: int) -> None:
        """Store a byte of pixels at the pointer, and move the pointer along its window."""
        row, place = self._place
        self.ram[row * _STRIDE + place] = byte
        place += 1
        if place > 2 * self._columns[1] + 1:
            place = 2 * self._columns[0]
            row = self._lines[0] if row == self._lines[1] else row + 1
        self._place = (row, place)


def _window(first: int, last: int, size: int) -> tuple[int, int]:
    if not first <= last < size:
        raise MisuseError(f"A window from {first} to {last} of {size} is none.")
    return first, last
