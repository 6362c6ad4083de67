"""Checks who signed a package, and hands it to apt.

A package is copied where only root may write before it is looked at, so that it cannot be changed in between. Nobody
but the holders of the release keys can make a package that is taken.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from companion.installation.places import InstallationPaths

from .fetch_package import UpdateError, copy_bounded
from .find_packages import NAME, FoundPackage, output_of, signature_of

LARGEST = 100_000_000
"""The most bytes of a package; ours have a fifth of that."""


@contextmanager
def checked_copy(package: FoundPackage, places: InstallationPaths, processor: str) -> Iterator[Path]:
    """Copy a package and check it; the copy, which only root can read and change, is there meanwhile.

    Raises:
        UpdateError: It cannot be copied, is not signed by a release key, or is not what its name says; or another
            update is going on.
    """
    if not places.signers.exists() or not places.signers.read_text("utf-8").strip():
        sentence = "this installation knows no release key, so it takes no updates: sudo apt install ./FILE"
        raise UpdateError(sentence, "signature")
    with _own_folder(places.downloads) as folder:
        yield _copied_and_checked(package, folder, places, processor)


@contextmanager
def _own_folder(folder: Path) -> Iterator[Path]:
    """Have an empty folder that only root can read, and that no other update uses; it is emptied at the end.

    Raises UpdateError if another update uses it, or it cannot be made.
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


def _copied_and_checked(package: FoundPackage, folder: Path, places: InstallationPaths, processor: str) -> Path:
    """Copy a package into a folder and check it there; return the copy.

    Raises UpdateError if it cannot be copied, is not signed by a release key, or is not what its name says.
    """
    copy = folder / f"{NAME}_{package.version}_{processor}.deb"
    try:
        copy_bounded(package.place, copy, LARGEST)
        try:
            copy_bounded(f"{package.place}.sig", signature_of(copy), 10_000)
        except FileNotFoundError:
            raise UpdateError(f"{package.place} has no signature beside it: {package.place}.sig", "unsigned") from None
        _verify(copy, places.signers, places.revoked_signers)
    except OSError as error:
        kind = "space" if error.errno == errno.ENOSPC else "drive"
        raise UpdateError(f"{package.place} cannot be copied: {(error.strerror or str(error)).lower()}", kind) from None
    expected = f"Package: {NAME}\nVersion: {package.version}\nArchitecture: {processor}\n"
    fields = ["dpkg-deb", "--field", str(copy), "Package", "Version", "Architecture"]
    printed = output_of(fields, "the package is damaged", kind="package")
    if printed != expected:
        raise UpdateError(f"{package.place} is not what its name says: {' '.join(printed.split())}", "package")
    return copy


def install(package: Path) -> None:
    """Install a package with apt; first finish what a pulled plug has interrupted.

    Raises:
        UpdateError: apt failed; its message is in the sentence. The version before goes on.
    """
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    # What still fails is put right by the package, or apt says so.
    subprocess.run(["dpkg", "--configure", "-a"], env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    command = ["apt-get", "-o", "DPkg::Lock::Timeout=600", "install", "--yes", "--quiet"]
    command += ["--allow-downgrades", "--reinstall", "--no-install-recommends"]
    output_of([*command, str(package)], "the package cannot be installed", env, "install")


def _verify(package: Path, signers: Path, revoked: Path) -> None:
    """Check the signature beside a package.

    Raises UpdateError if it is missing, damaged, or made with another key or one that was revoked.
    """
    command = ["ssh-keygen", "-Y", "verify", "-f", str(signers), "-I", "release", "-n", NAME]
    command += ["-s", str(signature_of(package)), *(["-r", str(revoked)] if revoked.exists() else [])]
    if shutil.which(command[0]) is None:
        raise UpdateError("ssh-keygen is missing, which checks who signed an update: sudo apt install openssh-client")
    with package.open("rb") as content:
        checked = subprocess.run(command, stdin=content, capture_output=True, check=False)
    if checked.returncode:
        raise UpdateError("the package is damaged, or was not signed by a release key of this box", "signature")
