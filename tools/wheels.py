"""Makes the program's folder in a package: a virtual environment that is finished, for one Debian and one processor.

pip downloads the locked wheels and compares them with their hashes; ours is built. They are kept in build/wheels: they
are fetched once. Nothing in the folder is run, so any computer makes the folder of a Pi. Byte code depends on the
version of Python alone, and so a Python of that version compiles it, of whatever processor.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from . import ROOT

LOCKS = ROOT / "debian" / "locks"
CACHE = ROOT / "build" / "wheels"
PROCESSORS = {"arm64": "aarch64", "amd64": "x86_64"}
"""The names of the processors in wheels, by Debian's."""


class System(NamedTuple):
    """What a release of Debian brings, which is that of Raspberry Pi OS, too."""

    python: str  # the version of its Python
    glibc: int  # the minor version of its C library


SYSTEMS = {"12": System("3.11", 36), "13": System("3.13", 41)}
"""The supported releases of Debian, by their numbers."""

OLDEST_GLIBC = 17
"""The oldest minor version of the C library that wheels are made for."""

LEFT_OUT = (
    *("PIL/_avif*", "PIL/_webp*", "PIL/_imagingcms*", "PIL/_imagingtk*"),
    *(f"pillow.libs/lib{name}[-.]*" for name in ("avif", "lcms2", "sharpyuv", "webp", "webpdemux", "webpmux")),
    *("gpiozerocli", "share", "bin"),  # programs, which would name the Python of the machine that made them
    *("*.dist-info/INSTALLER", "*.dist-info/RECORD", "*.dist-info/REQUESTED", "*.dist-info/sboms", "**/*.pyi"),
)
"""What nothing on a box opens, in the folder of the modules: a fifth of the package."""

ONE_FILE = "anyascii"
"""A module of 640 small files that few boxes open: one archive, which Python reads, too, is unpacked in less time."""

LAUNCHER = """\
#!/bin/sh
# Finds its Python beside itself: the folder may be linked to any place. -sP: no modules of its user or of where it runs
here=$(readlink -f "$0")
exec "${here%/*}/python" -sP -m companion "$@"
"""

CONFIGURATION = "home = /usr/bin\ninclude-system-site-packages = true\n"
"""With it beside its Python, the folder is a virtual environment. It also sees Debian's packages, such as spidev's."""


class WheelError(Exception):
    """The program's folder cannot be made; the message is a sentence."""


def build(folder: Path, *, club: bool = True) -> Path:
    """Build our own wheel into a folder, and return its path.

    Args:
        folder: The folder.
        club: Whether the wheel has the hub of a club, which no box needs.

    Raises:
        WheelError: hatchling failed.
    """
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    world = os.environ if club else {**os.environ, "WITHOUT_CLUB": "1"}  # hatch_build.py reads it
    _run("our wheel cannot be built", command, world)
    (made,) = folder.glob("tabletop_companion-*.whl")
    return made


def collect(architecture: str, system: System, folder: Path) -> None:
    """Put the locked wheels for a machine into a folder.

    Args:
        architecture: Debian's name of the processor: arm64 or amd64.
        system: The release of Debian.
        folder: The folder; it is made if it is not there.

    Raises:
        WheelError: A wheel cannot be fetched.
    """
    asked = ["--requirement", str(LOCKS / f"python{system.python}.txt"), "--require-hashes", "--no-deps"]
    asked += _for(architecture, system)
    kept = CACHE / f"{architecture}-{system.python}"
    kept.mkdir(parents=True, exist_ok=True)
    here = ["download", "--no-index", f"--find-links={kept}", f"--dest={folder}", *asked]
    what = f"the wheels for {architecture}, Python {system.python}, cannot be fetched"
    try:
        _pip(what, *here)
    except WheelError:
        _pip(what, "download", f"--dest={kept}", *asked)
        _pip(what, *here)


def assemble(program: Path, wheels: Path, architecture: str, system: System) -> None:
    """Make the program's folder of all wheels in a folder.

    Raises:
        WheelError: A wheel is not for the machine, or there is no Python of its version to compile with.
    """
    compiler = shutil.which(f"python{system.python}")
    if compiler is None:
        raise WheelError(f"there is no python{system.python} on this machine, which compiles the program")
    modules = program / f"lib/python{system.python}/site-packages"
    names = ["==".join(wheel.name.split("-")[:2]) for wheel in sorted(wheels.glob("*.whl"))]
    fresh = ["--no-index", f"--find-links={wheels}", "--no-deps", "--no-compile", f"--target={modules}"]
    _pip("the wheels cannot be unpacked", "install", *fresh, *_for(architecture, system), *names)
    for pattern in LEFT_OUT:
        for path in [*modules.glob(pattern)]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    # Without the sources' times, which the package may change: what dpkg has unpacked is right.
    unchecked = ["--invalidation-mode", "unchecked-hash", "-s", str(modules), "-p", "/", str(modules)]
    _run("the program cannot be compiled", [compiler, "-I", "-m", "compileall", "-q", "-f", *unchecked])
    if (modules / ONE_FILE).is_dir():
        _in_one_file(modules)
    (program / "bin").mkdir()
    (program / "bin/python").symlink_to(f"/usr/bin/python{system.python}")
    (program / "bin/companion").write_text(LAUNCHER, "utf-8")
    (program / "bin/companion").chmod(0o755)
    (program / "pyvenv.cfg").write_text(CONFIGURATION, "utf-8")


def _in_one_file(modules: Path) -> None:
    """Put a module of many files into an archive, with the same bytes at each time, and tell Python of it."""
    folder = modules / ONE_FILE
    with zipfile.ZipFile(modules / f"{ONE_FILE}.zip", "w") as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"):
            archive.writestr(zipfile.ZipInfo(str(file.relative_to(modules))), file.read_bytes())
    (modules / f"{ONE_FILE}.pth").write_text(f"{ONE_FILE}.zip\n", "utf-8")
    shutil.rmtree(folder)


def _for(architecture: str, system: System) -> list[str]:
    """Return the options of pip that choose the wheels of a machine."""
    processor = PROCESSORS[architecture]
    named = [f"manylinux_2_{minor}_{processor}" for minor in range(system.glibc, OLDEST_GLIBC - 1, -1)]
    platforms = [f"--platform={name}" for name in (*named, f"manylinux2014_{processor}", f"linux_{processor}")]
    return ["--only-binary=:all:", "--implementation=cp", f"--python-version={system.python}", *platforms]


def _pip(failed: str, *arguments: str) -> None:
    """Run pip, with PyPI alone: other indexes have other files. Raise WheelError if it fails."""
    ignored = ("PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX")
    world = {key: value for key, value in os.environ.items() if key not in ignored}
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments]
    _run(failed, command, {**world, "PIP_CONFIG_FILE": os.devnull})


def _run(failed: str, command: Sequence[str], world: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=ROOT, env=world, check=False, capture_output=True, text=True)
    if done.returncode:
        raise WheelError(f"{failed}:\n{(done.stdout + done.stderr).strip()}")
