"""Looks up what a box needs, on every machine that the package is made for: ``python -m tests.harness.arm``."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.locks import lock_for, read
from tools.target_machines import MACHINES, Machine

from . import debian, wheels
from .fetching import Unreachable, files, installed_size, raspberry_pi
from .fetching import debian as index_of
from .report import of_debian, of_wheels

ROOT = Path(__file__).parents[3]


def packages() -> dict[str, tuple[str, ...]]:
    """Return the Debian packages that people are told to install, and those that ours depends on, by purpose."""
    page, control = ((ROOT / name).read_text("utf-8") for name in ("docs/build-a-box.md", "debian/control"))
    return {
        "for the package": debian.depends(control),
        "for everybody": debian.installed_by(page),
        "for tunes, a dimmed lamp, a panel on SPI": debian.mentioned(page),
    }


def _look_up_wheels(machine: Machine) -> bool:
    """Print what a box gets from PyPI; return whether nothing must be compiled."""
    found = wheels.find(read(lock_for(machine.python)), machine, files)
    sizes = {each.name: installed_size(each.url) for each in found if each.wheel}
    print(of_wheels(machine, found, sizes))
    compiled = sorted(each.name for each in found if not each.wheel)
    if compiled:
        print(f"    WRONG: to be compiled for {machine}: {compiled}")
    return not compiled


def _look_up_packages(machine: Machine) -> bool:
    """Print what apt installs on a machine; return whether every package exists."""
    archive = debian.parsed(index_of(machine.release, machine.architecture))
    wanted = {purpose: names for purpose, names in packages().items() if names}
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
    except wheels.Absent as fault:
        print(f"WRONG: {fault}", file=sys.stderr)
        return 1
    print("As promised." if all(results) else "Not as promised.")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
