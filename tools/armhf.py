"""Compiles wheels for armhf, for which PyPI has none: in a Debian of that architecture, below build/armhf.

The sources and the build back-ends are locked, and nothing is fetched while compiling. Made twice in the same Debian,
the wheels have the same bytes. Their code is for ARMv7 and later: the first Raspberry Pi and the Zero W cannot run it.
Pillow is made for what the program needs: PNG, and FreeType for its fonts; auditwheel puts Debian's FreeType into it.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.error import URLError
from urllib.parse import urljoin
from urllib.request import Request, urlopen

from .locks import COMPILE, PYPI, Locked
from .release import ROOT

COMPILED = ("gpiod", "msgspec", "pillow")
"""The packages of which PyPI has no wheel for armhf."""

SETTINGS = {
    "pillow": (
        *(
            f"{part}=disable"
            for part in ("avif", "imagequant", "jpeg", "jpeg2000", "lcms", "raqm", "tiff", "webp", "xcb")
        ),
        "freetype=enable",
    )
}
"""The settings of each package's build back-end."""

HEADERS = ("gcc", "libc6-dev", "libfreetype-dev", "python3-dev", "python3-venv", "zlib1g-dev")
"""The Debian packages that compiling needs."""

ENVIRONMENT = {
    "CFLAGS": "-O2 -g0",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "LDFLAGS": "-Wl,--strip-all",
    "PATH": "/work/venv/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "PYTHONHASHSEED": "0",
    "SOURCE_DATE_EPOCH": "315532800",  # 1980, the earliest time that a wheel can hold
}

PYTHON = "/work/venv/bin/python"
"""The Python that compiles, in a Debian."""

MIRROR = "http://deb.debian.org/debian"
FOLDER = ROOT / "build" / "armhf"
EMULATOR = Path("/proc/sys/fs/binfmt_misc/qemu-arm")


class CompileFault(Exception):
    """A wheel cannot be compiled; the message is a sentence."""


def missing(processor: str, emulator: Path = EMULATOR) -> str:
    """Return what this machine lacks to compile for armhf, as a sentence; empty if it lacks nothing.

    Args:
        processor: The name of this machine's processor, as `uname -m` prints it.
        emulator: The file by which Linux tells that it runs programs for ARM.
    """
    if os.geteuid():
        return "compiling for armhf needs root's rights"
    if shutil.which("debootstrap") is None:
        return "debootstrap is missing: sudo apt install debootstrap"
    if processor not in ("armv7l", "armv8l") and not emulator.exists():
        return "this machine does not run programs for ARM: sudo apt install qemu-user-static binfmt-support"
    return ""


def digest(release: str, package: Locked) -> str:
    """Return a short name of all that a compiled wheel depends on, but for Debian's updates."""
    recipe = [release, package.requirement, SETTINGS.get(package.name, ()), HEADERS, ENVIRONMENT]
    return hashlib.sha256(json.dumps([*recipe, COMPILE.read_text("utf-8")]).encode()).hexdigest()[:16]


def source(package: Locked, folder: Path) -> Path:
    """Fetch the source archive of a package from PyPI into a folder, and return its path.

    Raises:
        CompileFault: There is none, PyPI cannot be reached, or the archive is not the locked one.
    """
    page = f"{PYPI}/{package.name}/"
    asked = Request(page, headers={"Accept": "application/vnd.pypi.simple.v1+json"})
    try:
        with urlopen(asked, timeout=60) as answer:
            files = json.load(answer)["files"]
        locked = [file for file in files if file["hashes"].get("sha256") in package.hashes]
        found = [file for file in locked if file["filename"].endswith(".tar.gz")]
        if not found:
            raise CompileFault(f"{package.name} {package.version} has no source archive")
        with urlopen(urljoin(page, found[0]["url"]), timeout=60) as answer:
            data = answer.read()
    except URLError as error:
        raise CompileFault(f"{package.name} cannot be fetched from PyPI: {error.reason}") from None
    if hashlib.sha256(data).hexdigest() not in package.hashes:
        raise CompileFault(f"the source archive of {package.name} is not the locked one")
    path = folder / str(found[0]["filename"])
    path.write_bytes(data)
    return path


