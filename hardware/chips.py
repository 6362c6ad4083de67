"""Which chip the Pi's pins hang on, who has its lines, and which pin factory is used.

Here live the questions that are asked before there is a pin. gpiozero, gpiod and lgpio are heavy, and may be
missing: they are imported when something is asked of them, never when this module is.
"""

from __future__ import annotations

import atexit
import getpass
import os
import re
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.ports import DeviceFault

if TYPE_CHECKING:
    import gpiod

CONSUMER = "companion"
"""The name under which the kernel shows our lines to others."""

FACTORIES = ("kernel", "lgpio")
"""The pin factories there are, the usual one first."""

_LABELS = frozenset({"pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"})
"""What the kernel calls the chip behind the header: up to the Pi 3, on the Pi 4, on the Pi 5."""


def find_chip(devices: Path = Path("/dev")) -> str:
    """Find the chip behind the Pi's header.

    It goes by the label, for the numbers change from kernel to kernel: a Pi 5's was chip 4 and is now chip 0.
    Where none has a label that is known, it goes by gpiozero's rule for the numbers.

    Args:
        devices: The folder with the gpiochip devices.

    Raises:
        OSError: There is none, or none may be opened.
    """
    import gpiod  # noqa: PLC0415  # heavy, see above

    refused: OSError | None = None
    for path in sorted(devices.glob("gpiochip*"), key=lambda path: (len(path.name), path.name)):
        try:
            with gpiod.Chip(str(path)) as chip:
                if chip.get_info().label in _LABELS:
                    return str(path)
        except OSError as error:
            refused = error
    if refused is not None:
        raise refused
    from gpiozero.pins.local import get_pi_revision  # noqa: PLC0415  # heavy, see above

    # Bits 12 to 15 are the processor: 4 is the Pi 5's.
    fourth = devices / "gpiochip4"
    return str(fourth if get_pi_revision() >> 12 & 0xF == 4 and fourth.exists() else devices / "gpiochip0")


def busy(lines: Iterable[int], chip: str | None = None) -> dict[int, str]:
    """Tell who has lines that we might want.

    Args:
        lines: Lines of the chip; on a Pi, the numbers of the GPIOs.
        chip: Its path; None finds the Pi's.

    Returns:
        For each line that is taken, the name that its holder gave to the kernel; ours is ``CONSUMER``.

    Raises:
        OSError: There is no such chip, or it may not be opened.
    """
    import gpiod  # noqa: PLC0415  # heavy, see above

    with gpiod.Chip(chip or find_chip()) as opened:
        return holders(opened, lines)


def holders(chip: gpiod.Chip, lines: Iterable[int]) -> dict[int, str]:
    """Tell who has lines of an open chip."""
    taken = {line: info for line in lines if (info := chip.get_line_info(line)).used}
    return {line: info.consumer or "the kernel" for line, info in taken.items()}


def choose(name: str = "kernel", chip: str | None = None) -> Any:
    """Make the gpiozero pin factory that was chosen, that one or none.

    gpiozero's global default is neither used nor set.

    Args:
        name: One of ``FACTORIES``. "lgpio" is for software PWM, or where there is no gpiod.
        chip: The path of the chip; None finds the Pi's.

    Raises:
        DeviceFault: It cannot be had; the sentence says what to do.
        ValueError: There is no such factory.
    """
    if name not in FACTORIES:
        raise ValueError(f"{name!r} is no pin factory; there are {', '.join(FACTORIES)}.")
    try:
        return _make(name, chip)
    except ImportError as error:
        package = error.name or name
        other = ', or choose the pin factory "lgpio"' if package == "gpiod" else ""
        raise DeviceFault(f"The Python package {package} is missing: pip install {package}{other}.") from error
    except FileNotFoundError as error:
        raise DeviceFault(f"There is no GPIO chip {error.filename or '/dev/gpiochip*'}: is this a Pi?") from error
    except PermissionError as error:
        raise DeviceFault(
            "The GPIO chip may not be opened: add the user to the group gpio "
            f"(sudo usermod -aG gpio {getpass.getuser()}) and log in again."
        ) from error
    except OSError as error:
        raise DeviceFault(f"The GPIO chip cannot be opened: {error.strerror or error}.") from error


def _make(name: str, chip: str | None) -> Any:
    """Make a factory, and see that gpiozero knows the board."""
    from gpiozero.exc import PinUnknownPi  # noqa: PLC0415  # heavy, see above

    try:
        factory = _lgpio(chip) if name == "lgpio" else _kernel(chip)
        try:
            _ = factory.board_info
        except BaseException:
            factory.close()
            raise
    except PinUnknownPi as error:
        raise DeviceFault("This is no Raspberry Pi that gpiozero knows, so its pins cannot be told.") from error
    return factory


def _kernel(chip: str | None) -> Any:
    from hardware.pins import KernelFactory  # noqa: PLC0415  # heavy, see above

    return KernelFactory(chip)


def _lgpio(chip: str | None) -> Any:
    """Make lgpio's factory, in spite of its habits.

    It creates a pipe in its working directory when imported, and changes to it: $LG_WD, or where we are.
    """
    if "LG_WD" not in os.environ:
        os.environ["LG_WD"] = _working_folder()
    before = os.getcwd()
    try:
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415  # heavy, see above
        from lgpio import error as LgpioError  # noqa: N812, PLC0415  # as above
    except OSError as error:
        raise DeviceFault(
            f"lgpio cannot create its pipe in {os.environ['LG_WD']}: set LG_WD to a folder it may write to."
        ) from error
    finally:
        os.chdir(before)
    number = int(re.sub(r".*\D", "", chip)) if chip else None
    try:
        return LGPIOFactory(number)
    except LgpioError as error:
        os.close(os.open(chip or "/dev/gpiochip0", os.O_RDWR))  # the kernel says why, lgpio does not
        raise DeviceFault(f"lgpio cannot open the GPIO chip: {error}.") from error


def _working_folder() -> str:
    """Return a folder in which a pipe can be created: the service's own, or one that goes when we end."""
    if given := os.environ.get("RUNTIME_DIRECTORY"):
        return given.split(":")[0]
    made = tempfile.mkdtemp(prefix="companion-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return made
