"""Try the newest versions of what the program needs to run: list those that are newer, and run tests with them.

They go into a folder of their own, build/outdated, which stands before the virtual environment; the environment stays
as it is. Limits in pyproject.toml do not count here: the point is to learn of a break before they are lifted.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import distributions
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "build" / "outdated"
EXTRAS = ("page", "pi")


def needed(project: Path = ROOT / "pyproject.toml") -> list[str]:
    """Return the names of the packages that the program needs to run, those of its extras with them."""
    said = tomllib.loads(project.read_text("utf-8"))["project"]
    extras = [line for extra in EXTRAS for line in said["optional-dependencies"][extra]]
    return sorted({Requirement(line).name for line in [*said["dependencies"], *extras]})


def versions(*paths: str) -> dict[str, str]:
    """Return the versions of the packages in folders (none: of this environment)."""
    found = distributions(path=list(paths)) if paths else distributions()
    return {one.name.lower().replace("_", "-"): one.version for one in found}


def newer(installed: dict[str, str], newest: dict[str, str]) -> list[str]:
    """Return a line for each package whose newest version is not the installed one."""
    changed = [name for name in sorted(newest) if name in installed and newest[name] != installed[name]]
    return [f"{name:20} {installed[name]:>12} -> {newest[name]}" for name in changed]


def main(tests: list[str]) -> int:
    """Install, list and test; return pytest's exit status."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade"]
    subprocess.run([*pip, "--target", str(FOLDER), *needed()], check=True)
    print(*newer(versions(), versions(str(FOLDER))) or ["Everything is the newest."], sep="\n", flush=True)
    world = {**os.environ, "PYTHONPATH": str(FOLDER)}
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *tests], cwd=ROOT, env=world, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
