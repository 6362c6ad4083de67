"""Makes the Debian package: ``python -m tools.debian_package arm64`` (or ``make deb``); the files are written to dist.

The package holds the program's wheel and the locked wheels of what it needs, for each Python of the supported systems.
Built twice from the same commit, its bytes are the same. With the release key it is signed, for ``companion update``.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from email.utils import formatdate
from pathlib import Path

from . import first_boot
from .release import ROOT, build
from .wheels import WheelFault, collect

NAME = "tabletop-companion"
ARCHITECTURES = ("arm64", "armhf", "amd64")
PYTHONS = ("3.11", "3.13")
"""The Pythons of Raspberry Pi OS 12 and 13."""

MAINTAINER = "Tabletop Companion authors <authors@tabletop-companion.invalid>"
HOMEPAGE = "https://tabletop-companion.invalid"
SIGNS_FOR = "tabletop-companion"
"""The namespace of the signatures; the principal is ``release``."""

DEPENDS = {"armhf": ", zlib1g"}
"""What only one architecture needs: the wheels for armhf are compiled here, against Debian's zlib."""

SHARE = f"usr/share/{NAME}"
PROGRAMS = f"usr/lib/{NAME}"

FILES = {
    "systemd/companion.service": ("usr/lib/systemd/system/companion.service", 0o644),
    "systemd/companion-clock.service": ("usr/lib/systemd/system/companion-clock.service", 0o644),
    "systemd/companion-rebuild.service": ("usr/lib/systemd/system/companion-rebuild.service", 0o644),
    "systemd/companion-update-look.service": ("usr/lib/systemd/system/companion-update-look.service", 0o644),
    "systemd/companion-update.service": ("usr/lib/systemd/system/companion-update.service", 0o644),
    "systemd/companion-wifi.service": ("usr/lib/systemd/system/companion-wifi.service", 0o644),
    "systemd/companion.system.conf": ("usr/lib/systemd/system.conf.d/10-companion.conf", 0o644),
    "systemd/companion.sysusers.conf": ("usr/lib/sysusers.d/companion.conf", 0o644),
    "systemd/companion.udev.rules": ("usr/lib/udev/rules.d/90-companion.rules", 0o644),
    "systemd/companion.rules": ("usr/share/polkit-1/rules.d/50-companion.rules", 0o644),
    "systemd/companion.avahi.service": (f"{SHARE}/companion.avahi.service", 0o644),
    "systemd/companion.toml": (f"{SHARE}/companion.toml", 0o644),
    "systemd/announce.py": (f"{PROGRAMS}/announce", 0o755),
    "systemd/own_wifi.py": (f"{PROGRAMS}/own-wifi", 0o755),
    "systemd/roll-back.sh": (f"{PROGRAMS}/roll-back", 0o755),
    "systemd/package/install.sh": (f"{PROGRAMS}/install", 0o755),
    "systemd/package/lintian-overrides": (f"usr/share/lintian/overrides/{NAME}", 0o644),
    "systemd/package/copyright": (f"usr/share/doc/{NAME}/copyright", 0o644),
    "systemd/package/config": ("DEBIAN/config", 0o755),
    "systemd/package/postinst": ("DEBIAN/postinst", 0o755),
    "systemd/package/prerm": ("DEBIAN/prerm", 0o755),
    "systemd/package/postrm": ("DEBIAN/postrm", 0o755),
    "systemd/package/templates": ("DEBIAN/templates", 0o644),
}
"""Where each file of the project is installed, and its mode."""

LINKS = {"usr/bin/companion": "/opt/companion/current/bin/companion"}


class PackageFault(Exception):
    """The package cannot be made; the message is a sentence."""


def requirements(wheels: Iterable[Path], version: str) -> str:
    """Return the requirements that install exactly these wheels, each with its hash; pip itself is not installed."""
    lines = []
    for wheel in sorted(wheels):
        name, number, *_rest = wheel.name.split("-")
        if name == "pip":
            continue
        digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
        lines.append(f"{name.replace('_', '-')}=={number} --hash=sha256:{digest}\n")
    if not any(line.startswith(f"{NAME}=={version} ") for line in lines):
        raise PackageFault(f"the wheel of {version} is missing")
    return "".join(lines)


