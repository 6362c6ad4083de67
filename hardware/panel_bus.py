"""How a panel is connected, and the I2C or SPI bus to it; all failures of a bus are of a few kinds of error.

The caller closes what these functions open. They import slow modules only when called, and this module no Pillow. Its
annotations are no strings: msgspec would evaluate each of them at the start.
"""

from typing import Annotated, Any, Literal, Protocol

import msgspec

from companion.app.ports import DeviceError

from .gpio_chips import chip_errors, reason, request

Chip = Literal["ssd1306", "ssd1309", "sh1106", "ssd1322"]
Bus = Literal["i2c", "spi"]

OTHER: dict[Chip, Chip] = {"ssd1306": "sh1106", "ssd1309": "sh1106", "sh1106": "ssd1306"}
"""The controllers that are mistaken for each other: the same panels are sold with either."""

_SPEED = 4_000_000  # hertz; the maximum of an SH1106. A frame of 1 kB takes 2 ms
_RESET_TIME = 0.001  # seconds; the datasheets ask for at most 0.1 ms


class PanelSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A panel's controller and connection: the table ``[panel]`` of a board's file, and of the settings."""

    chip: Chip = "ssd1306"  # the panel controller
    bus: Bus = "i2c"  # I2C or SPI
    # the number of the bus; None is the usual one, 1 for I2C and 0 for SPI
    port: Annotated[
        Annotated[int, msgspec.Meta(ge=0, le=9)] | None, msgspec.Meta(description="a number from 0 to 9")
    ] = None
    # the 7-bit I2C address
    address: Annotated[
        int,
        msgspec.Meta(
            ge=0x08, le=0x77, description="an address from 0x08 to 0x77 (0x78 on a panel is 0x3C, 0x7A is 0x3D)"
        ),
    ] = 0x3C
    device: Annotated[int, msgspec.Meta(ge=0, le=2)] = 0  # the SPI chip select
    contrast: Annotated[int, msgspec.Meta(ge=0, le=255)] = 255  # contrast at full brightness
    rotation: Literal[0, 180] = 0  # rotation of the picture in degrees

    @property
    def bus_number(self) -> int:
        return self.port if self.port is not None else {"i2c": 1, "spi": 0}[self.bus]


class Serial(Protocol):
    """A serial interface of luma, of which a panel needs this."""

    def command(self, *codes: int) -> None: ...

    def data(self, data: list[int]) -> None:
        """Send picture bytes; on some controllers also parameters."""

    def cleanup(self) -> None:
        """Close the bus, if this object opened it."""


def open_i2c(port: int, address: int) -> Serial:
    from luma.core.interface.serial import i2c  # luma is heavy

    opened: Serial = i2c(port=port, address=address)
    return opened


def open_spi(port: int, device: int, dc: int, reset: int | None) -> Serial:
    """Open a chip select of an SPI bus, and reset the controller there, if its reset line is wired.

    Raises DeviceError if a line is not available, or spidev is missing.
    """
    from luma.core.interface.serial import spi  # luma is heavy

    try:
        import spidev  # noqa: F401  # not on PyPI for every Pi; luma imports it again
    except ModuleNotFoundError as error:
        raise DeviceError(
            "The panel is on SPI, and Python's spidev is not there: sudo apt install python3-spidev."
        ) from error

    class Spi(spi):  # type: ignore[misc]  # luma has no types, so its classes are Any
        """luma's interface that also closes its GPIO lines, which luma leaves open."""

        def cleanup(self) -> None:
            try:
                super().cleanup()
            finally:
                lines.close()

    lines = _Lines({"dc": dc} if reset is None else {"dc": dc, "reset": reset})
    try:
        opened: Serial = Spi(
            gpio=lines,
            port=port,
            device=device,
            gpio_DC="dc",
            gpio_RST=None if reset is None else "reset",
            bus_speed_hz=_SPEED,
            reset_hold_time=_RESET_TIME,
            reset_release_time=_RESET_TIME,
        )
    except BaseException:
        lines.close()
        raise
    return opened


def failures() -> tuple[type[Exception], ...]:
    """Return the exceptions that mean that a panel's bus failed: luma's errors and the system's."""
    from luma.core.error import Error  # luma is heavy

    return OSError, Error


class _Lines:
    """The part of RPi.GPIO that luma uses, on the kernel's lines. They have names, because luma takes 0 for none."""

    OUT = 1

    def __init__(self, lines: dict[str, int]) -> None:
        """Take the lines, high at first; raise DeviceError if one is not available."""
        try:
            with chip_errors():
                from gpiod import LineSettings  # slow to import, and may be missing
                from gpiod.line import Direction, Value

                high = LineSettings(Direction.OUTPUT, output_value=Value.ACTIVE)
                self._request = request(dict.fromkeys(lines.values(), high))
        except OSError as error:
            raise DeviceError(f"The panel's lines cannot be had: {reason(error)}.") from error
        self._lines = lines
        self.LOW, self.HIGH = Value.INACTIVE, Value.ACTIVE

    def setup(self, _name: str, _direction: int) -> None:
        """Do nothing: the lines are outputs."""

    def output(self, name: str, level: Any) -> None:
        """Set a line; raise OSError if it failed."""
        self._request.set_value(self._lines[name], level)

    def close(self) -> None:
        self._request.release()
