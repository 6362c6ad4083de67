"""A simulated SH1106 on a 128x64 module, down to the bytes of the bus.

It follows the datasheet (version 2.3) for the commands that luma's driver and ours send. It has pages and columns but
no windows, and 132 columns, of which the module shows the middle 128.
"""

from __future__ import annotations

from .oled import WIDTH, MisuseError, PageController

COLUMNS = 132
OFFSET = 2
"""Number of invisible RAM columns at either side."""

_PARAMETERS = {
    0x81: 1,  # contrast
    0xA8: 1,  # multiplex ratio
    0xAD: 1,  # DC-DC converter
    0xD3: 1,  # display offset
    0xD5: 1,  # clock
    0xD9: 1,  # pre-charge
    0xDA: 1,  # wiring of the rows
    0xDB: 1,  # deselect level
}

# luma also sends the SSD1306's commands for addressing mode and charge pump. The datasheet does not define them,
# and millions of modules ignore them; the bytes after them are read as commands.
_PASSED_OVER = (0x20, 0x8D)


class Sh1106(PageController):
    """The controller and its glass.

    Upright, segment 129 is at the left. The module has 3.3 V only, so without the DC-DC converter, which runs after
    reset, it is dark.

    Args:
        seed: Seed of the noise in the RAM after power-on.
        tolerant: Whether it takes the bytes of another controller's driver as real ones do: unknown commands and
            pixels beyond the last column are ignored. Otherwise they raise an error.
    """

    def __init__(self, seed: int = 0, *, tolerant: bool = False) -> None:
        self._tolerant = tolerant
        super().__init__(COLUMNS, _PARAMETERS, seed)

    def reset(self) -> None:
        """Set the registers as after reset; the RAM keeps its content."""
        super().reset()
        self.converter = True
        self.contrast = 0x80
        self.column = 0
        self.page = 0

    def _powered(self) -> bool:
        return self.converter

    def _column_at(self, x: int) -> int:
        """Return the RAM column visible at this distance from the left; mirroring affects existing content, too."""
        segment = OFFSET + WIDTH - 1 - x
        return COLUMNS - 1 - segment if self.segments_mirrored else segment

    def _data(self, byte: int) -> None:
        """Store a byte of pixels at the pointer, and move the pointer along the page."""
        if self.column >= COLUMNS:
            if self._tolerant:
                return
            raise MisuseError(f"A picture came for column {self.column}; there are {COLUMNS}.")
        self.ram[self.page * COLUMNS + self.column] = byte
        self.column += 1

    def _carry_out(self, code: int, parameters: list[int]) -> None:
        """Execute a complete command."""
        if code <= 0x0F:
            self.column = self.column & 0xF0 | code
        elif code <= 0x1F:
            self.column = (code & 0x0F) << 4 | self.column & 0x0F
        elif 0xB0 <= code <= 0xB7:
            self.page = code & 0x07
        elif code == 0x81:
            self.contrast = parameters[0]
        elif code == 0xAD:
            if self.lit:
                raise MisuseError("The DC-DC converter is switched while the display is off, not while it is on.")
            if parameters[0] not in (0x8A, 0x8B):
                raise MisuseError(f"0x{parameters[0]:02X} is nothing that the DC-DC converter does.")
            self.converter = parameters[0] == 0x8B
        elif code not in _PASSED_OVER and not self._configure(code, parameters[0] if parameters else 0):
            if self._tolerant:
                return
            raise MisuseError(f"Command 0x{code:02X} is not simulated.")
