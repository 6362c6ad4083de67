"""What the simulated buses share: unplugged devices and interrupted messages."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from typing import Protocol


class Powered(Protocol):
    """A device on a bus."""

    def power_cut(self) -> None:
        """Lose power, and get it back."""


class FaultyBus:
    """A bus that can be unplugged, and interrupts messages on request.

    Args:
        devices: The devices on it.

    Attributes:
        plugged: Whether the devices are connected.
        sent: Number of bytes sent.
        handles: How many programs have it open.
    """

    def __init__(self, devices: Iterable[Powered]) -> None:
        self._powered = tuple(devices)
        self.plugged = True
        self.sent = 0
        self.handles = 0
        self.fail_every(0)

    def unplug(self, *, powered: bool = False) -> None:
        """Disconnect all devices. They lose power, too, unless only the data lines come loose."""
        self.plugged = False
        if not powered:
            for device in self._powered:
                device.power_cut()

    def plug(self) -> None:
        """Connect all devices again."""
        self.plugged = True

    def fail_every(self, n: int, *, after: int = 0, code: int = errno.EIO) -> None:
        """Interrupt every n-th message from now on; 0 ends it.

        Args:
            n: Counted from this call.
            after: How many bytes of an interrupted message still reach the device.
            code: The errno to raise.
        """
        self._every, self._cut, self._code, self._messages = n, after, code, 0

    def arriving(self, message: bytes) -> tuple[bytes, OSError | None]:
        """Return the part of a message that arrives, and the error to raise afterwards."""
        self._messages += 1
        broken = self._every and self._messages % self._every == 0
        arrived = message[: self._cut] if broken else message
        self.sent += len(arrived)
        return arrived, os_error(self._code) if broken else None


def os_error(code: int, path: str | None = None) -> OSError:
    """Return the error that the kernel would report, of the subclass for its errno."""
    return OSError(code, os.strerror(code), path) if path else OSError(code, os.strerror(code))
