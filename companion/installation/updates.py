"""Finds a newer version in a folder or at an address, checks who signed it, and hands it to apt.

A package is copied where only root may write before it is looked at, so that it cannot be changed in between. Nobody
but the holders of the release keys can make a package that is taken.
"""

from __future__ import annotations

import errno
import http.client
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, NamedTuple

from .places import Places

NAME = "tabletop-companion"
VERSION = r"[0-9][A-Za-z0-9.+~-]{0,60}"

LARGEST = 100_000_000
"""The most bytes of a package; ours have a fifth of that."""

LONGEST = 1800.0
"""The most seconds that fetching a package may take."""

SILENCE = 30.0
"""Seconds without a byte after which a server has gone."""


class UpdateFault(Exception):
    """There is no update, or it is not taken; the message is a sentence.

    Attributes:
        kind: What failed, for the panel, which has no room for the sentence: ``address``, ``drive``, ``signature``,
            ``space``, ``package``, ``install``, or ``other``.
    """

    def __init__(self, sentence: str, kind: str = "other") -> None:
        """Keep the sentence."""
        super().__init__(sentence)
        self.kind = kind


class Offer(NamedTuple):
    """A package that can be looked at.

    Attributes:
        version: Its version, as its name says.
        place: The file, or the address it is fetched from.
    """

    version: str
    place: str


def architecture() -> str:
    """Return Debian's name of this machine's processor.

    Raises:
        UpdateFault: This is no Debian.
    """
    return _output(["dpkg", "--print-architecture"], "the processor cannot be told").strip()


def is_newer(version: str, than: str | None) -> bool:
    """Return whether a version is newer than another, as dpkg compares them; every version is newer than none."""
    if than is None:
        return True
    compared = subprocess.run(["dpkg", "--compare-versions", version, "gt", than], check=False, capture_output=True)
    return compared.returncode == 0


def offers_in(folder: Path, processor: str) -> list[Offer]:
    """Return the packages in a folder for a processor; what is no plain file, or has no signature, is none.

    Raises:
        UpdateFault: The folder cannot be read.
    """
    named = re.compile(rf"{NAME}_({VERSION})_{re.escape(processor)}\.deb")
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise UpdateFault(f"{folder} cannot be read: {(error.strerror or str(error)).lower()}", "drive") from None
    found = ((named.fullmatch(name), folder / name) for name in names)
    return [
        Offer(match[1], str(path)) for match, path in found if match and path.is_file() and _signature(path).is_file()
    ]


def offer_at(address: str, processor: str) -> Offer:
    """Return the newest package at an address.

    Raises:
        UpdateFault: The address cannot be reached, or says no version.
    """
    base = address.rstrip("/")
    data = bytearray()
    _fetch(f"{base}/version.txt", data, 200)
    version = bytes(data).decode("ascii", "replace").strip()
    if not re.fullmatch(VERSION, version):
        raise UpdateFault(f"{base}/version.txt does not name a version", "address")
    return Offer(version, f"{base}/{NAME}_{version}_{processor}.deb")


def newest(offers: Iterable[Offer]) -> Offer | None:
    """Return the offer with the newest version; None if there are none."""
    best: Offer | None = None
    for offer in offers:
        if best is None or is_newer(offer.version, best.version):
            best = offer
    return best


def take(offer: Offer, places: Places, processor: str) -> Path:
    """Copy an offered package and check it; return the copy, which only root can change.

    Raises:
        UpdateFault: It cannot be copied, is not signed by a release key, or is not what its name says.
    """
    if not places.signers.exists() or not places.signers.read_text("utf-8").strip():
        sentence = "this installation knows no release key, so it takes no updates: sudo apt install ./FILE"
        raise UpdateFault(sentence, "signature")
    try:
        shutil.rmtree(places.downloads, ignore_errors=True)
        places.downloads.mkdir(parents=True, mode=0o755)
        copy = places.downloads / f"{NAME}_{offer.version}_{processor}.deb"
        _copy(offer.place, copy, LARGEST)
        try:
            _copy(f"{offer.place}.sig", _signature(copy), 10_000)
        except FileNotFoundError:
            raise UpdateFault(f"{offer.place} has no signature beside it: {offer.place}.sig", "signature") from None
        _verify(copy, places.signers)
    except OSError as error:
        kind = "space" if error.errno == errno.ENOSPC else "drive"
        raise UpdateFault(f"{offer.place} cannot be copied: {(error.strerror or str(error)).lower()}", kind) from None
    wanted = f"Package: {NAME}\nVersion: {offer.version}\nArchitecture: {processor}\n"
    fields = ["dpkg-deb", "--field", str(copy), "Package", "Version", "Architecture"]
    told = _output(fields, "the package is damaged", kind="package")
    if told != wanted:
        raise UpdateFault(f"{offer.place} is not what its name says: {' '.join(told.split())}", "package")
    return copy


