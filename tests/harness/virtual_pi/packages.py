"""Makes Debian packages for the virtual Pi: of this tree or an earlier commit, of any version, and broken on purpose.

The package is made once, with the project's own tool; every other one is this one, unpacked, changed and packed again.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from tools import repository
from tools.debian_package import NAME

from .faults import FAULTS
from .machine import PROJECT

FOLDER = PROJECT / "build" / "lab" / "packages"
KEYS = FOLDER / "keys"
RELEASE = "12"
"""The Debian of the virtual Pi."""

PROGRAM = "usr/lib/tabletop-companion/program"


def tree() -> list[str]:
    """Return the names of the project's files, uncommitted ones included."""
    told = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return [name for name in told.stdout.split("\0") if name and (PROJECT / name).exists()]


def package(version: str, fault: str = "", commit: str = "") -> Path:
    """Return a package of this tree, or of a commit, with another version, and perhaps a fault."""
    real = _real(commit)
    folder = FOLDER / (fault or commit or "right") / version
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{NAME}_{version}+deb{RELEASE}_amd64.deb"
    with tempfile.TemporaryDirectory() as unpacked:
        stage = Path(unpacked, "stage")
        _run("dpkg-deb", "--raw-extract", str(real), str(stage))
        before = _before(stage)
        (modules,) = (stage / PROGRAM).glob("lib/python3*/site-packages")
        about = modules / f"tabletop_companion-{before}.dist-info"
        metadata = about / "METADATA"
        metadata.write_text(metadata.read_text("utf-8").replace(f"\nVersion: {before}\n", f"\nVersion: {version}\n"))
        about.rename(modules / f"tabletop_companion-{version}.dist-info")
        if fault:
            _break(modules, fault)
        for name in ("control", "preinst", "postinst"):
            script = stage / "DEBIAN" / name
            script.write_text(re.sub(rf"\b{re.escape(before)}\b", version, script.read_text("utf-8")), "utf-8")
        (stage / "DEBIAN/md5sums").unlink(missing_ok=True)
        _run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(stage), str(made))
    return made


def signed(version: str, fault: str = "") -> Path:
    """Return the folder of a repository with one package."""
    return repository.make(package(version, fault).parent, KEYS)


def _break(modules: Path, fault: str) -> None:
    """Put a fault into a module, and compile it; one that cannot be compiled has no byte code."""
    changed = FAULTS[fault]
    source = modules / changed.file
    source.write_text(source.read_text("utf-8") + changed.text, "utf-8")
    for compiled in (source.parent / "__pycache__").glob(f"{source.stem}.*.pyc"):
        compiled.unlink()
    command = [
        modules.parent.name,
        "-I",
        "-m",
        "compileall",
        "-q",
        "--invalidation-mode",
        "unchecked-hash",
        str(source),
    ]
    subprocess.run(command, capture_output=True, check=False)


@cache
def _real(commit: str) -> Path:
    made = FOLDER / (f"real-{commit}" if commit else "real")
    shutil.rmtree(made, ignore_errors=True)
    command = [sys.executable, "-m", "tools.debian_package", "amd64", "--release", RELEASE]
    command += ["--keys", str(KEYS), "--dist", str(made)]
    with tempfile.TemporaryDirectory() as earlier:
        if commit:
            _run("git", "clone", "--quiet", str(PROJECT), earlier)
            _run("git", "-C", earlier, "checkout", "--quiet", "--detach", commit)
        tree = earlier if commit else PROJECT
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (found,) = made.glob("*.deb")
    return found


def _before(stage: Path) -> str:
    control = (stage / "DEBIAN/control").read_text("utf-8")
    found = re.search(r"^Version: (.*)\+deb", control, flags=re.M)
    assert found is not None, control
    return found[1]


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
