"""Finds packages of the program: on USB drives, in folders, at an address, or one that is named. Compares versions."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from .fetch_package import UpdateError, fetched

NAME = "tabletop-companion"
VERSION = r"[0-9][A-Za-z0-9.+~-]{0,60}"

LONGEST_REQUEST = 40.0
"""The most seconds that an address may take to name its version."""


class FoundPackage(NamedTuple):
    """A package that was found."""

    version: str  # its version, as its name says
    place: str  # the file, or the address it is fetched from


def update_places(arguments: argparse.Namespace) -> list[str]:
    """Return the source, or else the folders of the drives and the address of the settings."""
    if arguments.source is not None:
        return [arguments.source]
    from companion.ui.translations import languages
    from hardware.mounted_drives import drives
    from hardware.owner_settings import load

    address = load(arguments.config, languages).update.address
    return [*map(str, drives(writable=False)), *([address] if address else [])]


def packages_in(places: Iterable[str], processor: str) -> tuple[list[FoundPackage], list[UpdateError]]:
    """Return the packages in some places, and why others cannot be read: one does not hide the others."""
    packages: list[FoundPackage] = []
    faults: list[UpdateError] = []
    for place in places:
        try:
            packages += _packages_at(place, processor)
        except UpdateError as fault:
            faults.append(fault)
    return packages, faults


def _packages_at(place: str, processor: str) -> Iterator[FoundPackage]:
    """Yield the packages at an address, in a folder, or the one that is named.

    Raises UpdateError if the place cannot be read, or names no package.
    """
    if re.match("https?://", place):
        yield package_at_address(place, processor)
    elif Path(place).is_dir():
        yield from packages_in_folder(Path(place), processor)
    else:
        named = re.fullmatch(r"tabletop-companion_([^_]+)_[a-z0-9]+\.deb", Path(place).name)
        if named is None or not Path(place).is_file():
            raise UpdateError(f"{place} is no package: its name is tabletop-companion_VERSION_{processor}.deb")
        yield FoundPackage(named[1], str(Path(place).resolve()))


def packages_in_folder(folder: Path, processor: str) -> list[FoundPackage]:
    """Return the packages in a folder for a processor; what is no plain file, or has no signature, is none.

    Raises UpdateError if the folder cannot be read, or none of its packages has a signature.
    """
    named = re.compile(rf"{NAME}_({VERSION})_{re.escape(processor)}\.deb")
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise UpdateError(f"{folder} cannot be read: {(error.strerror or str(error)).lower()}", "drive") from None
    found = ((named.fullmatch(name), folder / name) for name in names)
    packages = [FoundPackage(match[1], str(path)) for match, path in found if match and is_plain(path)]
    signed = [each for each in packages if is_plain(signature_of(Path(each.place)))]
    if packages and not signed:
        raise UpdateError(
            f"{packages[-1].place} has no signature beside it: copy {packages[-1].place}.sig, too", "unsigned"
        )
    return signed


def package_at_address(address: str, processor: str) -> FoundPackage:
    """Return the newest package at an address.

    Raises UpdateError if the address cannot be reached, or says no version.
    """
    base = address.rstrip("/")
    version = _within_time(lambda: fetched(f"{base}/version.txt", 200), base).decode("ascii", "replace").strip()
    if not re.fullmatch(VERSION, version):
        raise UpdateError(f"{base}/version.txt does not name a version", "address")
    return FoundPackage(version, f"{base}/{NAME}_{version}_{processor}.deb")


def _within_time(request: Callable[[], bytes], address: str) -> bytes:
    """Return what a request returns; one that takes too long is left to its thread, which ends with the program.

    Raises UpdateError if the request has raised it, or takes too long.
    """
    answers: SimpleQueue[bytes | Exception] = SimpleQueue()

    def run() -> None:
        try:
            answers.put(request())
        except Exception as error:  # raised again below
            answers.put(error)

    Thread(target=run, daemon=True).start()
    try:
        found = answers.get(timeout=LONGEST_REQUEST)
    except Empty:
        raise UpdateError(f"{address} takes longer than {LONGEST_REQUEST:.0f} seconds", "address") from None
    if isinstance(found, Exception):
        raise found
    return found


def newest(packages: Iterable[FoundPackage]) -> FoundPackage | None:
    """Return the package with the newest version; None if there are none."""
    best: FoundPackage | None = None
    for package in packages:
        if best is None or is_newer(package.version, best.version):
            best = package
    return best


def is_newer(version: str, than: str | None) -> bool:
    """Return whether a version is newer than another, as dpkg compares them; every version is newer than none."""
    if than is None:
        return True
    compared = subprocess.run(["dpkg", "--compare-versions", version, "gt", than], check=False, capture_output=True)
    return compared.returncode == 0


def architecture() -> str:
    """Return Debian's name of this machine's processor; raise UpdateError if this is no Debian."""
    return output_of(["dpkg", "--print-architecture"], "the processor cannot be told").strip()


def signature_of(package: Path) -> Path:
    return package.with_name(f"{package.name}.sig")


def is_plain(file: Path) -> bool:
    """Return whether a path is a file, and no link to one."""
    return file.is_file() and not file.is_symlink()


def output_of(command: Sequence[str], failed: str, env: dict[str, str] | None = None, kind: str = "other") -> str:
    """Return what a command prints; raise UpdateError if it is missing, or fails."""
    try:
        done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError:
        raise UpdateError(f"{failed}: {command[0]} is missing") from None
    if done.returncode:
        raise UpdateError(f"{failed}:\n{(done.stdout + done.stderr).strip()}", kind)
    return done.stdout
