"""Looks at the machine: files, devices, I2C addresses, systemd's state.

Nothing is judged here and nothing is changed; a running companion is not disturbed.
"""

from __future__ import annotations

import errno
import importlib.util
import os
import re
import shutil
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from companion.app.ports import DeviceError
from hardware.gpio_chips import busy
from hardware.system_command import output_of

ADDRESSES = range(0x08, 0x78)  # the I2C addresses that are not reserved
_READ = (*range(0x30, 0x38), *range(0x50, 0x60))  # memory chips; some of them take an empty write as a command
LONGEST = 80  # maximum characters of a command line to show
_PATIENCE = 10.0  # seconds to wait for another program


class SystemProbes:
    """Questions about this machine, for the doctor."""

    def text(self, path: str) -> str | None:
        """Return the content of a file; None if it is missing or unreadable."""
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace").strip("\0\n ")
        except OSError:
            return None

    def number(self, path: str) -> int | None:
        """Return a number of the device tree, which has four bytes; None if there is none."""
        try:
            read = Path(path).read_bytes()
        except OSError:
            return None
        return int.from_bytes(read, "big") if len(read) == 4 else None

    def exists(self, path: str) -> bool:
        """Return whether there is such a file or device."""
        return os.path.exists(path)

    def owner(self, path: Path) -> str:
        """Return the name of the user whom a file, folder or link belongs to; his number where he has no name.

        Raises OSError if it is not there.
        """
        import pwd  # only the check of the journal needs it

        number = path.lstat().st_uid
        try:
            return pwd.getpwuid(number).pw_name
        except KeyError:
            return str(number)

    def open(self, device: str) -> None:
        """Open a device for reading and writing, and close it again.

        Raises OSError if it is missing, or may not be opened.
        """
        os.close(os.open(device, os.O_RDWR | os.O_CLOEXEC | os.O_NONBLOCK))

    def holders(self, lines: Iterable[int]) -> dict[int, str]:
        """Return who uses which of the Pi's lines, by the name given to the kernel.

        Raises ImportError if gpiod is not installed, OSError if there is no such chip, or it may not be opened.
        """
        return busy(lines)

    def answering(self, bus: int) -> list[int]:
        """Return the addresses of an I2C bus that answer or are used by a kernel driver.

        Raises ImportError if smbus2 is not installed, OSError if the bus is missing, may not be opened, or hangs.
        """
        from smbus2 import SMBus  # not there on every machine

        with SMBus(bus) as opened:
            return [address for address in ADDRESSES if _answers(opened, address)]

    def has(self, module: str) -> bool:
        try:
            return importlib.util.find_spec(module) is not None
        except ModuleNotFoundError:  # its package is not installed
            return False

    def output_of(self, *command: str) -> str | None:
        """Return a program's output, or None if it is missing or fails."""
        try:
            return output_of(command, "It cannot be read", command[0], _PATIENCE).strip()
        except DeviceError:
            return None

    def finds(self, program: str) -> bool:
        return shutil.which(program) is not None

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    def up(self) -> float:
        """Return seconds as systemd counts them."""
        return time.clock_gettime(time.CLOCK_MONOTONIC)

    def may_read(self, folder: Path) -> bool:
        """Return whether this user may read a folder; True if it is missing."""
        return os.access(folder, os.R_OK | os.X_OK) or not os.path.lexists(folder)

    def may_write(self, folder: Path) -> bool:
        return os.access(folder, os.W_OK | os.X_OK)

    def locker(self, folder: Path) -> str:
        """Return number and command of the process that holds the lock on a folder, if it is known."""
        number = folder.stat().st_ino
        holders = re.findall(rf"FLOCK +ADVISORY +WRITE +([0-9]+) [0-9a-f:]+:{number} ", self.text("/proc/locks") or "")
        if len(holders) != 1:  # a file of another disk may have the same number
            return ""
        command = (self.text(f"/proc/{holders[0]}/cmdline") or "").rstrip("\0").replace("\0", " ")
        seen = "".join(letter if letter.isprintable() else "?" for letter in command)
        return f"process {holders[0]}, {seen[:LONGEST]}{'…' * (len(seen) > LONGEST)}"

    def room(self, folder: Path) -> int:
        """Return the free bytes on a folder's disk.

        Raises OSError if the disk does not tell, or is read-only (EROFS).
        """
        there = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        if os.statvfs(there).f_flag & os.ST_RDONLY:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(there))
        return shutil.disk_usage(there).free


def _answers(bus: Any, address: int) -> bool:
    """Probe an address with the smallest transfer that gets an answer, as `i2cdetect` does.

    Raises OSError if the bus hangs, so every address would run into the time-out.
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
