"""Looks up the Debian packages that a box needs, on every supported system: ``python -m tests.harness.arm``."""

from __future__ import annotations

import sys
from pathlib import Path

from . import debian
from .fetching import Unreachable, raspberry_pi
from .fetching import debian as index_of
from .report import of_debian

ROOT = Path(__file__).parents[3]
SYSTEMS = tuple((release, processor) for release in ("bookworm", "trixie") for processor in ("arm64", "amd64"))
"""Debian's names of the releases and processors that the package is made for."""


def packages() -> dict[str, tuple[str, ...]]:
    """Return the Debian packages that people are told to install, and those that ours depends on, by purpose."""
    page, control = ((ROOT / name).read_text("utf-8") for name in ("docs/build-a-box.md", "debian/control"))
    return {
        "for the package": debian.depends(control),
        "for everybody": debian.installed_by(page),
        "for tunes, a dimmed lamp, a panel on SPI": debian.mentioned(page),
    }


def _look_up(release: str, architecture: str) -> bool:
    """Print what apt installs on a system; return whether every package exists."""
    archive = debian.parsed(index_of(release, architecture))
    wanted = {purpose: names for purpose, names in packages().items() if names}
    added = [name for names in wanted.values() for name in names if name not in archive]
    more = raspberry_pi(release, architecture) if added else None
    if more is not None:
        archive = {**debian.parsed(more), **archive}
    try:
        for purpose, names in wanted.items():
            asked = [name for name in names if more is not None or name not in added]
            print(of_debian(f"{release} {architecture}", purpose, asked, debian.taken(asked, archive), archive))
    except debian.Missing as missing:
        print(f"    WRONG: there is no {missing} for {release} {architecture}")
        return False
    if added:
        answer = "cannot be asked from here" if more is None else "has it"
        print(f"    {' '.join(added)}: not Debian's; Raspberry Pi OS adds it, and its archive {answer}")
    return True


def main() -> int:
    """Look everything up, and return the exit status."""
    try:
        results = [_look_up(*system) for system in SYSTEMS]
    except Unreachable as nowhere:
        print(f"nothing is proved: {nowhere}", file=sys.stderr)
        return 1
    print("As promised." if all(results) else "Not as promised.")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
