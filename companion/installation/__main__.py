"""Installs the version in the package: ``python -m companion.installation VERSION``, run by the package as root.

Its finished program is checked, and linked, file by file, to a folder beside the other versions. Then one link is
changed. Until that the box plays the version before, whatever happens.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path

from .places import InstallationPaths, version_of

UNIT = Path("/usr/lib/systemd/system/companion.service")
SYSTEMD = Path("/run/systemd/system")  # there where systemd runs
PATIENCE = 300  # seconds that a check may take, on the slowest Pi
LEFT_OUT = re.compile("#|Type=|Exec|Restart|Timeout|Watchdog|Kill|OOM|Runtime|State|Working|ReadWrite|IPAddress")
"""Matches lines of the unit that a check leaves out, so that it starts no other program and cannot write."""


class InstallationError(Exception):
    """A version cannot be installed; the message is a sentence."""


def main(places: InstallationPaths, version: str) -> int:
    """Check the version of the package and choose it; return the exit status."""
    try:
        print(f"companion: {install(places, version)}")
    except (InstallationError, OSError) as fault:
        print(f"companion: {version} was not installed, and what was there stays as it was: {fault}", file=sys.stderr)
        return 1
    return 0


def install(places: InstallationPaths, version: str) -> str:
    """Check the version of the package, put it beside the others and choose it; return a sentence about it.

    The first version is not checked where it is started at once: the start tells as much, and there is none to keep.
    A version that failed here is left alone: its mark has to be removed first.

    Raises:
        InstallationError: It does not pass its check. The current version stays.
    """
    current = places.current.resolve() if works(places.current) else None
    if current is not None and places.failed(version).exists():
        return f"{version} failed on this box and is not chosen; to try it: rm {places.failed(version)}"
    if current is not None and (current / "pyvenv.cfg").samefile(places.program / "pyvenv.cfg"):
        return f"{version} is installed"  # the power was cut after that
    if current is not None or not SYSTEMD.is_dir():
        check(places.program, current)
    names = (version if number == 1 else f"{version}~{number}" for number in count(1))
    folder = next(places.versions / name for name in names if not (places.versions / name).exists())
    # Links: dpkg replaces files, and never changes them.
    shutil.copytree(places.program, folder, symlinks=True, copy_function=os.link)
    switch(places, folder)
    remove_others(places, current)
    return f"{version} is installed"


def works(link: Path) -> bool:
    """Return whether a link leads to a version whose Python is still there."""
    return (link / "bin/python").exists()


def check(program: Path, current: Path | None) -> None:
    """Let a version import its modules, and read the settings and the journal of this box.

    If the current version cannot read them either, the fault is printed and the installation goes on: with the current
    version the box could not play, either.

    Raises InstallationError if the version is broken, or cannot read what the current one can.
    """
    status, said = checked(program)
    if status == os.EX_CONFIG and (current is None or checked(current)[0]):
        print(f"companion: this box cannot play before this is put right:\n{said}")
    elif status:
        raise InstallationError(f"it does not pass its check on this box:\n{said}")


def checked(program: Path) -> tuple[int, str]:
    """Run a version's check and return its status and output: within the limits of the unit, where systemd runs.

    Elsewhere, as in an image that is prepared, only root's rights are given away: nobody plays there yet.
    """
    within = ["timeout", str(PATIENCE), "runuser", "-u", "companion", "--"]
    if SYSTEMD.is_dir():
        limits = f"--property=RuntimeMaxSec={PATIENCE}", "--property=PrivateNetwork=yes", *limits_of(UNIT)
        within = ["systemd-run", "--quiet", "--pipe", "--wait", "--collect", *limits]
    command = [*within, str(program / "bin/companion"), "doctor", "--reads"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.returncode, (done.stdout + done.stderr).strip()


def limits_of(unit: Path) -> list[str]:
    """Return the options of systemd-run that give a program the user and the limits of a unit, and nowhere to write."""
    service = unit.read_text("utf-8").partition("\n[Service]\n")[2].partition("\n[")[0]
    return [f"--property={line}" for line in service.splitlines() if line and not LEFT_OUT.match(line)]


def switch(places: InstallationPaths, folder: Path) -> None:
    """Make a version the current one, and the one before the previous one; written to the disk when this returns.

    The previous version stays as it is if the version before is the same one, installed again, or has failed here.
    After a power cut at any moment one of the two is the current one.
    """
    os.sync()
    before = places.current.resolve() if works(places.current) else None
    is_same = version_of(places.current) == version_of(folder)
    if before is None:
        places.previous.unlink(missing_ok=True)
    elif not (is_same and works(places.previous)) and not places.failed(before.name.partition("~")[0]).exists():
        _link(places.previous, before)
    if not is_same:
        places.roll_back_note.unlink(missing_ok=True)  # the same version again leaves the sentence on the panel
    _link(places.current, folder)


def remove_others(places: InstallationPaths, running: Path | None) -> None:
    """Remove every version that is neither current nor previous nor running, such as one that was linked in part."""
    kept = {places.current.resolve(), places.previous.resolve(), running}
    for folder in places.versions.glob("*"):
        if folder.resolve() not in kept:
            shutil.rmtree(folder, ignore_errors=True)


def _link(link: Path, folder: Path) -> None:
    """Make a link lead to a version, on the disk, too; a link that is there is replaced in one step."""
    new = link.with_name(f"{link.name}.new")
    new.unlink(missing_ok=True)
    new.symlink_to(f"{folder.parent.name}/{folder.name}")
    new.replace(link)
    os.sync()


if __name__ == "__main__":
    sys.exit(main(InstallationPaths(), sys.argv[1]))
