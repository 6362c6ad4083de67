"""Builds a version in a folder of its own: a virtual environment filled from the wheels of the package.

Nothing is fetched, and each wheel is compared with its hash. The folder is built at its final path, because a virtual
environment cannot be moved.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path

from .places import Places


class InstallationFault(Exception):
    """A version cannot be installed; the message is a sentence."""


def locked(places: Places) -> Path:
    """Return the file with the hashes of the wheels for the Python that runs this.

    Raises:
        InstallationFault: The package has no wheels for this Python.
    """
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = places.package / f"python{python}.txt"
    if not found.exists():
        raise InstallationFault(f"this package has no wheels for Python {python}: a newer package is needed")
    return found


def new_folder(places: Places, version: str) -> Path:
    """Return the path of a version that is not built yet; its number counts up if it was built before.

    >>> new_folder(Places(Path("/nowhere")), "0.3.0").name
    '0.3.0'
    """
    names = (version if number == 1 else f"{version}~{number}" for number in count(1))
    return next(places.versions / name for name in names if not (places.versions / name).exists())


def build(places: Places, version: str) -> Path:
    """Build a version beside the others, and write it to the disk; return its folder.

    Raises:
        InstallationFault: A wheel is missing or damaged, or the disk is full. The folder is removed.
    """
    requirements = locked(places)
    folder = new_folder(places, version)
    wheels = places.package / "wheels"
    pip = next(wheels.glob("pip-*.whl"), None)
    if pip is None:
        raise InstallationFault(f"there is no pip in {wheels}: the package is damaged")
    python = folder / "bin" / "python"
    options = ["--isolated", "--quiet", "--disable-pip-version-check", "--no-index", "--find-links", str(wheels)]
    # --ignore-installed: Debian's own packages can be seen from there, but may be older.
    fresh = ["--no-deps", "--ignore-installed", "--no-compile", "--require-hashes", "--requirement", str(requirements)]
    try:
        _run("the environment", [os.path.realpath(sys.executable), "-m", "venv", "--without-pip",
                                 "--system-site-packages", "--prompt", "companion", str(folder)])  # fmt: skip
        _run("the packages", [str(python), f"{pip}/pip", *options[:3], "install", *options[3:], *fresh])
        _run("the byte code", [str(python), "-m", "compileall", "-q", str(folder / "lib")])
    except InstallationFault:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    os.sync()
    return folder


def _run(what: str, command: Sequence[str]) -> None:
    """Run one step of the build.

    Raises:
        InstallationFault: It failed.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    done = subprocess.run(command, env=clean, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise InstallationFault(f"{what} could not be made:\n{(done.stdout + done.stderr).strip()}")
