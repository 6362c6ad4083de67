"""Makes the Debian package: ``python -m tools.debian_package arm64`` (or ``make deb``); the files are written to dist.

It collects the program's wheel and the locked wheels of what it needs, for each Python of the supported systems, and
lets debhelper put them together as the folder debian says. Built twice from the same commit, its bytes are the same.
With the release key it is signed, for ``companion update``.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from . import ROOT, first_boot
from .wheels import WheelError, build, collect

NAME = "tabletop-companion"
ARCHITECTURES = ("arm64", "amd64")
PYTHONS = ("3.11", "3.13")
"""The Pythons of Raspberry Pi OS 12 and 13."""

SIGNS_FOR = "tabletop-companion"
"""The namespace of the signatures; the principal is ``release``."""

SHARE = f"usr/share/{NAME}"

COLLECTED = "build/package"
"""Where debian/install takes the wheels from."""


class PackageError(Exception):
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
        raise PackageError(f"the wheel of {version} is missing")
    return "".join(lines)


def moment(root: Path = ROOT) -> int:
    """Return the time given to every file: $SOURCE_DATE_EPOCH, or that of the last commit, in seconds since 1970."""
    said = os.environ.get("SOURCE_DATE_EPOCH")
    if said is None:
        said = ""
        with suppress(FileNotFoundError):  # a machine that installs from an archive may have no git
            done = subprocess.run(
                ["git", "log", "-1", "--format=%ct"], cwd=root, capture_output=True, text=True, check=False
            )
            said = done.stdout.strip()
    return int(said or 315532800)  # without a history: the earliest time that a wheel can hold


def signers(keys: Iterable[str]) -> str:
    """Return the lines that allow public keys to sign packages."""
    return "".join(f'release namespaces="{SIGNS_FOR}" {key}\n' for key in keys)


def assemble(tree: Path, version: str, wheels: Mapping[str, Sequence[Path]], keys: Sequence[str], revoked: str) -> None:
    """Put everything that debian/rules needs into a folder.

    Args:
        tree: An empty folder.
        version: The program's version.
        wheels: The wheels for each Python, ours with them.
        keys: The public keys that may sign updates; none if this package takes none.
        revoked: Public keys that may not sign any more, a line each.
    """
    for name in ("debian", "systemd"):
        shutil.copytree(ROOT / name, tree / name, copy_function=shutil.copyfile)
    (tree / "debian/rules").chmod(0o755)
    collected = tree / COLLECTED
    (collected / "wheels").mkdir(parents=True)
    for python, found in wheels.items():
        (collected / f"python{python}.txt").write_text(requirements(found, version), "utf-8")
        for wheel in found:
            shutil.copyfile(wheel, collected / "wheels" / wheel.name)
    (collected / "allowed_signers").write_text(signers(keys), "utf-8")
    (collected / "revoked_signers").write_text(revoked, "utf-8")


def pack(tree: Path, architecture: str, version: str) -> Path:
    """Let debhelper make the package of a folder, and return its path.

    Raises:
        PackageError: debhelper is missing, or failed.
    """
    if shutil.which("dh") is None:
        raise PackageError("debhelper is missing: sudo apt install debhelper")
    # Nothing is compiled, so a package for another processor needs no compiler for it: -d.
    _run(["dpkg-buildpackage", "-b", "-d", "-uc", "-us", f"-a{architecture}"], os.environ, tree)
    made = tree.parent / f"{NAME}_{version}_{architecture}.deb"
    if not made.exists():
        raise PackageError(f"debian/changelog names another version than pyproject.toml, {version}")
    return made


def public_key(key: Path) -> str:
    """Return the public half of the release key; make the key at the first time.

    At a terminal ssh-keygen asks for a passphrase.

    Raises:
        PackageError: ssh-keygen failed.
    """
    if not key.exists():
        key.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        phrase = [] if sys.stdin.isatty() else ["-N", ""]
        _run(["ssh-keygen", "-q", "-t", "ed25519", *phrase, "-C", "tabletop-companion release", "-f", str(key)])
        print(f"A new release key is in {key}. Keep it safe: boxes take updates from nobody else.")
    return _key_in(key.with_name(f"{key.name}.pub"))


def _key_in(file: Path) -> str:
    """Return a public key without its comment.

    Raises:
        PackageError: The file cannot be read, or holds no key.
    """
    try:
        kind, body, *_comment = file.read_text("utf-8").split()
    except (OSError, ValueError):
        raise PackageError(f"there is no public key in {file}") from None
    return f"{kind} {body}"


def sign(package: Path, key: Path) -> None:
    """Write the signature of a package beside it.

    Raises:
        PackageError: ssh-keygen failed.
    """
    package.with_name(f"{package.name}.sig").unlink(missing_ok=True)
    _run(["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", SIGNS_FOR, str(package)])


def make(
    architecture: str,
    pythons: Sequence[str],
    dist: Path,
    key: Path | None,
    more: Sequence[Path] = (),
    revoked: Sequence[Path] = (),
) -> Path:
    """Make the package for a processor, and return its path.

    Args:
        architecture: Debian's name of the processor.
        pythons: The Pythons it is for.
        dist: The folder it is written to.
        key: The release key, which signs it; None for a package that is not signed and takes no updates.
        more: Further public keys that may sign updates.
        revoked: Public keys that may not sign any more.

    Raises:
        PackageError: A part is missing, or a program failed.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version = project["version"]
    os.environ["SOURCE_DATE_EPOCH"] = str(moment())  # for the wheel and dpkg
    keys = [] if key is None else [public_key(key), *map(_key_in, more)]
    dist.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        ours = build(folder / "wheel", club=False)
        wheels = {python: [ours, *collect(architecture, python, folder / python)] for python in pythons}
        assemble(folder / "tree", version, wheels, keys, "".join(f"{_key_in(each)}\n" for each in revoked))
        package = Path(shutil.copy(pack(folder / "tree", architecture, version), dist))
    if key is not None:
        sign(package, key)
    (dist / "version.txt").write_text(f"{version}\n", "utf-8")
    first_boot.write(dist, signers(keys))
    return package


