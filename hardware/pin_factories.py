"""Chooses gpiozero's pin factory: the kernel's, or lgpio's for PWM.

gpiozero, gpiod and lgpio are slow to import and may be missing, so they are imported when a factory is made.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from contextlib import suppress
from typing import Any

from companion.app.ports import DeviceError

from .gpio_chips import find_chip

FACTORIES = ("kernel", "lgpio")  # the available pin factories, the default first


def choose(name: str = "kernel", chip: str | None = None) -> Any:
    """Make the chosen gpiozero pin factory, without a fallback to another.

    gpiozero's global default is neither used nor set.

    "lgpio" is for software PWM, or where gpiod is missing. Without the path of a chip, the Pi's is found.

    Raises:
        DeviceError: It is not available; the sentence says what to do.
        ValueError: There is no such factory.
    """
    if name not in FACTORIES:
        raise ValueError(f"{name!r} is no pin factory; there are {', '.join(FACTORIES)}.")
    try:
        return _make(name, chip)
    except ImportError as error:
        package = error.name or name
        # On some Pis, PyPI's lgpio package is empty; Debian's works.
        remedy = "sudo apt install python3-lgpio" if package == "lgpio" else f"pip install {package}"
        other = ', or choose the pin factory "lgpio"' if package == "gpiod" else ""
        raise DeviceError(f"The Python package {package} is missing: {remedy}{other}.") from error
    except FileNotFoundError as error:
        raise DeviceError(f"There is no GPIO chip {error.filename or '/dev/gpiochip*'}: is this a Pi?") from error
    except PermissionError as error:
        from getpass import getuser  # it imports what reads passwords at a terminal

        raise DeviceError(
            "The GPIO chip may not be opened: add the user to the group gpio "
            f"(sudo usermod -aG gpio {getuser()}) and log in again."
        ) from error
    except OSError as error:
        raise DeviceError(f"The GPIO chip cannot be opened: {error.strerror or error}.") from error


def _make(name: str, chip: str | None) -> Any:
    """Make a factory, and check that gpiozero knows the board."""
    from gpiozero.exc import PinUnknownPi  # heavy, see above

    try:
        factory = _lgpio(chip) if name == "lgpio" else _kernel(chip)
        try:
            _ = factory.board_info
        except BaseException:
            factory.close()
            raise
    except PinUnknownPi as error:
        raise DeviceError("This is no Raspberry Pi that gpiozero knows, so its pins cannot be told.") from error
    return factory


def _kernel(chip: str | None) -> Any:
    from hardware.gpiod_factory import KernelFactory  # heavy, see above

    return KernelFactory(chip)


def _lgpio(chip: str | None) -> Any:
    """Make lgpio's factory despite a side effect of its import.

    When imported, it changes to a working directory and creates a pipe there: $LG_WD, or the current one.
    """
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = _working_folder()
    before = os.getcwd()
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # heavy, see above
        from lgpio import error as LgpioError  # noqa: N812  # as above
    except OSError as error:
        raise DeviceError(
            f"lgpio cannot create its pipe in {os.environ['LG_WD']}: set LG_WD to a folder it may write to."
        ) from error
    finally:
        os.chdir(before)
    with suppress(ImportError):  # lgpio is also used where gpiod is missing: then gpiozero's rule applies
        chip = chip or find_chip()
    try:
        return LGPIOFactory(int(re.sub(r".*\D", "", chip)) if chip else None)
    except LgpioError as error:
        os.close(os.open(chip or "/dev/gpiochip0", os.O_RDWR))  # the kernel's error has a reason, lgpio's has not
        raise DeviceError(f"lgpio cannot open the GPIO chip: {error}.") from error


def _working_folder() -> str:
    """Return a folder for the pipe: the service's own, or one that is deleted at exit."""
    if given := os.environ.get("RUNTIME_DIRECTORY"):
        return given.split(":")[0]
    made = tempfile.mkdtemp(prefix="companion-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made
