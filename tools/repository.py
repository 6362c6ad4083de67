"""Makes a signed repository of the packages in dist, for apt: ``python -m tools.repository`` (or ``make repository``).

It is the folder dist/tabletop-companion, with a folder for each release of Debian. Copied to a USB drive, or put at an
address, it is where boxes find updates. Beside it user-data is written, which makes a Pi a box at its first start.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from . import ROOT
from .debian_package import KEYS, NAME, PackageError, run
from .wheels import SYSTEMS

FIRST_BOOT = ROOT / "systemd/first-boot/user-data"
SETTINGS = ROOT / "systemd/companion.toml"


def make(dist: Path, keys: Path, key: str = "") -> Path:
    """Make the repository of all packages in a folder, and return its folder.

    Args:
        dist: The folder of the packages, in which it is made anew.
        keys: GnuPG's folder with the key that signs it.
        key: Which key of that folder signs, if there are several.

    Raises:
        PackageError: A program is missing, or failed.
    """
    made = dist / NAME
    shutil.rmtree(made, ignore_errors=True)
    gpg = ["gpg", "--homedir", str(keys), *(["--local-user", key] if key else [])]
    about = [f"-oAPT::FTPArchive::Release::{field}=Tabletop Companion" for field in ("Origin", "Label")]
    for release in SYSTEMS:
        folder = made / f"debian-{release}"
        folder.mkdir(parents=True)
        for package in dist.glob(f"{NAME}_*+deb{release}_*.deb"):
            shutil.copyfile(package, folder / package.name)
        (folder / "Packages").write_bytes(run(["apt-ftparchive", "packages", "."], folder=folder))
        (folder / "Release").write_bytes(run(["apt-ftparchive", *about, "release", "."], folder=folder))
        run([*gpg, "--clearsign", "--output", str(folder / "InRelease"), str(folder / "Release")])
        (folder / "Release").unlink()
    public = run(["gpg", "--homedir", str(keys), "--export", "--armor", "--export-options", "export-minimal"]).decode()
    lines = "\n".join(f"     {line or '.'}" for line in public.splitlines())  # as apt reads a key within its sources
    text = FIRST_BOOT.read_text("utf-8").replace("     @KEYS@", lines)
    (dist / "user-data").write_text(text, "utf-8")
    shutil.copyfile(SETTINGS, dist / SETTINGS.name)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the repository; return the exit status."""
    parser = argparse.ArgumentParser(prog="tools.repository", description="Makes a signed repository for apt.")
    parser.add_argument("--keys", type=Path, default=KEYS, help="GnuPG's folder with the release key")
    parser.add_argument("--key", default="", help="which key signs, if the folder has several")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    wanted = parser.parse_args(arguments)
    try:
        print(f"The repository is in {make(wanted.dist, wanted.keys, wanted.key)}.")
    except PackageError as fault:
        print(f"No repository was made: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