def own_architecture() -> str:
    """Return Debian's name of this machine's processor."""
    return _run(["dpkg", "--print-architecture"]).strip()


def _run(command: list[str], world: Mapping[str, str] | None = None, folder: Path | None = None) -> str:
    if shutil.which(command[0]) is None:
        raise PackageError(f"{command[0]} is missing: the package is made on Debian or Raspberry Pi OS")
    done = subprocess.run(command, env=world, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise PackageError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the packages; return the exit status."""
    parser = argparse.ArgumentParser(prog="tools.debian_package", description="Makes the Debian packages.")
    parser.add_argument("architectures", metavar="ARCHITECTURE", nargs="*", help=f"of {', '.join(ARCHITECTURES)}")
    parser.add_argument("--own", action="store_true", help="for this machine and its Python alone, not signed")
    parser.add_argument("--key", type=Path, default=Path("~/.config/tabletop-companion/release-key").expanduser())
    parser.add_argument(
        "--signer", type=Path, action="append", default=[], help="another public key that may sign updates"
    )
    parser.add_argument("--revoked", type=Path, action="append", default=[], help="a public key that may not any more")
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    wanted = parser.parse_args(arguments)
    this = f"{sys.version_info.major}.{sys.version_info.minor}"
    try:
        for architecture in [own_architecture()] if wanted.own else wanted.architectures or ARCHITECTURES:
            began = time.monotonic()
            pythons, key = ((this,), None) if wanted.own else (PYTHONS, wanted.key)
            package = make(architecture, pythons, wanted.dist, key, wanted.signer, wanted.revoked)
            size = package.stat().st_size / 1e6
            print(f"{package}: {size:.1f} MB, made in {time.monotonic() - began:.0f} s")
    except (PackageError, WheelError) as fault:
        print(f"No package was made: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
