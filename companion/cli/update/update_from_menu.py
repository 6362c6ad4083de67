"""Runs as root for the box's menu: ``companion update --box look`` and ``companion update --box install``.

Nobody is asked here: the box has asked. Only a newer version is installed, and only the one that the look has found.
"""

from __future__ import annotations

import argparse

from companion.app.terminal import say
from companion.cli.common import WRONG
from companion.installation.found_update import FoundUpdate, read_found, write_found
from companion.installation.places import InstallationPaths, version_of

from . import find_packages, signed_package
from .fetch_package import UpdateError
from .find_packages import FoundPackage


def look_or_install(arguments: argparse.Namespace, places: InstallationPaths, here: str) -> int:
    """Look for a newer version, or install the one that was found; write the result where the service reads it.

    Args:
        arguments: The arguments of ``companion update``; ``box`` is ``look`` or ``install``.
        places: The places of the installation.
        here: The version of this box.
    """
    if arguments.box == "look":
        write_found(_find_newer(arguments, places, here), places.found_update)
        return 0
    found = read_found(places.found_update)
    fault = _install(found, places, here)
    if fault is None:
        return 0
    write_found(found._replace(fault=fault.kind), places.found_update)
    _say(fault)
    return WRONG


def _find_newer(arguments: argparse.Namespace, places: InstallationPaths, here: str) -> FoundUpdate:
    """Return the newest version of all places if it is newer, but for those that failed on this box.

    A place that cannot be read does not hide the others.
    """
    looked_at = find_packages.update_places(arguments)
    if not looked_at:
        return FoundUpdate(fault="nowhere")
    packages, faults = find_packages.packages_in(looked_at, find_packages.architecture())
    for fault in faults:
        _say(fault)
    failed = [package for package in packages if places.failed(package.version).exists()]
    package = find_packages.newest(package for package in packages if package not in failed)
    if package is not None and find_packages.is_newer(package.version, here):
        return FoundUpdate(package.version, package.place)
    if failed:
        return FoundUpdate(fault="failed")
    return FoundUpdate(fault=faults[0].kind if faults else "")


def _install(found: FoundUpdate, places: InstallationPaths, here: str) -> UpdateError | None:
    """Install what was found; return why that failed, or None."""
    try:
        if not found.version or not find_packages.is_newer(found.version, here):
            raise UpdateError("nothing newer was found; look first: companion update")
        package = FoundPackage(found.version, found.place)
        with signed_package.checked_copy(package, places, find_packages.architecture()) as copy:
            signed_package.install(copy)
        runs = version_of(places.current)
        if runs != found.version:
            raise UpdateError(f"{found.version} was installed, but {runs} runs", "failed")
    except UpdateError as fault:
        if fault.kind == "install" and places.failed(found.version).exists():
            fault.kind = "failed"  # it was installed and then left, and so apt failed
        return fault
    return None


def _say(fault: UpdateError) -> None:
    say(f"companion: {fault}", error=True, flush=True)
