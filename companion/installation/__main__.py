"""Installs the version in the package: ``python3 -m companion.installation install``, run by the package as root.

``finish`` waits for its start, and says what runs. ``rebuild`` builds a version once more, after an upgrade of the
system has removed the Python it was built for.
"""

from __future__ import annotations

import argparse
import fcntl
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .building import build
from .check_before_switching import back_up, check
from .places import ROOT, InstallationPaths, version_in, version_of
from .start_after_update import outcome
from .switching import remove_others, switch, works
from .wheel_store import InstallationError, digest, keep_package, remove_other_packages

Say = Callable[[str], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, check and choose the version, or say what runs; return the exit status."""
    parser = argparse.ArgumentParser(prog="companion.installation", description="Installs the version of the package.")
    parser.add_argument("action", choices=("install", "finish", "rebuild"))
    parser.add_argument("--version", required=True, help="the version that the package holds")
    parser.add_argument("--root", type=Path, default=ROOT, help="another root folder")
    options = parser.parse_args(arguments)
    places = InstallationPaths(options.root)
    try:
        if options.action == "finish":
            return _finish(places, options.version)
        with _locked(places):
            if options.action == "rebuild":
                rebuild(places, options.version)
            else:
                install(places, options.version)
    except (InstallationError, OSError) as fault:
        print(f"companion: {options.version} was not installed: {fault}", file=sys.stderr)
        print("companion: what was there stays as it was", file=sys.stderr)
        return 1
    return 0


def install(places: InstallationPaths, version: str, say: Say = print) -> None:
    """Build the version of the package beside the others, check it, and choose it.

    A version that failed here is left alone: its mark has to be removed first.

    Raises:
        InstallationError: It cannot be built, or does not pass its own check. The current version stays.
    """
    if places.failed(version).exists() and works(places.current):
        say(f"companion: {version} failed on this box and is not built again; to try it: rm {places.failed(version)}")
        return
    _install(places, version, places.package, say)


def rebuild(places: InstallationPaths, version: str, say: Say = print) -> None:
    """Build a version whose Python is gone once more: the current one, else the one before, else that of the package.

    Raises InstallationError if none of them can be built.
    """
    if works(places.current):  # the package has built it while this waited
        return
    known = [each for each in (version_of(places.current), version_of(places.previous)) if each is not None]
    fault = InstallationError(f"{version} failed on this box, and there is no other")
    for each in dict.fromkeys([*known, version]):
        if places.failed(each).exists():
            continue
        stored = places.kept_package(each)
        if not stored.is_dir() and each != version:
            continue
        try:
            _install(places, each, stored if stored.is_dir() else places.package, say)
        except InstallationError as error:
            fault = error
            continue
        if known:  # nothing was interrupted
            places.built.unlink(missing_ok=True)
        return
    raise fault


def _install(places: InstallationPaths, version: str, package: Path, say: Say) -> None:
    """Build a version from a package, unless that is done already; check it, and choose it.

    Raises:
        InstallationError: It cannot be built, or does not pass its own check. The current version stays.
    """
    places.versions.mkdir(parents=True, exist_ok=True)
    running = places.current.resolve() if works(places.current) else None
    folder = _built_before(places, version, package)
    if folder is None:
        remove_others(places)
        say(f"companion: building {version} in {places.versions}; on a small Pi this takes some minutes")
        stored = keep_package(places, version) if package == places.package else package
        folder = build(places, version, stored)
    say("companion: checking it")
    try:
        check(folder, places, say)
    except InstallationError:
        remove_others(places)
        remove_other_packages(places)
        raise
    places.built.write_text(f"{folder.name} {digest(package)}\n", "utf-8")
    if folder != running:
        back_up(folder, places, say)
    switch(places, folder)
    remove_others(places, running)
    remove_other_packages(places)


def _built_before(places: InstallationPaths, version: str, package: Path) -> Path | None:
    """Return the folder in which an interrupted installation has built this version of this package."""
    try:
        name, found = places.built.read_text("utf-8").split()
    except (OSError, ValueError):
        return None
    folder = places.versions / name
    return folder if version_in(folder) == version and found == digest(package) and works(folder) else None


def _finish(places: InstallationPaths, version: str) -> int:
    """Wait for the start of the version, and say what runs; return the exit status."""
    plays, sentence = outcome(places, version)
    places.built.unlink(missing_ok=True)  # a power cut during the wait does not build it again
    print(f"companion: {sentence}", file=sys.stdout if plays else sys.stderr)
    return 0 if plays else 1


@contextmanager
def _locked(places: InstallationPaths) -> Iterator[None]:
    """Wait until nobody else installs: the package and the unit that builds again share a folder."""
    places.lock.parent.mkdir(parents=True, exist_ok=True)
    with places.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    sys.exit(main())
