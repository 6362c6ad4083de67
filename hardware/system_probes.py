"""Looks at the machine: files, devices, I2C addresses, systemd's state.

Nothing here judges, and nothing is changed on the way: a box that is running does not notice.
"""

from __future__ import annotations

import errno
import importlib.util
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hardware.gpio_chips import busy

ADDRESSES = range(0x08, 0x78)
"""The addresses of I2C that are not reserved."""

_READ = (*range(0x30, 0x38), *range(0x50, 0x60))  # memories, to some of which an empty write is a command
LONGEST = 80
"""As much of a command is repeated, in letters."""

_PATIENCE = 10.0  # seconds for a program that is asked


class SystemProbes:
    """Questions about this machine, for the doctor."""

    def text(self, path: str) -> str | None:
        """Return what a file says, if it is there and can be read."""
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None

    def open(self, device: str) -> None:
        """Open a device for reading and writing, and let go of it again.

        Raises:
            OSError: It is not there, or may not be opened.
        """
        os.close(os.open(device, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK))

    def holders(self, lines: Iterable[int]) -> dict[int, str]:
        """Return who has which of the Pi's lines, by the name they gave to the kernel.

        Raises:
            ImportError: The kernel's library is not installed.
            OSError: There is no such chip, or it may not be opened.
        """
        return busy(lines)

    def answering(self, bus: int) -> list[int]:
        """Return the addresses on an I2C bus at which something answers, or which a driver of the kernel has.

        Raises:
            ImportError: smbus2 is not installed.
            OSError: There is no such bus, it may not be opened, or it hangs.
        """
        from smbus2 import SMBus  # noqa: PLC0415  # not there on every machine

        with SMBus(bus) as opened:
            return [address for address in ADDRESSES if _answers(opened, address)]

    def has(self, module: str) -> bool:
        """Tell whether a Python module is installed."""
        try:
            return importlib.util.find_spec(module) is not None
        except ModuleNotFoundError:  # the package it would be in is not
            return False

    def said(self, *command: str) -> str | None:
        """Return what a program prints, or None if it is not there or fails."""
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    def now(self) -> float:
        """Return seconds since 1970, as the clock stands."""
        return time.time()

    def up(self) -> float:
        """Return seconds as systemd counts them."""
        return time.clock_gettime(time.CLOCK_MONOTONIC)

    def may_read(self, folder: Path) -> bool:
        """Tell whether this user may look into a folder; one that is not there hides nothing."""
        return os.access(folder, os.R_OK | os.X_OK) or not os.path.lexists(folder)

    def may_write(self, folder: Path) -> bool:
        """Return whether this user may write in a folder."""
        return os.access(folder, os.W_OK | os.X_OK)

    def locker(self, folder: Path) -> str:
        """Return the number and the command of the process that holds a lock on a folder; nothing if none is told."""
        number = folder.stat().st_ino
        holders = re.findall(rf"FLOCK +ADVISORY +WRITE +([0-9]+) [0-9a-f:]+:{number} ", self.text("/proc/locks") or "")
        if len(holders) != 1:  # a file of another disk may have the same number
            return ""
        command = (self.text(f"/proc/{holders[0]}/cmdline") or "").rstrip("\0").replace("\0", " ")
        seen = "".join(letter if letter.isprintable() else "?" for letter in command)
        return f"process {holders[0]}, {seen[:LONGEST]}{'…' * (len(seen) > LONGEST)}"

    def room(self, folder: Path) -> int:
        """Return how many bytes can still be written on a folder's disk; none where it can only be read.

        Raises:
            OSError: The disk does not say.
        """
        there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        if os.statvfs(there).f_flag & os.ST_RDONLY:
            return 0
        return shutil.disk_usage(there).free


def _answers(bus: Any, address: int) -> bool:
    """Ask an address as `i2cdetect` does, with the least that gets an answer.

    Raises:
        OSError: The bus hangs: all addresses would be waited for in vain.
    """
    try:
        if address in _READ:
            bus.read_byte(address)
        else:
            bus.write_quick(address)
    except OSError as error:
        if error.errno == errno.ETIMEDOUT:
            raise
        return error.errno == errno.EBUSY
    return True
