"""The mounted file systems: USB drives that can be written to, and whether a folder is kept in memory alone."""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

MOUNTS = Path("/proc/self/mounts")

PLACES = ("/media/*", "/media/*/*", "/run/media/*/*", "/mnt/*")  # where drives are mounted by hand or by a desktop

IN_MEMORY = frozenset({"overlay", "tmpfs", "ramfs"})
"""Kinds of file systems that forget everything with the power; an overlay is that of a read-only root."""


class Mount(NamedTuple):
    """A mounted file system: its device, folder, type and options."""

    device: str
    folder: Path
    kind: str
    options: tuple[str, ...]


def read_mounts(file: Path = MOUNTS) -> list[Mount]:
    """Return the file systems in the kernel's list, the latest last; none if it cannot be read."""
    try:
        lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    found = []
    for device, place, kind, options, *_more in (line.split(" ") for line in lines if line.count(" ") >= 3):
        folder = re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), place)
        found.append(Mount(device, Path(folder), kind, tuple(options.split(","))))
    return found


def is_in_memory(folder: Path, mounts: Path = MOUNTS) -> bool:
    """Return whether everything in a folder is gone with the power."""
    real = folder.resolve()
    holding = [mount for mount in read_mounts(mounts) if real.is_relative_to(mount.folder)]
    # The nearest one holds it, and of two at one place the later: the first of those reversed.
    nearest = max(reversed(holding), key=lambda mount: len(mount.folder.parts), default=None)
    return nearest is not None and nearest.kind in IN_MEMORY


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