def apply(package: Path) -> None:
    """Install a package with apt; first finish what a pulled plug has interrupted.

    Raises:
        UpdateFault: apt failed; its message is in the sentence. The version before goes on.
    """
    world = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    _output(["dpkg", "--configure", "-a"], "an interrupted installation cannot be finished", world, "install")
    install = ["apt-get", "install", "--yes", "--quiet", "--allow-downgrades", "--reinstall", "--no-install-recommends"]
    _output([*install, str(package)], "the package cannot be installed", world, "install")


def _verify(package: Path, signers: Path) -> None:
    """Check the signature beside a package.

    Raises:
        UpdateFault: It is missing, damaged, or made with another key.
    """
    command = ["ssh-keygen", "-Y", "verify", "-f", str(signers), "-I", "release", "-n", NAME]
    command += ["-s", str(_signature(package))]
    if shutil.which(command[0]) is None:
        raise UpdateFault("ssh-keygen is missing, which checks who signed an update: sudo apt install openssh-client")
    with package.open("rb") as content:
        checked = subprocess.run(command, stdin=content, capture_output=True, check=False)
    if checked.returncode:
        raise UpdateFault("the package is damaged, or was not signed by a release key of this box", "signature")


def _signature(package: Path) -> Path:
    return package.with_name(f"{package.name}.sig")


def _copy(place: str, target: Path, most: int) -> None:
    """Copy a file or an address, up to a size.

    Raises:
        UpdateFault: It is larger, or cannot be fetched.
        OSError: It cannot be read or written.
    """
    with target.open("wb") as written:
        if re.match("https?://", place):
            _fetch(place, written, most)
        else:
            # O_NONBLOCK: a pipe in place of the file must not hold this up.
            with open(os.open(place, os.O_RDONLY | os.O_NONBLOCK), "rb") as content:
                _pour(content, written, most, place)
        os.fsync(written.fileno())


def _fetch(address: str, into: IO[bytes] | bytearray, most: int) -> None:
    """Fetch an address, up to a size.

    Raises:
        UpdateFault: It cannot be reached, is larger, or takes too long.
    """
    try:
        with urllib.request.urlopen(address, timeout=SILENCE) as answer:
            _pour(answer, into, most, address)
    except urllib.error.HTTPError as error:
        error.close()
        raise UpdateFault(f"{address} cannot be fetched: {error.code} {error.reason}", "address") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = getattr(error, "reason", None) or error
        kind = "space" if getattr(error, "errno", None) == errno.ENOSPC else "address"
        raise UpdateFault(f"{address} cannot be fetched: {why}", kind) from None


def _pour(content: IO[bytes], into: IO[bytes] | bytearray, most: int, place: str) -> None:
    began, size = time.monotonic(), 0
    while block := content.read(1 << 16):
        size += len(block)
        if size > most:
            raise UpdateFault(f"{place} is larger than {most:,} bytes", "package")
        if time.monotonic() - began > LONGEST:
            raise UpdateFault(f"{place} takes longer than {LONGEST / 60:.0f} minutes", "address")
        if isinstance(into, bytearray):
            into += block
        else:
            into.write(block)


def _output(command: Sequence[str], failed: str, world: dict[str, str] | None = None, kind: str = "other") -> str:
    """Return what a command prints.

    Raises:
        UpdateFault: It is missing, or fails.
    """
    try:
        done = subprocess.run(command, env=world, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError:
        raise UpdateFault(f"{failed}: {command[0]} is missing") from None
    if done.returncode:
        raise UpdateFault(f"{failed}:\n{(done.stdout + done.stderr).strip()}", kind)
    return done.stdout
