"""Collects the wheels of a package: pip downloads those in the lock of a Python; ours is built.

pip compares every wheel with its hashes in the lock. The wheels are kept in build/wheels: they are fetched once.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from . import ROOT

LOCKS = ROOT / "debian" / "locks"
CACHE = ROOT / "build" / "wheels"
PROCESSORS = {"arm64": "aarch64", "amd64": "x86_64"}
"""The names of the processors in wheels, by Debian's."""

NEWEST_GLIBC = {"3.11": 36, "3.13": 41}
"""The minor version of the C library of Raspberry Pi OS 12 and 13, by the version of its Python."""

OLDEST_GLIBC = 17
"""The oldest minor version of the C library that wheels are made for."""


class WheelError(Exception):
    """The wheels cannot be collected; the message is a sentence."""


def build(folder: Path, *, club: bool = True) -> Path:
    """Build our own wheel into a folder, and return its path.

    Args:
        folder: The folder.
        club: Whether the wheel has the hub of a club, which no box needs.

    Raises:
        WheelError: hatchling failed.
    """
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    world = os.environ if club else {**os.environ, "WITHOUT_CLUB": "1"}  # hatch_build.py reads it
    done = subprocess.run(command, cwd=ROOT, env=world, check=False, capture_output=True, text=True)
    if done.returncode:
        raise WheelError(f"hatchling failed:\n{done.stdout}{done.stderr}")
    (made,) = folder.glob("*.whl")
    return made


def collect(architecture: str, python: str, folder: Path) -> list[Path]:
    """Put the locked wheels for a machine into a folder, and return their paths.

    Args:
        architecture: Debian's name of the processor: arm64 or amd64.
        python: The version of Python, such as "3.11".
        folder: The folder; it is made if it is not there.

    Raises:
        WheelError: There is no lock for this Python, or a wheel cannot be fetched.
    """
    lock = LOCKS / f"python{python}.txt"
    if not lock.exists():
        raise WheelError(f"there is no lock file for Python {python}")
    processor = PROCESSORS[architecture]
    libraries = range(NEWEST_GLIBC[python], OLDEST_GLIBC - 1, -1)
    platforms = [f"manylinux_2_{minor}_{processor}" for minor in libraries]
    asked = ["--requirement", str(lock), "--require-hashes", "--no-deps", "--only-binary=:all:"]
    asked += ["--implementation=cp", f"--python-version={python}"]
    asked += [f"--platform={name}" for name in (*platforms, f"manylinux2014_{processor}", f"linux_{processor}")]
    kept = CACHE / f"{architecture}-{python}"
    kept.mkdir(parents=True, exist_ok=True)
    here = ["--no-index", f"--find-links={kept}", f"--dest={folder}", *asked]
    if _download(here).returncode:
        fetched = _download([f"--dest={kept}", *asked])
        if fetched.returncode or (fetched := _download(here)).returncode:
            what = f"the wheels for {architecture}, Python {python}"
            raise WheelError(f"{what}, cannot be fetched:\n{fetched.stderr.strip()}")
    return sorted(folder.glob("*.whl"))


def _download(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    """Run ``pip download``, with PyPI alone: other indexes have other files."""
    ignored = ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX")
    world = {key: value for key, value in os.environ.items() if key not in ignored}
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *arguments]
    return subprocess.run(
        command, env={**world, "PIP_CONFIG_FILE": os.devnull}, capture_output=True, text=True, check=False
    )
