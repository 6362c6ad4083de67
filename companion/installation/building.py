"""Builds a version in a folder of its own: a virtual environment filled from the wheels of a package.

Nothing is fetched, and each wheel is compared with its hash. The folder is built at its final path, because a virtual
environment cannot be moved.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path

from .places import InstallationPaths
from .sandbox import run_as, service_user
from .switching import works
from .wheel_store import InstallationError, wheel_list

PROGRESS = "Installing… Installation… インストール中…"
"""The sentence on the panel while a version is built, in all languages: nobody has chosen one yet."""


def new_folder(places: InstallationPaths, version: str) -> Path:
    """Return the path of a version that is not built yet; its number counts up if it was built before.

    >>> new_folder(InstallationPaths(Path("/nowhere")), "0.3.0").name
    '0.3.0'
    """
    names = (version if number == 1 else f"{version}~{number}" for number in count(1))
    return next(places.versions / name for name in names if not (places.versions / name).exists())


def build(places: InstallationPaths, version: str, package: Path) -> Path:
    """Build a version beside the others, and write it to the disk; return its folder.

    The package is the folder of its wheels and their hashes. Raises InstallationError if a wheel is missing or damaged,
    or the disk is full; the folder is then removed.
    """
    requirements = wheel_list(package)
    folder = new_folder(places, version)
    wheels = package / "wheels"
    pip = next(wheels.glob("pip-*.whl"), None)
    if pip is None:
        raise InstallationError(f"there is no pip in {wheels}: the package is damaged")
    python = folder / "bin" / "python"
    options = ["--isolated", "--quiet", "--disable-pip-version-check", "--no-index", "--find-links", str(wheels)]
    # --ignore-installed: Debian's own packages can be seen from there, but may be older.
    fresh = ["--no-deps", "--ignore-installed", "--no-compile", "--require-hashes", "--requirement", str(requirements)]
    try:
        _run("the environment", [os.path.realpath(sys.executable), "-m", "venv", "--without-pip",
                                 "--system-site-packages", "--prompt", "companion", str(folder)])  # fmt: skip
        _run("the packages", [str(python), f"{pip}/pip", *options[:3], "install", *options[3:], *fresh])
        if not works(places.current):  # nothing else is on the panel
            _show_progress(folder)
        _run("the byte code", [str(python), "-m", "compileall", "-q", str(folder / "lib")])
    except InstallationError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    os.sync()
    return folder


def _show_progress(folder: Path) -> None:
    """Say on the panel that a version is built, as the user of the service; without a panel nothing happens."""
    user = service_user()
    groups = () if user is None else os.getgrouplist(user.pw_name, user.pw_gid)
    with suppress(OSError, subprocess.TimeoutExpired):
        run_as(user, [str(folder / "bin/companion"), "splash", PROGRESS], 60, groups)


def _run(what: str, command: Sequence[str]) -> None:
    """Run one step of the build; raise InstallationError if it failed."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    done = subprocess.run(command, env=clean, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise InstallationError(f"{what} could not be made:\n{(done.stdout + done.stderr).strip()}")
