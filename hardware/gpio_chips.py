"""Finds the GPIO chip of the Pi's header, and who holds its lines.

These functions work without opening a pin. gpiozero and gpiod are slow to import and may be missing, so they are
imported by the functions that need them.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import gpiod

CONSUMER = "companion"  # the name that the kernel shows to others as the user of our lines
LGPIO_CONSUMER = "lg"  # the same for lines that lgpio uses in any program; Python cannot choose another name

_LABELS = frozenset({"pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"})
"""The kernel's labels of the header's chip: up to the Pi 3, on the Pi 4, on the Pi 5."""


def find_chip(devices: Path = Path("/dev")) -> str:
    """Return the path of the chip behind the Pi's header.

    It is found by its label, because its number depends on the kernel: a Pi 5's was chip 4 and is now chip 0. Without a
    known label, gpiozero's rule for the numbers applies.

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
    if refused is not None:
        raise refused
    from gpiozero.pins.local import get_pi_revision  # heavy, see above

    # Bits 12 to 15 are the processor; 4 is that of the Pi 5.
    fourth = devices / "gpiochip4"
    return str(fourth if get_pi_revision() >> 12 & 0xF == 4 and fourth.exists() else devices / "gpiochip0")


def busy(lines: Iterable[int], chip: str | None = None) -> dict[int, str]:
    """Return who uses lines that we may need: for each line in use, the name that its user gave to the kernel.

    Raises OSError if there is no such chip, or it may not be opened.
    """
    import gpiod  # heavy, see above
    from gpiozero.exc import PinUnknownPi

    try:
        path = chip or find_chip()
    except PinUnknownPi as error:
        raise FileNotFoundError(errno.ENOENT, "this is no Raspberry Pi that gpiozero knows") from error
    with gpiod.Chip(path) as opened:
        return holders(opened, lines)


def holders(chip: gpiod.Chip, lines: Iterable[int]) -> dict[int, str]:
    """Return who uses lines of an open chip."""
    taken = {line: info for line in lines if (info := chip.get_line_info(line)).used}
    return {line: info.consumer or "the kernel" for line, info in taken.items()}
