"""Finds a newer version in a folder or at an address, checks who signed it, and hands it to apt.

A package is copied where only root may write before it is looked at, so that it cannot be changed in between. Nobody
but the holders of the release keys can make a package that is taken.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from .fetch_package import UpdateError, copy_bounded, fetched
from .places import Places

NAME = "tabletop-companion"
VERSION = r"[0-9][A-Za-z0-9.+~-]{0,60}"

LARGEST = 100_000_000
"""The most bytes of a package; ours have a fifth of that."""

LONGEST_LOOK = 40.0
"""The most seconds that an address may take to name its version."""


class FoundPackage(NamedTuple):
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
        UpdateError: This is no Debian.
    """
    return _output(["dpkg", "--print-architecture"], "the processor cannot be told").strip()


def is_newer(version: str, than: str | None) -> bool:
    """Return whether a version is newer than another, as dpkg compares them; every version is newer than none."""
    if than is None:
        return True
    compared = subprocess.run(["dpkg", "--compare-versions", version, "gt", than], check=False, capture_output=True)
    return compared.returncode == 0


def offers_in(folder: Path, processor: str) -> list[FoundPackage]:
    """Return the packages in a folder for a processor; what is no plain file, or has no signature, is none.

    Raises:
        UpdateError: The folder cannot be read, or none of its packages has a signature.
    """
    named = re.compile(rf"{NAME}_({VERSION})_{re.escape(processor)}\.deb")
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        raise UpdateError(f"{folder} cannot be read: {(error.strerror or str(error)).lower()}", "drive") from None
    found = ((named.fullmatch(name), folder / name) for name in names)
    packages = [FoundPackage(match[1], str(path)) for match, path in found if match and _plain(path)]
    signed = [offer for offer in packages if _plain(_signature(Path(offer.place)))]
    if packages and not signed:
        raise UpdateError(
            f"{packages[-1].place} has no signature beside it: copy {packages[-1].place}.sig, too", "unsigned"
        )
    return signed


def offer_at(address: str, processor: str) -> FoundPackage:
    """Return the newest package at an address.

    Raises:
        UpdateError: The address cannot be reached, or says no version.
    """
    base = address.rstrip("/")
    version = _in_time(lambda: fetched(f"{base}/version.txt", 200), base).decode("ascii", "replace").strip()
    if not re.fullmatch(VERSION, version):
        raise UpdateError(f"{base}/version.txt does not name a version", "address")
    return FoundPackage(version, f"{base}/{NAME}_{version}_{processor}.deb")


def _in_time(look: Callable[[], bytes], address: str) -> bytes:
    """Return what a look returns; a server that holds it up is left, with a thread that ends with the program.

    Raises:
        UpdateError: The look has raised it, or takes too long.
    """
    came: SimpleQueue[bytes | Exception] = SimpleQueue()

    def run() -> None:
        try:
            came.put(look())
        except Exception as error:  # raised again below
            came.put(error)

    Thread(target=run, daemon=True).start()
    try:
        found = came.get(timeout=LONGEST_LOOK)
    except Empty:
        raise UpdateError(f"{address} takes longer than {LONGEST_LOOK:.0f} seconds", "address") from None
    if isinstance(found, Exception):
        raise found
    return found


def newest(offers: Iterable[FoundPackage]) -> FoundPackage | None:
    """Return the offer with the newest version; None if there are none."""
    best: FoundPackage | None = None
    for offer in offers:
        if best is None or is_newer(offer.version, best.version):
            best = offer
    return best


@contextmanager
def taken(offer: FoundPackage, places: Places, processor: str) -> Iterator[Path]:
    """Copy an offered package and check it; the copy, which only root can read and change, is there meanwhile.

    Raises:
        UpdateError: It cannot be copied, is not signed by a release key, or is not what its name says; or another
            update is going on.
    """
    if not places.signers.exists() or not places.signers.read_text("utf-8").strip():
        sentence = "this installation knows no release key, so it takes no updates: sudo apt install ./FILE"
        raise UpdateError(sentence, "signature")
    with _own_folder(places.downloads) as folder:
        yield _taken(offer, folder, places, processor)


