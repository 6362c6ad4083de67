"""Pin factories for gpiozero's output devices: the kernel's lines, or lgpio's where a line needs PWM.

lgpio is no part of Debian 12 and of PyPI's wheels for each Pi, so only a dimmed lamp and a passive buzzer need it. The
kernel's lines are either on or off: a request for PWM raises gpiozero's PinPWMUnsupported.

Import this module only where such a device is made: gpiozero is slow to import.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from typing import Any

import gpiod
from gpiod.line import Direction, Value
from gpiozero.exc import PinInvalidFunction, PinSetInput
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from companion.app.ports import DeviceError

from .gpio_chips import find_chip, request


class KernelFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no types, so its classes are Any
    """Makes gpiozero pins for outputs on the kernel's lines."""

    def __init__(self) -> None:
        super().__init__()
        # All local factories share one dict of pins, and closing one factory closes them all. These pins are
        # therefore kept apart. The reservations stay shared: two devices on one pin are refused, whichever
        # factories they use.
        self.pins: dict[Any, KernelOutput] = {}
        self.pin_class = KernelOutput


class KernelOutput(LocalPiPin):  # type: ignore[misc]  # as above
    """A line that is driven, requested at its first use and released when closed."""

    def __init__(self, factory: KernelFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._request: gpiod.LineRequest | None = None
        self._high = False

    def close(self) -> None:
        opened, self._request = self._request, None
        if opened is not None:
            opened.release()

    def output_with_state(self, state: float) -> None:
        """Drive the line at a level, in one step."""
        if self._request is None:
            value = Value.ACTIVE if state else Value.INACTIVE
            self._request = request({self._number: gpiod.LineSettings(Direction.OUTPUT, output_value=value)})
            self._high = bool(state)
        else:
            self._set_state(state)

    def _get_function(self) -> str:
        return "input" if self._request is None else "output"

    def _set_function(self, value: str) -> None:
        if value != "output":
            raise PinInvalidFunction(f"pin {self!r} is for outputs")
        self.output_with_state(False)

    def _get_state(self) -> int:
        return int(self._high)

    def _set_state(self, value: float) -> None:
        if self._request is None:
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self._request.set_value(self._number, Value.ACTIVE if value else Value.INACTIVE)
        self._high = bool(value)


def lgpio_factory() -> Any:
    """Make lgpio's factory despite a side effect of its import.

    When imported, it changes to a working directory and creates a pipe there: $LG_WD, or the current one.

    Raises:
        DeviceError: It is not available; the sentence says what to do.
        ImportError: lgpio is missing.
        OSError: There is no chip, or it may not be opened.
    """
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = _working_folder()
    before = os.getcwd()
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # may be missing, as said above
        from lgpio import error as LgpioError  # noqa: N812  # as above
    except OSError as error:
        raise DeviceError(
            f"lgpio cannot create its pipe in {os.environ['LG_WD']}: set LG_WD to a folder it may write to."
        ) from error
    finally:
        os.chdir(before)
    chip = find_chip()
    try:
        return LGPIOFactory(int(re.sub(r".*\D", "", chip)))
    except LgpioError as error:
        os.close(os.open(chip, os.O_RDWR))  # the kernel's error has a reason, lgpio's has not
        raise DeviceError(f"lgpio cannot open the GPIO chip: {error}.") from error


def _working_folder() -> str:
    """Return a folder for the pipe: the service's own, or one that is deleted at exit."""
    if given := os.environ.get("RUNTIME_DIRECTORY"):
        return given.split(":")[0]
    made = tempfile.mkdtemp(prefix="companion-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made
