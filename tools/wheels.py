"""Collects the locked wheels of what a box needs, for a processor and a Python. Ours is not among them.

Every wheel is compared with the hashes in the lock. They are kept in build/wheels, so that a second time needs no
network.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from .locks import BUILD, Locked, LockError, lock_for, read
from .release import ROOT
from .target_machines import MACHINES, Machine

CACHE = ROOT / "build" / "wheels"


class WheelError(Exception):
    """The wheels cannot be collected; the message is a sentence."""


def collect(architecture: str, python: str, folder: Path) -> list[Path]:
    """Put the locked wheels for a machine into a folder, pip's with them, and return their paths.

    Args:
        architecture: Debian's name of the processor: arm64 or amd64.
        python: The version of Python, such as "3.11".
        folder: The folder; it is made if it is not there.

    Raises:
        WheelError: There is no lock for it, or a wheel cannot be fetched.
    """
    try:
        wanted = read(lock_for(python))
        machine = next(one for one in MACHINES if (one.architecture, one.python) == (architecture, python))
        pip = next(package for package in read(BUILD) if package.name == "pip")
        found = fetched(machine, [*wanted, pip])
    except LockError as fault:
        raise WheelError(str(fault)) from None
    folder.mkdir(parents=True, exist_ok=True)
    return sorted(Path(shutil.copy(wheel, folder)) for wheel in found)


def fetched(machine: Machine, packages: Sequence[Locked], cache: Path = CACHE) -> list[Path]:
    """Return the wheels of packages for a machine; those that are not in the cache are fetched from PyPI.

    Raises:
        WheelError: A wheel cannot be fetched.
    """
    kept = cache / f"{machine.architecture}-{machine.python}"
    kept.mkdir(parents=True, exist_ok=True)
    absent = [package for package in packages if _kept(package, kept) is None]
    if absent:
        _download(machine, absent, kept)
    wheels = [_kept(package, kept) for package in packages]
    if None in wheels:
        raise WheelError(f"{packages[wheels.index(None)].name} was fetched, but its hash is not in the lock")
    return [wheel for wheel in wheels if wheel is not None]


def _kept(package: Locked, folder: Path) -> Path | None:
    """Return the wheel of a package in a folder; None if it is not there with a locked hash."""
    start = f"{package.name.replace('-', '_')}-"
    for wheel in sorted(folder.glob("*.whl")):
        named = wheel.name.lower().replace(".", "_").startswith(start)
        if named and hashlib.sha256(wheel.read_bytes()).hexdigest() in package.hashes:
            return wheel
    return None


def _download(machine: Machine, packages: Sequence[Locked], folder: Path) -> None:
    """Fetch wheels with pip, which compares their hashes, too.

    Raises:
        WheelError: pip failed.
    """
    options = ["--only-binary=:all:", "--require-hashes", "--no-deps", "--implementation=cp"]
    options += [f"--python-version={machine.python}", *(f"--platform={name}" for name in machine.platforms)]
    ignored = ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX")  # other indexes have other files
    world = {key: value for key, value in os.environ.items() if key not in ignored}
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as asked:
        asked.write("".join(f"{package.requirement}\n" for package in packages))
        asked.flush()
        done = subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", *options,
             "--dest", str(folder), "--requirement", asked.name],
            env={**world, "PIP_CONFIG_FILE": os.devnull}, capture_output=True, text=True, check=False,
        )  # fmt: skip
    if done.returncode:
        raise WheelError(f"the wheels for {machine} cannot be fetched:\n{done.stderr.strip()}")
