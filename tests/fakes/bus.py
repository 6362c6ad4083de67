"""What the simulated buses have in common: devices that are unplugged, and messages that break off."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from typing import Protocol


class Powered(Protocol):
    """Something on a bus."""

    def power_cut(self) -> None:
        """Lose the power, and get it back."""


class FaultyBus:
    """A bus that can be unplugged, and breaks off messages when told to.

    Args:
        devices: What hangs on it.

    Attributes:
        plugged: Whether the devices can be reached.
        sent: Bytes on the wire.
        handles: How often a program has it open.
    """

    def __init__(self, devices: Iterable[Powered]) -> None:
        self._powered = tuple(devices)
        self.plugged = True
        self.sent = 0
        self.handles = 0
        self.fail_every(0)

    def unplug(self, *, powered: bool = False) -> None:
        """Let no device be reached; they lose their power, unless only the data lines come loose."""
        self.plugged = False
        if not powered:
            for device in self._powered:
                device.power_cut()

    def plug(self) -> None:
        """Let every device be reached again."""
        self.plugged = True

    def fail_every(self, n: int, *, after: int = 0, code: int = errno.EIO) -> None:
        """Break off every n-th message from now on; 0 ends it.

        Args:
            n: Counted from this call.
            after: How many bytes of a broken message still reach the device.
            code: The errno that is raised.
        """
        self._every, self._cut, self._code, self._messages = n, after, code, 0

    def arriving(self, message: bytes) -> tuple[bytes, OSError | None]:
        """Return what of a message arrives, and the error to raise once it has."""
        self._messages += 1
        broken = self._every and self._messages % self._every == 0
        arrived = message[: self._cut] if broken else message
        self.sent += len(arrived)
        return arrived, os_error(self._code) if broken else None


def os_error(code: int, path: str | None = None) -> OSError:
    """Make the error the kernel would report, of the subclass that belongs to its code."""
    return OSError(code, os.strerror(code), path) if path else OSError(code, os.strerror(code))
