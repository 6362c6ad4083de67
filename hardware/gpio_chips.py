"""The GPIO chip of the Pi's header: finding it, requesting its lines, who holds them, and why that fails, in sentences.

gpiozero and gpiod are slow to import and may be missing, so they are imported by the functions that need them.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.ports import DeviceError

if TYPE_CHECKING:
    import gpiod

CONSUMER = "companion"  # the name that the kernel shows to others as the user of our lines
LGPIO_CONSUMER = "lg"  # the same for lines that lgpio uses in any program; Python cannot choose another name

_LABELS = frozenset({"pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"})
"""The kernel's labels of the header's chip: up to the Pi 3, on the Pi 4, on the Pi 5."""


def find_chip(devices: Path = Path("/dev")) -> str:
    """Return the path of the chip behind the Pi's header.

    It is found by its label, because its number depends on the kernel: a Pi 5's was chip 4 and is now chip 0.

    Raises OSError if there is none, or none may be opened.
    """
    import gpiod  # heavy, see above

    refused: OSError | None = None
    for path in sorted(devices.glob("gpiochip*"), key=lambda path: (len(path.name), path.name)):
        try:
            with gpiod.Chip(str(path)) as chip:
                if chip.get_info().label in _LABELS:
                    return str(path)
        except OSError as error:
            refused = error
    raise refused or FileNotFoundError(errno.ENOENT, "no GPIO chip is that of a Raspberry Pi's header")


def request(lines: dict[int, gpiod.LineSettings], room: int | None = None) -> gpiod.LineRequest:
    """Request lines of the header from the kernel, as one, with a queue for so many edges.

    Raises OSError if they cannot be had; its text says who uses one of them.
    """
    import gpiod  # heavy, see above

    config: Any = lines  # gpiod's own type has lines by name and groups of them, too
    with gpiod.Chip(find_chip()) as chip:
        try:
            return chip.request_lines(config, consumer=CONSUMER, event_buffer_size=room)
        except ValueError as error:  # gpiod's for EINVAL
            refused = ", ".join(f"GPIO{line}" for line in lines)
            raise OSError(errno.EINVAL, f"the kernel refuses {refused}") from error
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            line, holder = next(iter(holders(chip, lines).items()), (next(iter(lines)), "somebody"))
            raise OSError(errno.EBUSY, f"GPIO{line} is in use by {holder}") from error


def busy(lines: Iterable[int]) -> dict[int, str]:
    """Return who uses lines that we may need: for each line in use, the name that its user gave to the kernel.

    Raises OSError if there is no such chip, or it may not be opened.
    """
    import gpiod  # heavy, see above

    with gpiod.Chip(find_chip()) as chip:
        return holders(chip, lines)


def holders(chip: gpiod.Chip, lines: Iterable[int]) -> dict[int, str]:
    """Return who uses lines of an open chip."""
    taken = {line: info for line in lines if (info := chip.get_line_info(line)).used}
    return {line: info.consumer or "the kernel" for line, info in taken.items()}


@contextmanager
def chip_errors() -> Iterator[None]:
    """Raise DeviceError if the block finds no chip, or a package is missing; the sentence says what to do."""
    try:
        yield
    except ImportError as error:
        package = error.name or "gpiod"
        # On some Pis, PyPI's lgpio package is empty; Debian's works.
        remedy = "sudo apt install python3-lgpio" if package == "lgpio" else f"pip install {package}"
        raise DeviceError(f"The Python package {package} is missing: {remedy}.") from error
    except FileNotFoundError as error:
        raise DeviceError(f"There is no GPIO chip {error.filename or '/dev/gpiochip*'}: is this a Pi?") from error
    except PermissionError as error:
        from getpass import getuser  # it imports what reads passwords at a terminal

        raise DeviceError(
            "The GPIO chip may not be opened: add the user to the group gpio "
            f"(sudo usermod -aG gpio {getuser()}) and log in again."
        ) from error


def line_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions that mean that an output failed or is not available, as opposed to a bug."""
    from gpiozero.exc import GPIOPinInUse, PinError  # gpiozero is heavy; the caller has it

    known: tuple[type[Exception], ...] = (OSError, GPIOPinInUse, PinError)
    # lgpio's exception is neither an OSError nor one of gpiozero's, and exists only where lgpio is installed.
    lgpio = sys.modules.get("lgpio")
    return known if lgpio is None else (*known, lgpio.error)


def reason(error: Exception) -> str:
    """Return an exception's text as the end of a sentence, without full stop and lgpio's quotes."""
    message = (isinstance(error, OSError) and error.strerror) or str(error).strip(" '.")
    return message or type(error).__name__
