"""Makes what is published: source archive, wheel and bills of materials, in dist; and locks the packages that are used.

``python -m tools.publish release`` says what is left to do by hand: the tag. The tools for this (160 MB) are no
development tools; they are in an environment of their own, in build/publishing.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

from . import ROOT
from .wheels import LOCKS, SYSTEMS

DIST, TOOLS = ROOT / "dist", ROOT / "build" / "publishing"
NEEDED = ("build", "check-wheel-contents", "cyclonedx-bom", "twine", "uv")
PYTHONS = tuple(system.python for system in SYSTEMS.values())
DEVELOPMENT = ROOT / "tests" / "packages.txt"
"""The versions of all packages with which the tests passed; `make` installs these."""

COMPILE = (
    *("pip", "compile", "--no-config", "--quiet", "--upgrade", "--custom-compile-command", "make lock"),
    *("--default-index", "https://pypi.org/simple"),
)
BOX = (
    *("--generate-hashes", "--python-platform", "aarch64-manylinux_2_36"),
    *("--extra", "page", "--extra", "pi", "--extra", "bridge"),
    *("--no-emit-package", "setuptools"),  # colorzero's metadata names it, but nothing imports its 7 MB
)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.publish", description=__doc__)
    parser.add_argument("what", choices=("release", "lock"))
    what = parser.parse_args().what
    if not (TOOLS / ".made").exists():
        venv.create(TOOLS, with_pip=True)
        _run("python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *NEEDED)
        (TOOLS / ".made").touch()
    if what == "lock":
        lock()
        return 0
    if why := unready():
        print(f"no release: {why}", file=sys.stderr)
        return 1
    release()
    print(f"dist is complete. Now: git tag --sign v{_version()}, and upload what is in dist")
    return 0


def unready() -> str:
    """Return why this tree can be no release; empty if it can."""
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
    if changed.stdout:
        return "there are changes that are not committed"
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    unreleased = changelog.partition("## [Unreleased]")[2].partition("\n## ")[0].strip()
    if unreleased:
        return "CHANGELOG.md has changes under Unreleased: give them a version"
    if not re.search(rf"^## \[{re.escape(_version())}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        return f"CHANGELOG.md has no heading for version {_version()}, with its date"
    return ""


def _version() -> str:
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def release() -> None:
    """Make source archive, wheel and a bill of materials for each Python, checked, in dist."""
    made = ROOT / "build" / "release"
    shutil.rmtree(made, ignore_errors=True)
    _run("python", "-m", "build", "--outdir", made)
    _run("check-wheel-contents", "--toplevel", "companion,hardware", made)
    _run("twine", "check", "--strict", *made.iterdir())
    for python in PYTHONS:
        bill = made / f"tabletop-companion-python{python}.cdx.json"
        shown = ("--pyproject", "pyproject.toml", "--output-reproducible", "--output-file", bill)
        _run("cyclonedx-py", "requirements", *shown, LOCKS / f"python{python}.txt")
    DIST.mkdir(exist_ok=True)
    for file in made.iterdir():
        shutil.copy(file, DIST)


def lock() -> None:
    """Lock the newest versions: of what a box and the build need, with hashes of all files; and of what tests need."""
    build = ("--generate-hashes", "--python-version", PYTHONS[0], "--output-file", LOCKS / "build.txt", "-")
    _run("uv", *COMPILE, *build, read="hatchling\nbabel>=2.14\n")
    for python in PYTHONS:
        of_box = ("--python-version", python, "--output-file", LOCKS / f"python{python}.txt")
        _run("uv", *COMPILE, *of_box, *BOX, "pyproject.toml")
    tests = ("--universal", "--python-version", PYTHONS[0], "--extra", "dev", "--output-file", DEVELOPMENT)
    _run("uv", *COMPILE, *tests, "pyproject.toml")


def _run(tool: str, *words: str | Path, read: str | None = None) -> None:
    subprocess.run([TOOLS / "bin" / tool, *words], cwd=ROOT, input=read, text=True, check=True)


if __name__ == "__main__":
    sys.exit(main())
