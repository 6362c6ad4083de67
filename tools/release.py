"""Makes a release: ``python -m tools.release`` (or ``make release``) in a tree without uncommitted changes.

It moves the changelog's Unreleased section under the version of ``pyproject.toml``, and builds the source archive and
the wheel in ``dist``. It checks their files and metadata, and that the wheel runs in a fresh virtual environment. If
anything fails, the changelog is as before. Committing, tagging and uploading are left to people.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Set as AbstractSet
from datetime import date
from email import message_from_string
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parents[1]
PRODUCT = ("companion", "hardware")
UNRELEASED = "## [Unreleased]\n"


class ReleaseError(Exception):
    """The reason why no release was made."""


def cut(changelog: str, version: str, day: date) -> str:
    """Return a changelog with the Unreleased section under a version, and an empty one above it.

    Raises:
        ReleaseError: The Unreleased section is missing or empty, or the version is there already.
    """
    before, found, after = changelog.partition(UNRELEASED)
    if not found:
        raise ReleaseError("CHANGELOG.md has no section [Unreleased]")
    if f"\n## [{version}]" in after:
        raise ReleaseError(f"CHANGELOG.md has a section [{version}] already: raise the version in pyproject.toml")
    if not re.search(r"^- ", after.partition("\n## ")[0], re.MULTILINE):
        raise ReleaseError("nothing stands under [Unreleased] in CHANGELOG.md")
    return f"{before}{UNRELEASED}\n## [{version}] - {day.isoformat()}\n{after}"


def expected(sources: AbstractSet[str]) -> set[str]:
    """Return the files that the wheel of a source tree contains, beside its metadata."""
    product = {name for name in sources if name.partition("/")[0] in PRODUCT}
    catalogues = {name for name in product if name.endswith(".po")}
    templates = {name for name in product if name.endswith(".pot")}
    return product - catalogues - templates | {name.removesuffix(".po") + ".mo" for name in catalogues}


def check_names(kind: str, names: AbstractSet[str], wanted: AbstractSet[str]) -> None:
    """Raise unless an archive contains the wanted files and no others."""
    absent, foreign = sorted(wanted - names), sorted(names - wanted)
    if absent or foreign:
        raise ReleaseError(f"the {kind} lacks {absent} and should not have {foreign}")


def check_metadata(metadata: str, project: dict[str, object]) -> None:
    """Raise unless a wheel's metadata matches the project table, with the README as its description."""
    message = message_from_string(metadata)
    for field, key in (("Name", "name"), ("Version", "version"), ("Summary", "description")):
        if message[field] != project[key]:
            raise ReleaseError(f"the wheel's {field} is {message[field]!r}, not {project[key]!r}")
    if message["License-Expression"] != project["license"] or "LICENSE" not in message.get_all("License-File", []):
        raise ReleaseError("the wheel's licence is missing")
    if not str(message.get_payload()).startswith("# Tabletop Companion"):
        raise ReleaseError("the wheel's description is not the README")


def build(kind: str, folder: Path, root: Path = ROOT) -> Path:
    """Build an archive (`sdist` or `wheel`) of a source tree into a folder, and return its path."""
    _run(sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder), at=root)
    (made,) = folder.glob({"sdist": "*.tar.gz", "wheel": "*.whl"}[kind])
    return made


def check(source: Path, wheel: Path, tracked: AbstractSet[str], project: dict[str, object]) -> None:
    """Raise unless both archives contain the right tracked files, and the wheel the right metadata."""
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    check_names("source archive", names, {*tracked, "PKG-INFO"})
    with ZipFile(wheel) as opened:
        metadata = "-".join(wheel.name.split("-")[:2]) + ".dist-info/"
        check_names("wheel", {name for name in opened.namelist() if not name.startswith(metadata)}, expected(tracked))
        check_metadata(opened.read(f"{metadata}METADATA").decode(), project)


def check_runs(wheel: Path, version: str) -> None:
    """Raise unless the wheel installs into a fresh virtual environment and runs there."""
    with tempfile.TemporaryDirectory() as folder:
        _run(sys.executable, "-m", "venv", folder)
        _run(f"{folder}/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel))
        said = _run(f"{folder}/bin/companion", "--version", at=Path(folder)).strip()
    if said != f"companion {version}":
        raise ReleaseError(f"the installed wheel says {said!r}")


def release(root: Path, today: date) -> list[Path]:
    """Make the release of a source tree, and return the archives.

    Raises:
        ReleaseError: A check failed; the changelog is as before, and nothing is in `dist`.
    """
    if changed := _run("git", "status", "--porcelain", at=root):
        raise ReleaseError(f"there are changes that are not committed:\n{changed}")
    tracked = set(_run("git", "ls-files", "-z", at=root).split("\0")) - {""}
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    changelog = root / "CHANGELOG.md"
    text = changelog.read_text("utf-8")
    dist = root / "dist"
    dist.mkdir(exist_ok=True)
    try:
        changelog.write_text(cut(text, project["version"], today), "utf-8")
        with tempfile.TemporaryDirectory() as folder:
            source, wheel = (build(kind, Path(folder), root) for kind in ("sdist", "wheel"))
            check(source, wheel, tracked, project)
            check_runs(wheel, project["version"])
            return [Path(shutil.copy(archive, dist)) for archive in (source, wheel)]
    except BaseException:
        changelog.write_text(text, "utf-8")
        raise


def _run(*command: str, at: Path | None = None) -> str:
    """Run a command and return its output."""
    done = subprocess.run(command, cwd=at, check=False, capture_output=True, text=True)
    if done.returncode:
        raise ReleaseError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    """Make the release of this tree, and print the remaining steps."""
    try:
        made = release(ROOT, date.today())
    except ReleaseError as error:
        sys.exit(f"No release was made: {error}")
    version = made[1].name.split("-")[1]
    print(*made, sep="\n")
    print(f"What is left: git commit -m 'Release {version}' CHANGELOG.md; git tag -s v{version}; upload the two files.")


if __name__ == "__main__":
    main()
