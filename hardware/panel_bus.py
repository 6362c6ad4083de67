"""Opens the I2C or SPI bus; reports all failures as one kind of error.

The caller closes what these functions open. They import slow modules only when called.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from companion.app.ports import DeviceError

from .gpio_errors import line_errors, reason
from .panel_controllers import Serial

_SPEED = 4_000_000  # hertz; the maximum of an SH1106. A frame of 1 kB takes 2 ms
_RESET_TIME = 0.001  # seconds; the datasheets ask for at most 0.1 ms


def open_i2c(port: int, address: int) -> Serial:
    from luma.core.interface.serial import i2c  # luma is heavy

    opened: Serial = i2c(port=port, address=address)
    return opened


def open_spi(port: int, device: int, dc: int, reset: int | None, factory: Any) -> Serial:
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
    pins = _Pins(factory, {"dc": dc} if reset is None else {"dc": dc, "reset": reset})
    try:
        serial = spi(
            gpio=pins,
            port=port,
            device=device,
            gpio_DC="dc",
            gpio_RST=None if reset is None else "reset",
            bus_speed_hz=_SPEED,
            reset_hold_time=_RESET_TIME,
            reset_release_time=_RESET_TIME,
        )
    except BaseException:
        pins.close()
        raise
    return _Spi(serial, pins)


def failures() -> tuple[type[Exception], ...]:
    """Return the exceptions that mean that a panel's bus failed: luma's errors and the system's."""
    from luma.core.error import Error  # luma is heavy

    return OSError, Error, DeviceError


class _Spi:
    """luma's SPI interface that also closes its GPIO lines, which luma leaves open."""

    def __init__(self, serial: Serial, pins: _Pins) -> None:
        self.command = serial.command
        self.data = serial.data
        self._close = serial.cleanup
        self._pins = pins

    def cleanup(self) -> None:
        try:
            self._close()
        finally:
            self._pins.close()


class _Pins:
    """The part of RPi.GPIO that luma uses, on gpiozero's pins. Lines have names here, because luma takes 0 for none."""

    LOW, HIGH, OUT = 0, 1, 1

    def __init__(self, factory: Any, lines: dict[str, int]) -> None:
        self._factory = factory
        self._lines = lines
        self._opened: dict[str, Any] = {}

    def setup(self, name: str, _direction: int) -> None:
        """Open a line as an output, high at first; raise DeviceError if it is not available."""
        from gpiozero import GPIODevice  # gpiozero is heavy

        try:
            # Not an OutputDevice: if creating one fails, it keeps the line until garbage collection.
            self._opened[name] = GPIODevice(self._lines[name], pin_factory=self._factory)
            self._opened[name].pin.output_with_state(1)
        except line_errors() as error:
            raise DeviceError(f"The panel's lines cannot be had: {reason(error)}.") from error

    def output(self, name: str, level: int) -> None:
        """Set a line; raise DeviceError if it failed."""
        try:
            self._opened[name].pin.state = level
        except line_errors() as error:
            raise DeviceError("The panel's lines do not do what they are told.") from error

    def close(self) -> None:
        while self._opened:
            _name, pin = self._opened.popitem()
            with suppress(*line_errors()):
                pin.close()
