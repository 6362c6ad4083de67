"""The lock files: every package that a box or the build needs, with its version and hashes.

``python -m tools.locks`` (or ``make lock``) makes them again with the newest versions. It needs uv, which is no part
of the development tools because of its 60 MB: ``make lock`` installs it in a folder of its own.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

from .release import ROOT

LOCKS = ROOT / "debian" / "locks"
BUILD = LOCKS / "build.txt"
"""What builds the package: the build back-end, and the pip that the package holds."""

EXTRAS = ("page", "pi")
"""The extras that a box needs."""

NOT_NEEDED = "setuptools"
"""Left out of what a box needs: the metadata of colorzero names it, but nothing imports it, and it takes 7 MB."""

PYPI = "https://pypi.org/simple"


class Locked(NamedTuple):
    """A package in a lock file: its name, its version, and the SHA-256 hashes of its files on PyPI."""

    name: str
    version: str
    hashes: frozenset[str]

    @property
    def requirement(self) -> str:
        """Return it as a line of pip's requirements."""
        return " ".join([f"{self.name}=={self.version}", *(f"--hash=sha256:{each}" for each in sorted(self.hashes))])


class LockError(Exception):
    """A lock file is missing, or cannot be made; the message is a sentence."""


def lock_for(python: str, folder: Path = LOCKS) -> Path:
    """Return the lock file of what a box needs.

    Raises:
        LockError: There is none for this Python.
    """
    path = folder / f"python{python}.txt"
    if not path.exists():
        raise LockError(f"there is no lock file for Python {python}")
    return path


def read(path: Path) -> tuple[Locked, ...]:
    """Return the packages in a lock file."""
    text = re.sub(r"^\s*#.*\n", "", path.read_text("utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    packages = []
    for line in filter(str.strip, text.splitlines()):
        package, *hashes = line.split()
        name, _, version = package.partition("==")
        packages.append(Locked(name, version, frozenset(each.removeprefix("--hash=sha256:") for each in hashes)))
    return tuple(packages)


def recipes(project: Path = ROOT / "pyproject.toml") -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return how each lock file is made: requirements for uv's standard input, and uv's arguments."""
    back_end = tomllib.loads(project.read_text("utf-8"))["build-system"]["requires"]
    extras = [f"--extra={extra}" for extra in EXTRAS]
    said: dict[str, tuple[str, tuple[str, ...]]] = {
        BUILD.name: ("\n".join([*back_end, "pip"]), ("--python-version=3.11",)),
    }
    for python in ("3.11", "3.13"):
        machine = (f"--python-version={python}", "--python-platform=aarch64-manylinux_2_36")
        said[f"python{python}.txt"] = ("", (*machine, *extras, f"--no-emit-package={NOT_NEEDED}", project.name))
    return said


def header(name: str) -> str:
    """Return the comment at the beginning of a lock file."""
    lines = ["# Made by `make lock`: the newest versions on PyPI, with the hashes of all their files."]
    if name.startswith("python"):
        lines.append(f"# Without {NOT_NEEDED}: the metadata of colorzero names it, but nothing imports it.")
    return "\n".join([*lines, ""])


def make(name: str, asked: str, arguments: tuple[str, ...]) -> str:
    """Return the content of a lock file.

    Raises:
        LockError: uv is missing or failed.
    """
    options = ["--no-config", "--quiet", f"--default-index={PYPI}", "--generate-hashes", "--no-header"]
    done = subprocess.run(
        [sys.executable, "-m", "uv", "pip", "compile", *options, *arguments, *(["-"] if asked else [])],
        input=asked,
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if not key.startswith("UV_")},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise LockError(f"uv failed:\n{done.stderr.strip()}")
    return header(name) + done.stdout.partition("\n# The following packages were excluded")[0]


def main() -> int:
    """Make all lock files; return the exit status. If one cannot be made, all stay as they are."""
    try:
        made = {name: make(name, *recipe) for name, recipe in recipes().items()}
    except LockError as fault:
        print(f"The lock files were not changed: {fault}", file=sys.stderr)
        return 1
    LOCKS.mkdir(exist_ok=True)
    for name, text in made.items():
        (LOCKS / name).write_text(text, "utf-8")
        print(f"{name}: {len(read(LOCKS / name))} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
