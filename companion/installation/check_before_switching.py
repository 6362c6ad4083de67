"""Checks a version before it is chosen, and keeps a backup of the games."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from .places import InstallationPaths, version_in, version_of
from .sandbox import run_as, run_checked, service_user
from .switching import works
from .wheel_store import InstallationError

MOST_BACKUPS = 3  # the number of backups that are kept
BACKUP_TIMEOUT = 300.0  # seconds a backup may take


def check(folder: Path, places: InstallationPaths, say: Callable[[str], None]) -> None:
    """Let a version check itself, and read the settings and the journal of this box.

    If the current version cannot read them either, the fault is printed and the installation goes on: with the current
    version the box could not play, either.

    Raises InstallationError if it does not pass, does not answer, or cannot read what the current version can.
    """
    status, output = run_checked(folder, "doctor", "--quick")
    if status:
        raise InstallationError(f"it does not pass its own check:\n{output}")
    status, output = run_checked(folder, "doctor", "--reads")
    if not status:
        return
    current = places.current.resolve()
    if works(places.current) and current != folder.resolve() and run_checked(current, "doctor", "--reads")[0] == 0:
        here = version_of(places.current)
        raise InstallationError(f"it cannot read the settings or the games of this box, and {here} can:\n{output}")
    say(f"companion: this box cannot play before this is put right:\n{output}")


def back_up(folder: Path, places: InstallationPaths, say: Callable[[str], None]) -> None:
    """Let a version write a backup of the games before it is chosen; print why, if it cannot.

    It runs as the user of the service, and also removes older backups.
    """
    if not works(places.current) or not (places.games / "games").is_dir():
        return  # built once more, without a version before it: root has no right to look into the games then
    user = service_user()
    try:
        places.backups.mkdir(mode=0o700)
        if user is not None:
            os.chown(places.backups, user.pw_uid, user.pw_gid)
    except FileExistsError:
        pass
    except OSError as error:
        say(f"companion: no backup was written: {error.strerror}")
        return
    file = places.backups / f"before-{version_in(folder)}-{datetime.now(UTC):%Y-%m-%d}.zip"
    command = [str(folder / "bin/companion"), "backup", "--data", str(places.games)]
    command += ["--newest", str(MOST_BACKUPS), str(file)]
    try:
        done = run_as(user, command, BACKUP_TIMEOUT)
        fault = done.stderr.strip() if done.returncode else None
    except subprocess.TimeoutExpired:
        fault = f"it took longer than {BACKUP_TIMEOUT:.0f} seconds"
    if fault is not None:
        say(f"companion: the backup {file} is missing or not whole: {fault}")
