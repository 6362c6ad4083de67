"""Chooses the version that the service starts: two links, each replaced in one step."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .places import InstallationPaths, version_in


def works(link: Path) -> bool:
    """Return whether a link leads to a version whose Python is still there."""
    return (link / "bin/python").exists()


def switch(places: InstallationPaths, folder: Path) -> None:
    """Make a version the current one, and the one before the previous one; written to the disk when this returns.

    The previous version stays as it is if the version before is the same one, built again, or has failed here. Failures
    of the version before do not count against this one. After a power cut at any moment one of the two is the current
    one.
    """
    before = places.current.resolve() if works(places.current) else None
    is_same = before is not None and version_in(before) == version_in(folder)
    has_failed = before is not None and places.failed(version_in(before)).exists()
    if before is None:
        places.previous.unlink(missing_ok=True)
    elif before != folder.resolve() and not (is_same and works(places.previous)) and not has_failed:
        _link(places.previous, before)
    places.failures.unlink(missing_ok=True)
    if not places.current.is_symlink() or version_in(places.current.readlink()) != version_in(folder):
        places.roll_back_note.unlink(missing_ok=True)  # the same version built again leaves the sentence on the panel
    _link(places.current, folder)
    os.sync()


def remove_others(places: InstallationPaths, running: Path | None = None) -> None:
    """Remove every version that is neither current nor previous, such as one whose installation was interrupted.

    The one that the service still runs stays, too.
    """
    if not places.versions.is_dir():
        return
    kept = {places.current.resolve(), places.previous.resolve(), running}
    for folder in places.versions.iterdir():
        if folder.resolve() not in kept:
            shutil.rmtree(folder, ignore_errors=True)


def _link(link: Path, folder: Path) -> None:
    """Make a link lead to a version; a link that is there is replaced in one step."""
    new = link.with_name(f"{link.name}.new")
    new.unlink(missing_ok=True)
    new.symlink_to(f"{folder.parent.name}/{folder.name}")
    new.replace(link)
    opened = os.open(link.parent, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
