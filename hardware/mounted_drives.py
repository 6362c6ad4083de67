"""Finds USB drives that are mounted and can be written to."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from pathlib import Path

from hardware.mount_table import MOUNTS, Mount, read_mounts

PLACES = ("/media/*", "/media/*/*", "/run/media/*/*", "/mnt/*")  # where drives are mounted by hand or by a desktop


def drives(mounts: Path = MOUNTS, *, writable: bool = True) -> list[Path]:
    """Return the folders of mounted drives that this process may write to, or at least read, in order.

    Drives on the network are left out: one that does not answer would hold up the program.
    """
    needed = os.X_OK | (os.W_OK if writable else os.R_OK)
    found = {mount.folder for mount in read_mounts(mounts) if _is_drive(mount, writable=writable)}
    return sorted(folder for folder in found if os.access(folder, needed))


def _is_drive(mount: Mount, *, writable: bool) -> bool:
    folder = str(mount.folder)
    is_in_place = any(fnmatchcase(folder, place) and folder.count("/") == place.count("/") for place in PLACES)
    return is_in_place and mount.device.startswith("/dev/") and not (writable and "ro" in mount.options)