def moment(root: Path = ROOT) -> int:
    """Return the time given to every file: $SOURCE_DATE_EPOCH, or that of the last commit, in seconds since 1970."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    if said is None:
        done = subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=root, capture_output=True, text=True, check=False
        )
        said = done.stdout.strip() or "315532800"  # without a history: the earliest time that a wheel can hold
    return int(said)


def signers(key: str) -> str:
    """Return the line that allows a public key to sign packages; empty without a key."""
    return f'release namespaces="{SIGNS_FOR}" {key}\n' if key else ""


def assemble(stage: Path, architecture: str, version: str, wheels: Mapping[str, Sequence[Path]], signer: str) -> None:
    """Put everything that the package holds into a folder.

    Args:
        stage: An empty folder.
        architecture: Debian's name of the processor.
        version: The program's version.
        wheels: The wheels for each Python, ours with them.
        signer: The public key that signs updates; empty if this package takes none.
    """
    for source, (target, mode) in FILES.items():
        _put(stage / target, (ROOT / source).read_bytes(), mode)
    for target, destination in LINKS.items():
        (stage / target).parent.mkdir(parents=True, exist_ok=True)
        (stage / target).symlink_to(destination)
    for python, found in wheels.items():
        _put(stage / SHARE / f"python{python}.txt", requirements(found, version).encode())
        for wheel in found:
            _put(stage / SHARE / "wheels" / wheel.name, wheel.read_bytes())
    _put(stage / SHARE / "allowed_signers", signers(signer).encode())
    manual = gzip.compress((ROOT / "systemd/package/companion.1").read_bytes(), mtime=0)
    _put(stage / "usr/share/man/man1/companion.1.gz", manual)
    changed = f"{NAME} ({version}) stable; urgency=medium\n\n  * See CHANGELOG.md of the source.\n\n"
    changed += f" -- {MAINTAINER}  {formatdate(moment())}\n"
    _put(stage / f"usr/share/doc/{NAME}/changelog.gz", gzip.compress(changed.encode(), mtime=0))
    size = sum(path.lstat().st_size for path in stage.rglob("*") if path.is_file()) // 1024
    control = (ROOT / "systemd/package/control").read_text("utf-8")
    said = control.format(
        version=version,
        architecture=architecture,
        maintainer=MAINTAINER,
        homepage=HOMEPAGE,
        size=size,
        depends=DEPENDS.get(architecture, ""),
    )
    _put(stage / "DEBIAN/control", said.encode())
    sums = [
        f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(stage)}\n"
        for path in sorted(stage.rglob("*"))
        if path.is_file() and not path.is_symlink() and path.relative_to(stage).parts[0] != "DEBIAN"
    ]
    _put(stage / "DEBIAN/md5sums", "".join(sums).encode())


def pack(stage: Path, out: Path, when: int) -> None:
    """Make the package of a folder; every file in it gets the same time.

    Raises:
        PackageFault: dpkg-deb failed.
    """
    for path in [stage, *stage.rglob("*")]:
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
        os.utime(path, (when, when), follow_symlinks=False)
    world = {**os.environ, "SOURCE_DATE_EPOCH": str(when)}
    _run(["dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", str(stage), str(out)], world)


def public_key(key: Path) -> str:
    """Return the public half of the release key; make the key at the first time.

    Raises:
        PackageFault: ssh-keygen failed.
    """
    if not key.exists():
        key.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        _run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "tabletop-companion release", "-f", str(key)])
        print(f"A new release key is in {key}. Keep it safe: boxes take updates from nobody else.")
    kind, body, *_comment = key.with_name(f"{key.name}.pub").read_text("utf-8").split()
    return f"{kind} {body}"


def sign(package: Path, key: Path) -> None:
    """Write the signature of a package beside it.

    Raises:
        PackageFault: ssh-keygen failed.
    """
    package.with_name(f"{package.name}.sig").unlink(missing_ok=True)
    _run(["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", SIGNS_FOR, str(package)])


def make(architecture: str, pythons: Sequence[str], dist: Path, key: Path | None) -> Path:
    """Make the package for a processor, and return its path.

    Args:
        architecture: Debian's name of the processor.
        pythons: The Pythons it is for.
        dist: The folder it is written to.
        key: The release key, which signs it; None for a package that is not signed and takes no updates.

    Raises:
        PackageFault: A part is missing, or a program failed.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version, when = project["version"], moment()
    os.environ["SOURCE_DATE_EPOCH"] = str(when)  # for the wheel
    signer = "" if key is None else public_key(key)
    dist.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        ours = build("wheel", folder / "wheel")
        wheels = {python: [ours, *collect(architecture, python, folder / python)] for python in pythons}
        stage = folder / "stage"
        stage.mkdir()
        assemble(stage, architecture, version, wheels, signer)
        package = dist / f"{NAME}_{version}_{architecture}.deb"
        pack(stage, package, when)
    if key is not None:
        sign(package, key)
    (dist / "version.txt").write_text(f"{version}\n", "utf-8")
    first_boot.write(dist, signers(signer))
    return package


def own_architecture() -> str:
    """Return Debian's name of this machine's processor."""
    return _run(["dpkg", "--print-architecture"]).strip()


def _put(path: Path, data: bytes, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)


def _run(command: list[str], world: Mapping[str, str] | None = None) -> str:
    if shutil.which(command[0]) is None:
        raise PackageFault(f"{command[0]} is missing: the package is made on Debian or Raspberry Pi OS")
    done = subprocess.run(command, env=world, check=False, capture_output=True, text=True)
    if done.returncode:
        raise PackageFault(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the packages; return the exit status."""
    parser = argparse.ArgumentParser(prog="tools.debian_package", description="Makes the Debian packages.")
    parser.add_argument("architectures", metavar="ARCHITECTURE", nargs="*", help=f"of {', '.join(ARCHITECTURES)}")
    parser.add_argument("--own", action="store_true", help="for this machine and its Python alone, not signed")
    parser.add_argument("--key", type=Path, default=Path("~/.config/tabletop-companion/release-key").expanduser())
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    wanted = parser.parse_args(arguments)
    this = f"{sys.version_info.major}.{sys.version_info.minor}"
    try:
        for architecture in [own_architecture()] if wanted.own else wanted.architectures or ARCHITECTURES:
            began = time.monotonic()
            pythons, key = ((this,), None) if wanted.own else (PYTHONS, wanted.key)
            package = make(architecture, pythons, wanted.dist, key)
            size = package.stat().st_size / 1e6
            print(f"{package}: {size:.1f} MB, made in {time.monotonic() - began:.0f} s")
    except (PackageFault, WheelFault) as fault:
        print(f"No package was made: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
