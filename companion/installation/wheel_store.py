"""Keeps the wheels of each installed version, so that any of them can be built again for another Python.

The package's own folder holds the wheels of the version that was unpacked last, which may be one that failed here.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path

from .places import InstallationPaths

HASH_LISTS = "python*.txt"  # the files with the hashes of the wheels, one for each Python


class InstallationError(Exception):
    """A version cannot be installed; the message is a sentence."""


def wheel_list(package: Path) -> Path:
    """Return the file with the hashes of a package's wheels for this Python; raise InstallationError if it has none."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = package / f"python{python}.txt"
    if not found.exists():
        raise InstallationError(f"this package has no wheels for Python {python}: a newer package is needed")
    return found


def digest(package: Path) -> str:
    """Return a name for the wheels of a package for this Python, from their hashes.

    Raises InstallationError if the package has no wheels for this Python.
    """
    return hashlib.sha256(wheel_list(package).read_bytes()).hexdigest()


def keep_package(places: InstallationPaths, version: str) -> Path:
    """Keep the wheels of the package, as links to the same files where that is possible; return their folder.

    Raises OSError if they cannot be kept.
    """
    kept = places.kept_package(version)
    new = kept.with_name(f"{version}.new")
    shutil.rmtree(new, ignore_errors=True)
    (new / "wheels").mkdir(parents=True)
    for file in [*places.package.glob(HASH_LISTS), *places.package.glob("wheels/*.whl")]:
        target = new / file.relative_to(places.package)
        try:
            os.link(file, target)
        except OSError:  # on another disk
            shutil.copyfile(file, target)
    os.sync()
    shutil.rmtree(kept, ignore_errors=True)
    new.replace(kept)
    return kept


def remove_other_packages(places: InstallationPaths) -> None:
    """Remove the wheels of versions that are neither the current nor the previous one."""
    folder = places.kept_package("")
    if not folder.is_dir():
        return
    kept = {link.readlink().name.partition("~")[0] for link in (places.current, places.previous) if link.is_symlink()}
    for each in folder.iterdir():
        if each.name not in kept:
            shutil.rmtree(each, ignore_errors=True)
