"""A simulated SSD1306 (or SSD1309) on a 128x64 module, down to the bytes of the bus.

It follows the datasheet (rev. 1.1) for the commands that luma's driver and ours send. A byte that the drivers should
never send raises an error, unless it is tolerant. Vertical addressing is not simulated.
"""

from __future__ import annotations

from typing import Literal

from .oled import PAGES, WIDTH, MisuseError, PageController

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


_HORIZONTAL, _PAGE = 0, 2


class Ssd1306(PageController):
    """The controller and its glass.

    Upright, segment 127 is at the left. The module has 3.3 V only, so without the charge pump it is dark.

    Args:
        seed: Seed of the noise in the RAM after power-on.
        tolerant: Whether it takes the bytes of another controller's driver as real ones do. The commands of page
            addressing are "ignored" while addressing is horizontal, as the datasheet says, or "obeyed", as by many
            modules. A picture that is too long goes on at the left. Empty: such bytes raise an error.
    """

    def __init__(self, seed: int = 0, tolerant: Literal["", "ignored", "obeyed"] = "") -> None:
        self._tolerant = tolerant
        super().__init__(WIDTH, _PARAMETERS, seed)

    def reset(self) -> None:
        """Set the registers as after reset; the RAM keeps its content."""
        super().reset()
        self.pump = False
        self.contrast = 0x7F
        self.mode = _PAGE
        self.columns = (0, WIDTH - 1)
        self.pages = (0, PAGES - 1)
        self.column = 0
        self.page = 0

    def _powered(self) -> bool:
        return self.pump

    def _column_at(self, x: int) -> int:
        """Return the segment that is visible at this distance from the left."""
        return WIDTH - 1 - x

    def _data(self, byte: int) -> None:
        """Store a byte of pixels at the pointer, and move the pointer: along its page, or through its window."""
        if self.mode not in (_HORIZONTAL, _PAGE):
            raise MisuseError(f"A picture came in addressing mode {self.mode}, which is not simulated.")
        if self.column == WIDTH and not self._tolerant:
            raise MisuseError(f"A picture came for column {self.column}; there are {WIDTH}.")
        column = self.column % WIDTH
        # Segments are mirrored on the way into the RAM, so existing content stays.
        segment = WIDTH - 1 - column if self.segments_mirrored else column
        self.ram[self.page * WIDTH + segment] = byte
        if self.mode == _PAGE:
            self.column = column + 1
            return
        self.column, wrapped = _next(column, self.columns)
        if wrapped:
            self.page, _ = _next(self.page, self.pages)

    def _carry_out(self, code: int, parameters: list[int]) -> None:
        """Execute a complete command."""
        if code == 0x20:
            self.mode = parameters[0] & 0x03
        elif code in (0x21, 0x22):
            self._open(code, *parameters)
        elif code == 0x81:
            self.contrast = parameters[0]
        elif code == 0x8D:
            self.pump = bool(parameters[0] & 0x04)
        elif code <= 0x1F or 0xB0 <= code <= 0xB7:
            self._point(code)
        elif not self._configure(code, parameters[0] if parameters else 0):
            raise MisuseError(f"Command 0x{code:02X} is not simulated.")

    def _point(self, code: int) -> None:
        """Execute a command of page addressing."""
        if self.mode != _PAGE and self._tolerant != "obeyed":
            if self._tolerant:
                return
            raise MisuseError(f"Command 0x{code:02X} came before page addressing was chosen.")
        if code <= 0x0F:
            self.column = self.column & 0x70 | code
        elif code <= 0x1F:
            self.column = (code & 0x07) << 4 | self.column & 0x0F
        else:
            self.page = code & 0x07

    def _open(self, code: int, first: int, last: int) -> None:
        """Execute a command that opens a window; an empty window is an error once pixels arrive."""
        if self.mode == _PAGE:
            raise MisuseError("A window came before horizontal addressing was chosen.")
        if code == 0x21:
            self.columns, self.column = (first & 0x7F, last & 0x7F), first & 0x7F
        else:
            self.pages, self.page = (first & 0x07, last & 0x07), first & 0x07


def _next(address: int, window: tuple[int, int]) -> tuple[int, bool]:
    """Return the next address in a window, and whether it is back at the window's start."""
    first, last = window
    if first > last:
        raise MisuseError(f"A window from {first} to {last} is none.")
    return (first, True) if address == last else (address + 1, False)
