"""A panel's controller, size and connection, as the settings give them. Imports no Pillow."""

from __future__ import annotations

from typing import Literal

import msgspec

Chip = Literal["ssd1306", "ssd1309", "sh1106", "ssd1322"]
Bus = Literal["i2c", "spi"]


class PanelSpec(msgspec.Struct, frozen=True):
    """A panel's controller, size and connection."""

    chip: Chip = "ssd1306"  # the panel controller
    bus: Bus = "i2c"  # I2C or SPI
    port: int = 1  # the n of /dev/i2c-n, or the number of the SPI bus
    address: int = 0x3C  # the 7-bit I2C address
    device: int = 0  # the SPI chip select
    dc: int | None = None  # the data/command line, on SPI
    reset: int | None = None  # the reset line, on SPI, if it is wired
    width: int = 128  # in pixels
    height: int = 64  # in pixels
    contrast: int = 255  # contrast at full brightness, 0 to 255
    rotation: Literal[0, 180] = 0  # rotation of the picture in degrees
