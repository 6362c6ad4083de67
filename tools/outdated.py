"""Try the newest versions of what the program needs to run: list those that the locks do not have, and run tests.

They go into a folder of their own, build/outdated, which stands before the virtual environment; the environment stays
as it is. Limits in pyproject.toml do not count here: the point is to learn of a break before they are lifted.
`make lock` puts newer versions into the locks.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from .locks import BUILD, EXTRAS, LOCKS, LockError, lock_for, read
from .release import ROOT

FOLDER = ROOT / "build" / "outdated"
PIP = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade")


def needed(project: Path = ROOT / "pyproject.toml") -> list[str]:
    """Return the names of the packages that the program needs to run, those of its extras with them."""
    said = tomllib.loads(project.read_text("utf-8"))["project"]
    extras = [line for extra in EXTRAS for line in said["optional-dependencies"][extra]]
    return sorted({Requirement(line).name for line in [*said["dependencies"], *extras]})


def locked(python: str, folder: Path = LOCKS) -> dict[str, str]:
    """Return the locked version of every package of a box and of the build, by name.

    Args:
        python: The version of Python; without a lock of its own, that of the newest one counts.
        folder: The folder of the locks.
    """
    try:
        box = lock_for(python, folder)
    except LockError:
        box = max(folder.glob("python*[0-9].txt"), key=lambda path: Version(path.stem.removeprefix("python")))
    paths = (folder / BUILD.name, box)
    return {package.name: package.version for path in paths for package in read(path)}


def versions(folder: Path) -> dict[str, str]:
    """Return the versions of the packages that are installed in a folder, by name."""
    return {canonicalize_name(one.name): one.version for one in distributions(path=[str(folder)])}


def newest(names: Iterable[str]) -> dict[str, str]:
    """Return the versions that pip would install today, by name."""
    asked = [*PIP, "--dry-run", "--ignore-installed", "--report", "-", *names]
    report = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    about = [one["metadata"] for one in report["install"]]
    return {canonicalize_name(one["name"]): one["version"] for one in about}


def newer(locks: Mapping[str, str], today: Mapping[str, str]) -> list[str]:
    """Return a line for each package whose newest version is not the locked one.

    >>> newer({"a": "1.0", "b": "2.0"}, {"a": "1.1", "b": "2.0"})
    ['a                             1.0 -> 1.1']
    """
    changed = [name for name in sorted(today) if name in locks and today[name] != locks[name]]
    return [f"{name:20} {locks[name]:>12} -> {today[name]}" for name in changed]


def main(tests: list[str]) -> int:
    """Install, list and test; return pytest's exit status."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    subprocess.run([*PIP, "--target", str(FOLDER), *needed()], check=True)
    locks = locked(f"{sys.version_info.major}.{sys.version_info.minor}")
    here = versions(FOLDER)
    today = {**newest(name for name in locks if name not in here), **here}
    print(*newer(locks, today) or ["The locks have the newest versions."], sep="\n", flush=True)
    world = {**os.environ, "PYTHONPATH": str(FOLDER)}
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *tests], cwd=ROOT, env=world, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
