"""What the units of the box's menu run as root: ``companion update --box look`` and ``companion update --box install``.

Nobody is asked here: the box has asked. Only a newer version is installed, and only the one that the look has found.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from companion.app.printing import say

from .common import WRONG
from .find_packages import packages_in, update_places

if TYPE_CHECKING:
    from companion.installation.fetch_package import UpdateError
    from companion.installation.found_update import FoundUpdate
    from companion.installation.places import Places


def for_the_box(wanted: argparse.Namespace, places: Places, here: str) -> int:
    """Look for a newer version, or install the one that was found; write the result where the service reads it.

    Args:
        wanted: The arguments of ``companion update``; ``box`` is ``look`` or ``install``.
        places: The places of the installation.
        here: The version of this box.
    """
    from companion.installation.found_update import read_found, write_found

    if wanted.box == "look":
        write_found(_look(wanted, places, here), places.found_update)
        return 0
    found = read_found(places.found_update)
    fault = _install(found, places, here)
    if fault is None:
        return 0
    write_found(found._replace(fault=fault.kind), places.found_update)
    _say(fault)
    return WRONG


def _look(wanted: argparse.Namespace, places: Places, here: str) -> FoundUpdate:
    """Return the newest version of all places if it is newer, but for those that failed on this box.

    A place that cannot be read does not hide the others.
    """
    from companion.installation.found_update import FoundUpdate
    from companion.installation.updates import architecture, is_newer, newest

    looked_at = update_places(wanted)
    if not looked_at:
        return FoundUpdate(fault="nowhere")
    offers, faults = packages_in(looked_at, architecture())
    for fault in faults:
        _say(fault)
    left = [offer for offer in offers if places.failed(offer.version).exists()]
    offer = newest(offer for offer in offers if offer not in left)
    if left and (offer is None or not is_newer(offer.version, here)):
        return FoundUpdate(fault="failed")
    if offer is not None and is_newer(offer.version, here):
        return FoundUpdate(offer.version, offer.place)
    return FoundUpdate(fault=faults[0].kind if faults else "")


def _install(found: FoundUpdate, places: Places, here: str) -> UpdateError | None:
    from companion.installation.fetch_package import UpdateError
    from companion.installation.places import version_of
    from companion.installation.updates import FoundPackage, apply, architecture, is_newer, taken

    try:
        if not found.version or not is_newer(found.version, here):
            raise UpdateError("nothing newer was found; look first: companion update")
        with taken(FoundPackage(found.version, found.place), places, architecture()) as package:
            apply(package)
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
