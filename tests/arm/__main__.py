"""Looks up what an installation needs on every machine: ``python -m tests.arm``."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

from . import debian, wheels
from .fetching import PIWHEELS, PyPI, Unreachable, installed_size, raspberry_pi, reachable
from .fetching import debian as index_of
from .machines import MACHINES, Machine
from .report import of_debian, of_wheels

ROOT = Path(__file__).parents[2]
EXTRAS = ("page", "pi")
"""The extras that `make install` installs."""

PROMISED = "aarch64"
"""The processor for which no package may need compiling."""


def requirements() -> tuple[str, ...]:
    """Return the requirements of the installed program and of its build."""
    said = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project = said["project"]
    extras = (each for extra in EXTRAS for each in project["optional-dependencies"][extra])
    return (*project["dependencies"], *extras, *said["build-system"]["requires"])


def packages() -> dict[str, tuple[str, ...]]:
    """Return the Debian packages that people are told to install, by purpose."""
    page, script = ((ROOT / name).read_text("utf-8") for name in ("docs/build-a-box.md", "systemd/install.sh"))
    needed = debian.installed_by(page)
    return {
        "for everybody": needed,
        "for tunes, a dimmed lamp, a panel on SPI": debian.mentioned(page),
        "where a part must be compiled": tuple(name for name in debian.installed_by(script) if name not in needed),
    }


def _look_up_wheels(machine: Machine) -> bool:
    """Print what pip installs on a machine; return whether that keeps the promise."""
    found = wheels.resolve(requirements(), machine, PyPI())
    sizes = {each.name: installed_size(each.url) for each in found if each.wheel}
    print(of_wheels(machine, found, sizes))
    if machine.processor != PROMISED or all(each.wheel for each in found):
        return True
    print(f"    WRONG: an installation on {machine} needs a compiler")
    return False


def _look_up_packages(machine: Machine) -> bool:
    """Print what apt installs on a machine; return whether every package exists."""
    archive = debian.parsed(index_of(machine.release, machine.architecture))
    wanted = packages()
    added = [name for names in wanted.values() for name in names if name not in archive]
    more = raspberry_pi(machine.release, machine.architecture) if added else None
    if more is not None:
        archive = {**debian.parsed(more), **archive}
    try:
        for purpose, names in wanted.items():
            asked = [name for name in names if more is not None or name not in added]
            print(of_debian(machine, purpose, asked, debian.taken(asked, archive), archive))
    except debian.Missing as missing:
        print(f"    WRONG: there is no {missing} for {machine}")
        return False
    if added:
        answer = "cannot be asked from here" if more is None else "has it"
        print(f"    {' '.join(added)}: not Debian's; Raspberry Pi OS adds it, and its archive {answer}")
    return True


def main() -> int:
    """Look everything up, and return the exit status."""
    try:
        results = [look_up(machine) for machine in MACHINES for look_up in (_look_up_wheels, _look_up_packages)]
    except Unreachable as nowhere:
        print(f"nothing is proved: {nowhere}", file=sys.stderr)
        return 1
    except wheels.Unresolved as fault:
        print(f"WRONG: {fault}", file=sys.stderr)
        return 1
    if not reachable(PIWHEELS):
        print(
            "piwheels.org, where Raspberry Pi OS for 32 bits finds more wheels by itself, cannot be asked from here; "
            "what 'must be compiled' above may be there."
        )
    print("As promised." if all(results) else "Not as promised.")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
