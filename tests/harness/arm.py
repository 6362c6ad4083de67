"""Looks up the Debian packages that a box needs, on every supported system: ``python -m tests.harness.arm``.

It uses the network, and installs nothing.
"""

from __future__ import annotations

import gzip
import lzma
import re
import sys
from pathlib import Path

import httpx

ROOT = Path(__file__).parents[2]
SYSTEMS = tuple((release, processor) for release in ("bookworm", "trixie") for processor in ("arm64", "amd64"))
"""Debian's names of the releases and processors that the package is made for."""
DEBIAN = "http://deb.debian.org/debian/dists/{}/main/binary-{}/Packages.xz"
RASPBERRY_PI = "https://archive.raspberrypi.com/debian/dists/{}/main/binary-{}/Packages.gz"
"""The archive of Raspberry Pi OS, which has packages that Debian lacks."""


def wanted() -> set[str]:
    """Return the packages that people are told to install, and those that ours depends on, the first of each choice."""
    page, control = ((ROOT / name).read_text("utf-8") for name in ("docs/build-a-box.md", "debian/control"))
    lists = re.findall(r"apt install ([a-z0-9_./+ -]+)", page)
    told = {name for each in lists for name in each.split() if "/" not in name}
    told |= set(re.findall(r"`(python3-[a-z0-9]+)`", page))
    (depends,) = re.findall(r"^Depends: (.*)$", control, re.MULTILINE)
    return told | {name for each in depends.split(", ") for name in re.findall(r"^[a-z0-9+.-]+", each)}


def offered(index: str) -> dict[str, str]:
    """Return the version of each package of an archive's index; empty for a name that others only provide."""
    found: dict[str, str] = {}
    for names in re.findall(r"^Provides: (.*)$", index, re.MULTILINE):
        found |= dict.fromkeys((re.split(r"[ :(]", name.strip())[0] for name in names.split(",")), "")
    for paragraph in index.split("\n\n"):
        about = dict(re.findall(r"^(Package|Version): (\S+)$", paragraph, re.MULTILINE))
        if about:
            found[about["Package"]] = about["Version"]
    return found


def look_up(release: str, processor: str) -> list[str]:
    """Print what an archive has of the packages, and return the names that it lacks.

    Raises:
        httpx.HTTPError: Debian's archive cannot be reached.
    """
    archive = offered(lzma.decompress(_fetched(DEBIAN.format(release, processor))).decode())
    missing = wanted() - archive.keys()
    if missing:
        archive |= offered(gzip.decompress(_fetched(RASPBERRY_PI.format(release, processor))).decode())
    print(f"{release} {processor}: {', '.join(f'{name} {archive.get(name)}' for name in sorted(wanted()))}")
    return sorted(missing - archive.keys())


def _fetched(url: str) -> bytes:
    return httpx.get(url, follow_redirects=True, timeout=60).raise_for_status().content


def main() -> int:
    """Look everything up, and return the exit status."""
    try:
        missing = {system: look_up(*system) for system in SYSTEMS}
    except httpx.HTTPError as error:
        print(f"nothing is proved: {error}", file=sys.stderr)
        return 1
    for (release, processor), names in missing.items():
        if names:
            print(f"WRONG: there is no {' '.join(names)} for {release} {processor}")
    return int(any(missing.values()))


if __name__ == "__main__":
    sys.exit(main())
