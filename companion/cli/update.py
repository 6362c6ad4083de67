"""The command ``update``: installs a newer version from a file, a folder or an address."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.printing import say

from .common import CommandError, standard_input
from .find_packages import packages_in, update_places

if TYPE_CHECKING:
    from companion.installation.updates import FoundPackage


def update(wanted: argparse.Namespace) -> int:
    """Look for a newer version, ask, and install it."""
    from companion.installation.fetch_package import UpdateError
    from companion.installation.places import Places, version_of
    from companion.installation.updates import apply, architecture, is_newer, newest, taken

    from .update_as_root import for_the_box

    places = Places()
    here = version_of(places.current)
    if here is None:
        raise CommandError("this program was not installed from a package, so it is updated the way it was installed")
    if os.geteuid() != 0:
        raise CommandError("updating needs root's rights: sudo companion update")
    if wanted.box is not None:
        return for_the_box(wanted, places, here)
    try:
        processor = architecture()
        offers, faults = packages_in(update_places(wanted), processor)
        offer = newest(offers)
        if offer is None:
            raise faults[0] if faults else CommandError(f"there is no package for this box in {_looked_at(wanted)}")
        for fault in faults:
            say(f"companion: {fault}", error=True)
        newer, failed = is_newer(offer.version, here), places.failed(offer.version)
        if not newer:
            say(f"{offer.place} has {offer.version}; this box has {here}")
            if wanted.source is None:
                return 0
        if failed.exists():
            say(f"{offer.version} failed on this box on {day_of(failed)}, which is why it has {here}: {failed}")
        # Without a question it installs nothing that is older, and nothing that has failed here.
        if not (wanted.yes and newer and not failed.exists()) and not _agreed(offer, here):
            return 0
        say(f"checking {offer.place}", flush=True)
        with taken(offer, places, processor) as package:
            failed.unlink(missing_ok=True)  # the package would refuse itself
            say("installing it; a pulled plug does no harm", flush=True)
            apply(package)
    except UpdateError as fault:
        raise CommandError(str(fault)) from None
    runs = version_of(places.current)
    if runs != offer.version:
        raise CommandError(f"{offer.version} is not what runs: this box has {runs}; why: sudo companion doctor")
    say(f"installed: {runs}")
    return 0


def day_of(mark: Path) -> str:
    try:
        return mark.read_text("utf-8", "replace").partition("\n")[0][:20]
    except OSError:
        return "a day that is not known"


def _looked_at(wanted: argparse.Namespace) -> str:
    looked_at = update_places(wanted)
    return " or ".join(looked_at) if looked_at else "the settings (no address), and no USB drive is mounted"


def _agreed(offer: FoundPackage, here: str) -> bool:
    say(f"Install {offer.version} from {offer.place}? This box has {here}. [y/N] ", end="", flush=True)
    return standard_input().readline().strip().lower() in ("y", "yes")
