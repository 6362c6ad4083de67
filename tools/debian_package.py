"""Makes the Debian packages: ``python -m tools.debian_package arm64`` (or ``make deb``); they are written to dist.

A package is for one release of Debian and one processor. It holds the finished program (`tools.wheels`), which
debhelper puts together with units and scripts, as the folder debian says. Built twice from the same commit, its bytes
are the same. It also holds the public keys of those whose updates a box takes (`tools.repository`).
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from . import ROOT
from .wheels import SYSTEMS, WheelError, assemble, build, collect

NAME = "tabletop-companion"
ARCHITECTURES = ("arm64", "amd64")

COLLECTED = "build/package"
"""Where debian/install takes program and keys from."""

KEYS = Path("~/.config/tabletop-companion/gnupg").expanduser()
"""GnuPG's folder with the key that signs repositories, and with the public keys of others that may."""


class PackageError(Exception):
    """The package cannot be made; the message is a sentence."""


def moment(root: Path = ROOT) -> int:
    """Return the time given to every file: $SOURCE_DATE_EPOCH, or that of the last commit, in seconds since 1970."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    if said is None:
        said = ""
        with suppress(FileNotFoundError):  # a machine that installs from an archive may have no git
            done = subprocess.run(
                ["git", "log", "-1", "--format=%ct"], cwd=root, capture_output=True, text=True, check=False
            )
            said = done.stdout.strip()
    return int(said or 315532800)  # without a history: the earliest time that a wheel can hold


def program_version() -> str:
    """Return the version of the program, as the project has it."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def make(architecture: str, release: str, dist: Path, keys: Path | None) -> Path:
    """Make the package for a processor and a release of Debian, and return its path.

    Args:
        architecture: Debian's name of the processor.
        release: The number of the release.
        dist: The folder it is written to.
        keys: GnuPG's folder with the keys that may sign updates; None for a package that takes none.

    Raises:
        PackageError: A program is missing, or failed.
        WheelError: The program's folder cannot be made.
    """
    os.environ["SOURCE_DATE_EPOCH"] = str(moment())  # for the wheel and dpkg
    system = SYSTEMS[release]
    version = f"{program_version()}+deb{release}"  # newer than that for the release before
    dist.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        tree, wheels = Path(made, "tree"), Path(made, "wheels")
        for name in ("debian", "systemd"):
            shutil.copytree(ROOT / name, tree / name, copy_function=shutil.copyfile)
        (tree / "debian/rules").chmod(0o755)
        entry = tree / "debian/changelog"
        entry.write_text(entry.read_text("utf-8").replace(f"({program_version()})", f"({version})", 1), "utf-8")
        collect(architecture, system, wheels)
        build(wheels, club=False)
        assemble(tree / COLLECTED / "program", wheels, architecture, system)
        (tree / COLLECTED / f"{NAME}.gpg").write_bytes(b"" if keys is None else public_keys(keys))
        return Path(shutil.copy(_pack(tree, architecture, version), dist))


def _pack(tree: Path, architecture: str, version: str) -> Path:
    """Let debhelper make the package of a folder, and return its path; raise PackageError if it fails."""
    if shutil.which("dh") is None:
        raise PackageError("debhelper is missing: sudo apt install debhelper")
    # Nothing is compiled, so a package for another processor needs no compiler for it: -d.
    run(["dpkg-buildpackage", "-b", "-d", "-uc", "-us", f"-a{architecture}"], folder=tree)
    made = tree.parent / f"{NAME}_{version}_{architecture}.deb"
    if not made.exists():
        raise PackageError(f"debian/changelog names another version than pyproject.toml, {version}")
    return made


def public_keys(folder: Path) -> bytes:
    """Return the public keys in GnuPG's folder; make a key at the first time.

    At a terminal gpg asks for a passphrase. Raises PackageError if gpg fails.
    """
    if not folder.exists():
        folder.mkdir(parents=True, mode=0o700)
        silent = [] if sys.stdin.isatty() else ["--batch", "--passphrase", ""]
        run(
            [
                "gpg",
                "--homedir",
                str(folder),
                *silent,
                "--quick-generate-key",
                f"{NAME} release",
                "ed25519",
                "sign",
                "0",
            ]
        )
        print(f"A new release key is in {folder}. Keep it safe: boxes take updates from nobody else.")
    return run(["gpg", "--homedir", str(folder), "--export", "--export-options", "export-minimal"])


def own_system() -> str:
    """Return the number of this machine's Debian; raise PackageError if it is none of those supported."""
    number = ""
    with suppress(OSError):  # a system that does not say what it is
        number = platform.freedesktop_os_release().get("VERSION_ID", "")
    if number not in SYSTEMS:
        raise PackageError(f"this is no Debian {' or '.join(SYSTEMS)}")
    return number


def run(command: Sequence[str], world: Mapping[str, str] | None = None, folder: Path | None = None) -> bytes:
    """Run a program and return what it prints; raise PackageError if it is missing, or fails."""
    if shutil.which(command[0]) is None:
        raise PackageError(f"{command[0]} is missing: packages are made on Debian or Raspberry Pi OS")
    done = subprocess.run(command, env=world, cwd=folder, check=False, capture_output=True)
    if done.returncode:
        raise PackageError(f"{' '.join(command)} failed:\n{(done.stdout + done.stderr).decode(errors='replace')}")
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the packages; return the exit status."""
    parser = argparse.ArgumentParser(prog="tools.debian_package", description="Makes the Debian packages.")
    parser.add_argument("architectures", metavar="ARCHITECTURE", nargs="*", help=f"of {', '.join(ARCHITECTURES)}")
    parser.add_argument("--release", choices=SYSTEMS, action="append", help="the number of a Debian (default: each)")
    parser.add_argument("--own", action="store_true", help="for this machine alone; it takes no updates")
    parser.add_argument("--keys", type=Path, default=KEYS, help="GnuPG's folder with the release key")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    wanted = parser.parse_args(arguments)
    try:
        architectures, releases = wanted.architectures or ARCHITECTURES, wanted.release or [*SYSTEMS]
        if wanted.own:
            architectures, releases = [run(["dpkg", "--print-architecture"]).decode().strip()], [own_system()]
        for architecture in architectures:
            for release in releases:
                began = time.monotonic()
                package = make(architecture, release, wanted.dist, None if wanted.own else wanted.keys)
                size = package.stat().st_size / 1e6
                print(f"{package}: {size:.1f} MB, made in {time.monotonic() - began:.0f} s")
    except (PackageError, WheelError) as fault:
        print(f"No package was made: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
