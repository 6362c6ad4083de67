"""Installs the version in the package: ``python3 -m companion.installation install``, run by the package as root.

``rebuild`` builds it once more, after an upgrade of the system has removed the Python it was built for.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pwd
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .building import InstallationFault, build
from .places import ROOT, Places
from .switching import remove_others, switch, works

SERVICE_USER = "companion"

PATIENCE = 300.0
"""Seconds a new version may take to check itself, on the slowest Pi."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, check and choose the version; return the exit status."""
    parser = argparse.ArgumentParser(prog="companion.installation", description="Installs the version of the package.")
    parser.add_argument("action", choices=("install", "rebuild"))
    parser.add_argument("--version", required=True, help="the version that the package holds")
    parser.add_argument("--root", type=Path, default=ROOT, help="another root folder")
    wanted = parser.parse_args(arguments)
    try:
        places = Places(wanted.root)
        with _locked(places):
            # The package may have built it while the unit waited.
            if not (wanted.action == "rebuild" and works(places.current)):
                install(places, wanted.version)
    except (InstallationFault, OSError) as fault:
        print(f"companion: {wanted.version} was not installed: {fault}", file=sys.stderr)
        print("companion: what was there stays as it was", file=sys.stderr)
        return 1
    return 0


def install(places: Places, version: str, say: Callable[[str], None] = print) -> None:
    """Build a version beside the others, check it, and choose it.

    Raises:
        InstallationFault: It cannot be built, or does not pass its own check. The current version stays.
    """
    places.versions.mkdir(parents=True, exist_ok=True)
    running = places.current.resolve() if works(places.current) else None
    remove_others(places)
    say(f"companion: building {version} in {places.versions}; on a small Pi this takes some minutes")
    folder = build(places, version)
    say("companion: checking it")
    try:
        check(folder)
    except InstallationFault:
        remove_others(places)
        raise
    switch(places, folder)
    remove_others(places, running)


def check(folder: Path) -> None:
    """Let a version check itself, as the user of the service.

    Raises:
        InstallationFault: It does not pass, or does not answer.
    """
    command = [str(folder / "bin/companion"), "doctor", "--quick"]
    user = _service_user() if os.geteuid() == 0 else None
    try:
        done = subprocess.run(
            command,
            env={"PATH": os.defpath, "LANG": "C.UTF-8"},
            cwd="/",
            user=None if user is None else user.pw_uid,
            group=None if user is None else user.pw_gid,
            extra_groups=None if user is None else [],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise InstallationFault(f"it did not check itself within {PATIENCE:.0f} seconds") from None
    except OSError as error:
        raise InstallationFault(f"it cannot be started: {error.strerror}") from None
    if done.returncode:
        raise InstallationFault(f"it does not pass its own check:\n{(done.stdout + done.stderr).strip()}")


@contextmanager
def _locked(places: Places) -> Iterator[None]:
    """Wait until nobody else installs: the package and the unit that builds again share a folder."""
    places.lock.parent.mkdir(parents=True, exist_ok=True)
    with places.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _service_user() -> pwd.struct_passwd | None:
    try:
        return pwd.getpwnam(SERVICE_USER)
    except KeyError:
        return None


if __name__ == "__main__":
    sys.exit(main())