@contextmanager
def _own_folder(folder: Path) -> Iterator[Path]:
    """Have an empty folder that only root can read, and that no other update uses; it is emptied at the end.

    Raises:
        UpdateError: Another update uses it, or it cannot be made.
    """

    def empty() -> None:
        for path in folder.iterdir():
            path.unlink()

    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            opened = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, opened)
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            folder.chmod(0o700)
            empty()
        except BlockingIOError:
            raise UpdateError("another update is going on") from None
        except OSError as error:
            kind = "space" if error.errno == errno.ENOSPC else "other"
            raise UpdateError(f"{folder} cannot be used: {(error.strerror or str(error)).lower()}", kind) from None
        stack.callback(empty)
        yield folder


def _taken(offer: FoundPackage, folder: Path, places: Places, processor: str) -> Path:
    """Copy a package into a folder and check it there; return the copy.

    Raises:
        UpdateError: It cannot be copied, is not signed by a release key, or is not what its name says.
    """
    copy = folder / f"{NAME}_{offer.version}_{processor}.deb"
    try:
        copy_bounded(offer.place, copy, LARGEST)
        try:
            copy_bounded(f"{offer.place}.sig", _signature(copy), 10_000)
        except FileNotFoundError:
            raise UpdateError(f"{offer.place} has no signature beside it: {offer.place}.sig", "unsigned") from None
        _verify(copy, places.signers, places.revoked_signers)
    except OSError as error:
        kind = "space" if error.errno == errno.ENOSPC else "drive"
        raise UpdateError(f"{offer.place} cannot be copied: {(error.strerror or str(error)).lower()}", kind) from None
    wanted = f"Package: {NAME}\nVersion: {offer.version}\nArchitecture: {processor}\n"
    fields = ["dpkg-deb", "--field", str(copy), "Package", "Version", "Architecture"]
    told = _output(fields, "the package is damaged", kind="package")
    if told != wanted:
        raise UpdateError(f"{offer.place} is not what its name says: {' '.join(told.split())}", "package")
    return copy


def apply(package: Path) -> None:
    """Install a package with apt; first finish what a pulled plug has interrupted.

    Raises:
        UpdateError: apt failed; its message is in the sentence. The version before goes on.
    """
    world = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    # What still fails is put right by the package, or apt says so.
    subprocess.run(["dpkg", "--configure", "-a"], env=world, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    install = ["apt-get", "-o", "DPkg::Lock::Timeout=600", "install", "--yes", "--quiet"]
    install += ["--allow-downgrades", "--reinstall", "--no-install-recommends"]
    _output([*install, str(package)], "the package cannot be installed", world, "install")


def _verify(package: Path, signers: Path, revoked: Path) -> None:
    """Check the signature beside a package.

    Raises:
        UpdateError: It is missing, damaged, or made with another key or one that was revoked.
    """
    command = ["ssh-keygen", "-Y", "verify", "-f", str(signers), "-I", "release", "-n", NAME]
    command += ["-s", str(_signature(package)), *(["-r", str(revoked)] if revoked.exists() else [])]
    if shutil.which(command[0]) is None:
        raise UpdateError("ssh-keygen is missing, which checks who signed an update: sudo apt install openssh-client")
    with package.open("rb") as content:
        checked = subprocess.run(command, stdin=content, capture_output=True, check=False)
    if checked.returncode:
        raise UpdateError("the package is damaged, or was not signed by a release key of this box", "signature")


def _signature(package: Path) -> Path:
    return package.with_name(f"{package.name}.sig")


def _plain(file: Path) -> bool:
    """Return whether a path is a file, and no link to one."""
    return file.is_file() and not file.is_symlink()


def _output(command: Sequence[str], failed: str, world: dict[str, str] | None = None, kind: str = "other") -> str:
    """Return what a command prints.

    Raises:
        UpdateError: It is missing, or fails.
    """
    try:
        done = subprocess.run(command, env=world, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError:
        raise UpdateError(f"{failed}: {command[0]} is missing") from None
    if done.returncode:
        raise UpdateError(f"{failed}:\n{(done.stdout + done.stderr).strip()}", kind)
    return done.stdout
