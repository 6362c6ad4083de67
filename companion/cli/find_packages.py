"""Finds packages of the program: in a file, in folders, on USB drives, at an address."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .common import CommandError

if TYPE_CHECKING:
    from companion.installation.fetch_package import UpdateError
    from companion.installation.updates import FoundPackage


def packages_in(places: Iterable[str], processor: str) -> tuple[list[FoundPackage], list[UpdateError]]:
    """Return the packages in some places, and why others cannot be read: one does not hide the others."""
    from companion.installation.fetch_package import UpdateError

    offers: list[FoundPackage] = []
    faults: list[UpdateError] = []
    for place in places:
        try:
            offers += _packages_at(place, processor)
        except UpdateError as fault:
            faults.append(fault)
    return offers, faults


def _packages_at(place: str, processor: str) -> Iterator[FoundPackage]:
    """Yield the packages at an address, in a folder, or the one that is named.

    Raises:
        UpdateError: The place cannot be read, or names no package.
    """
    from companion.installation.fetch_package import UpdateError
    from companion.installation.updates import FoundPackage, offer_at, offers_in

    if re.match("https?://", place):
        yield offer_at(place, processor)
    elif Path(place).is_dir():
        yield from offers_in(Path(place), processor)
    else:
        named = re.fullmatch(r"tabletop-companion_([^_]+)_[a-z0-9]+\.deb", Path(place).name)
        if named is None or not Path(place).is_file():
            raise UpdateError(f"{place} is no package: its name is tabletop-companion_VERSION_{processor}.deb")
        yield FoundPackage(named[1], str(Path(place).resolve()))


def update_places(wanted: argparse.Namespace) -> list[str]:
    """Return the source, or else the folders of the drives and the address of the settings."""
    if wanted.source is not None:
        return [wanted.source]
    from companion.ui.translations import languages
    from hardware.drives import drives
    from hardware.settings import SettingsError, load

    try:
        address = load(wanted.config, languages()).update.address
    except SettingsError as fault:
        raise CommandError(str(fault)) from None
    return [*map(str, drives(writable=False)), *([address] if address else [])]