def debian(release: str, folder: Path = FOLDER) -> Path:
    """Return the root folder of a Debian for armhf; make it if it is not there.

    Raises:
        CompileFault: A program failed.
    """
    root = folder / release
    if root.exists():
        return root
    new = folder / f"{release}.new"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    options = ["--arch=armhf", "--variant=minbase", "--force-check-gpg", f"--include={','.join(HEADERS)}"]
    _run(["debootstrap", *options, release, str(new), MIRROR])
    return new.rename(root)


def prepare(root: Path, tools: Iterable[Path]) -> None:
    """Install the wheels of the build back-ends into a Debian, in an environment of their own.

    Raises:
        CompileFault: A program failed.
    """
    work = root / "work"
    shutil.rmtree(work, ignore_errors=True)
    (work / "tools").mkdir(parents=True)
    for path in (*tools, COMPILE):
        shutil.copy(path, work / "tools")
    (pip,) = (f"/work/tools/{path.name}/pip" for path in tools if path.name.startswith("pip-"))
    options = ["--isolated", "--quiet", "--no-index", "--find-links=/work/tools", "--require-hashes", "--no-compile"]
    _run(["chroot", str(root), "python3", "-m", "venv", "--without-pip", "/work/venv"])
    _run(["chroot", str(root), PYTHON, pip, "install", *options, "--requirement", f"/work/tools/{COMPILE.name}"])


def compile_one(root: Path, package: Locked, archive: Path, out: Path) -> None:
    """Compile a wheel in a Debian that is prepared.

    Args:
        root: The root folder of the Debian.
        package: The package.
        archive: Its source archive.
        out: The folder that the wheel is written to.

    Raises:
        CompileFault: It cannot be compiled.
    """
    inside = root / "work" / package.name
    inside.mkdir()
    shutil.copy(archive, inside)
    folder = f"/work/{package.name}"
    settings = [word for setting in SETTINGS.get(package.name, ()) for word in ("-C", setting)]
    options = ["--isolated", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--check-build-dependencies"]
    _run(["chroot", str(root), PYTHON, "-m", "pip", "wheel", *options, f"--wheel-dir={folder}/raw", *settings,
          f"{folder}/{archive.name}"])  # fmt: skip
    (raw,) = (inside / "raw").iterdir()
    _run(["chroot", str(root), PYTHON, "-m", "auditwheel", "repair", f"--wheel-dir={folder}/done",
          f"{folder}/raw/{raw.name}"])  # fmt: skip
    for made in (inside / "done").iterdir():
        shutil.copy(made, out)


def compiled(release: str, packages: Sequence[Locked], tools: Sequence[Path], cache: Path) -> list[Path]:
    """Return the wheels of packages for a release of Debian; those that are not in the cache are compiled.

    Args:
        release: Debian's name of the release.
        packages: The packages.
        tools: The wheels of the build back-ends.
        cache: The folder that keeps compiled wheels.

    Raises:
        CompileFault: One cannot be compiled, or this machine lacks something.
    """
    kept = {package: cache / f"{package.name}-{digest(release, package)}" for package in packages}
    absent = [package for package in packages if not kept[package].exists()]
    if absent:
        if lacking := missing(platform.machine()):
            raise CompileFault(f"{absent[0].name} has no wheel for armhf, and {lacking}")
        names = ", ".join(package.name for package in absent)
        print(f"compiling {names} for armhf on Debian {release}; this may take an hour", flush=True)
        root = debian(release)
        prepare(root, tools)
        for package in absent:
            with tempfile.TemporaryDirectory() as fetched:
                archive = source(package, Path(fetched))
                new = kept[package].with_suffix(".new")
                shutil.rmtree(new, ignore_errors=True)
                new.mkdir(parents=True)
                compile_one(root, package, archive, new)
                new.rename(kept[package])
        shutil.rmtree(root / "work")
    return [wheel for package in packages for wheel in kept[package].iterdir()]


def _run(command: Sequence[str], world: dict[str, str] = ENVIRONMENT) -> None:
    done = subprocess.run(command, env=world, check=False, capture_output=True, text=True)
    if done.returncode:
        raise CompileFault(f"{' '.join(command)} failed:\n{(done.stdout + done.stderr)[-4000:]}")
