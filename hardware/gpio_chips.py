"""Finds the GPIO chip of the Pi's header, and who holds its lines.

Here live the questions that are asked before there is a pin. gpiozero and gpiod are heavy, and may be missing: they
are imported when something is asked of them, never when this module is.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import gpiod

CONSUMER = "companion"
"""The name under which the kernel shows our lines to others."""

LGPIO_CONSUMER = "lg"
"""The same of lines that lgpio has, whichever program it has them for; it cannot be told another from Python."""

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
