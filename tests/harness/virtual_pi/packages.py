"""Makes Debian packages for the virtual Pi: of this tree or an earlier commit, of any version, and broken on purpose.

The package is made once, with the project's own tool; every other one is this one, unpacked, changed and packed again.
"""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path

from .faults import FAULTS
from .machine import PROJECT

NAME = "tabletop-companion"
FOLDER = PROJECT / "build" / "lab" / "packages"
KEY = FOLDER / "release-key"

_WHEEL = "tabletop_companion"


def tree() -> list[str]:
    """Return the names of the project's files, uncommitted ones included."""
    told = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return [name for name in told.stdout.split("\0") if name and (PROJECT / name).exists()]


def package(version: str, fault: str = "", commit: str = "") -> Path:
    """Return a signed package of this tree, or of a commit, with another version, and perhaps a fault."""
    real = _real(commit)
    folder = FOLDER / (fault or commit or "right")
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{NAME}_{version}_amd64.deb"
    with tempfile.TemporaryDirectory() as unpacked:
        stage = Path(unpacked, "stage")
        _run("dpkg-deb", "--raw-extract", str(real), str(stage))
        before = _before(stage)
        (wheel,) = stage.rglob(f"{_WHEEL}-*.whl")
        hashes = [_hash(wheel)]
        new = change_wheel(wheel, before, version, fault)
        hashes.append(_hash(new))
        for listed in stage.rglob("python*.txt"):
            was = f"{NAME}=={before} --hash=sha256:{hashes[0]}"
            text = listed.read_text("utf-8")
            assert was in text, f"{listed.name} does not list the program's wheel"
            listed.write_text(text.replace(was, f"{NAME}=={version} --hash=sha256:{hashes[1]}"), "utf-8")
        control = stage / "DEBIAN/control"
        control.write_text(
            re.sub("^Version: .*", f"Version: {version}", control.read_text("utf-8"), flags=re.M), "utf-8"
        )
        refuses = stage / "DEBIAN/preinst"
        refuses.write_text(
            refuses.read_text("utf-8")
            .replace(f"{before} failed", f"{version} failed")
            .replace(f"failed/{before}", f"failed/{version}"),
            "utf-8",
        )
        (stage / "DEBIAN/md5sums").unlink(missing_ok=True)
        _run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(stage), str(made))
    made.with_name(f"{made.name}.sig").unlink(missing_ok=True)
    _run("ssh-keygen", "-q", "-Y", "sign", "-f", str(KEY), "-n", NAME, str(made))
    shutil.copy(real.with_name("user-data"), folder)
    return made


def change_wheel(wheel: Path, before: str, version: str, fault: str) -> Path:
    """Replace the program's wheel by one of another version, and perhaps with a fault; return its path."""
    files: dict[str, bytes] = {}
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            files[name.replace(f"{_WHEEL}-{before}.dist-info/", f"{_WHEEL}-{version}.dist-info/")] = packed.read(name)
    about = f"{_WHEEL}-{version}.dist-info"
    files[f"{about}/METADATA"] = files[f"{about}/METADATA"].replace(
        f"\nVersion: {before}\n".encode(), f"\nVersion: {version}\n".encode()
    )
    if fault:
        changed = FAULTS[fault]
        files[changed.file] += changed.text.encode()
    record = f"{about}/RECORD"
    lines = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{name},," if name == record else f"{name},sha256={digest},{len(content)}")
    files[record] = ("\n".join(lines) + "\n").encode()
    new = wheel.with_name(wheel.name.replace(f"-{before}-", f"-{version}-"))
    wheel.unlink()
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return new


@cache
def _real(commit: str) -> Path:
    made = FOLDER / (f"real-{commit}" if commit else "real")
    shutil.rmtree(made, ignore_errors=True)
    command = [sys.executable, "-m", "tools.debian_package", "amd64", "--key", str(KEY), "--dist", str(made)]
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
    found = re.search("^Version: (.*)", control, flags=re.M)
    assert found is not None, control
    return found[1]


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
