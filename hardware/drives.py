"""Finds USB drives that are mounted and can be written to."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from pathlib import Path

PLACES = ("/media/*", "/media/*/*", "/run/media/*/*", "/mnt/*")  # where drives are mounted by hand or by a desktop
MOUNTS = Path("/proc/self/mountinfo")


def drives(mounts: Path = MOUNTS, *, writable: bool = True) -> list[Path]:
    """Return the folders of mounted drives that this process may write to, or at least read, in order.

    Drives on the network are left out: one that does not answer would hold up the program.
    """
    try:
        lines = mounts.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    found = (_drive(line, writable=writable) for line in lines)
    needed = os.X_OK | (os.W_OK if writable else os.R_OK)
    return sorted({drive for drive in found if drive is not None and os.access(drive, needed)})


def _drive(line: str, *, writable: bool) -> Path | None:
    """Return the folder of a mount in one of the places; None if it is elsewhere, no disk, or must be writable.

    The form of a line: ``36 35 98:0 / /media/stick rw,noatime shared:1 - vfat /dev/sda1 rw``.
    """
    mount, _, disk = line.partition(" - ")
    own, device = mount.split(" "), disk.split(" ")
    if len(own) < 6 or len(device) < 3 or not device[1].startswith("/dev/"):
        return None
    folder = re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), own[4])
    options = {*own[5].split(","), *device[2].split(",")}
    is_in_place = any(fnmatchcase(folder, place) and folder.count("/") == place.count("/") for place in PLACES)
    return Path(folder) if is_in_place and not (writable and "ro" in options) else None
