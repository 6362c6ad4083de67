"""Tools that some tests need, beyond Python's packages.

A test says ``@pytest.mark.needs("lintian")``. Where the tool is missing the test is skipped, and the tool is named;
it fails instead if ``COMPANION_REQUIRED`` names the tool, as CI does with every one (``.ci/run``).
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

DRIVER = "/usr/bin/chromedriver"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PACKAGES = {
    "apt-ftparchive": "apt-utils",
    "browser": "chromium-driver",
    "debian-13": "debootstrap",
    "dh": "debhelper",
    "dpkg-deb": "dpkg",
    "gpg": "gnupg",
    "ip": "iproute2",
    "lintian": "lintian",
    "mosquitto": "mosquitto",
    "postgresql": "postgresql",
    "shellcheck": "shellcheck",
    "soffice": "libreoffice-calc-nogui",
    "systemd-analyze": "systemd",
}
"""Tools with the Debian package that brings them. Chromium comes with its driver; .ci/debian-13 makes a Debian 13."""

TOOLS = (*PACKAGES, "another-user", "owner", "root")
DEBIAN_13 = Path(os.environ.get("COMPANION_DEBIAN_13", "/var/cache/tabletop-companion-tests/debian-13"))
"""A root folder with Debian 13, made by ``.ci/debian-13``."""


def required() -> frozenset[str]:
    """Return the tools that must be there.

    Raises:
        pytest.UsageError: Nobody knows one of them.
    """
    named = frozenset(os.environ.get("COMPANION_REQUIRED", "").split())
    if unknown := named.difference(TOOLS):
        raise pytest.UsageError(f"COMPANION_REQUIRED: there is no {min(unknown)}; there are {', '.join(TOOLS)}")
    return named


def need(tool: str) -> None:
    """Skip the test if a tool is missing, or fail it if the tool is required."""
    why = missing(tool)
    if why is None:
        return
    if tool in required():
        pytest.fail(why, pytrace=False)
    pytest.skip(why)


def not_tried(reasons: Iterable[str]) -> str:
    """Return one line on the tests that were skipped for want of a tool; "" if none was.

    Args:
        reasons: Why each test was skipped.
    """
    tools = {missing(tool): tool for tool in TOOLS}
    lacking = [tools[why] for why in reasons if why in tools]
    if not lacking:
        return ""
    packages = sorted({PACKAGES[tool] for tool in lacking if tool in PACKAGES})
    root = ["root's rights"] if {"another-user", "owner", "root"}.intersection(lacking) else []
    return f"Not tried: {len(lacking)} test{'s' * (len(lacking) > 1)}, for want of {', '.join([*packages, *root])}."


@cache
def missing(tool: str) -> str | None:
    """Return why a tool cannot be used, in a sentence; None if it can."""
    match tool:
        case "browser":
            if not Path(DRIVER).exists():
                return f"{DRIVER} is missing: apt-get install chromium-driver."
            return None if any(map(shutil.which, BROWSERS)) else "Chromium is missing: apt-get install chromium."
        case "debian-13":
            there = (DEBIAN_13 / "etc/os-release").exists() and os.geteuid() == 0
            return None if there else f"There is no Debian 13 in {DEBIAN_13}: .ci/debian-13 makes it, as root."
        case "postgresql":
            there = bool(list(Path("/usr/lib/postgresql").glob("*/bin/postgres")))
            return None if there else "PostgreSQL is missing: apt-get install postgresql."
        case "root":
            return None if os.geteuid() == 0 else "Only root may do that."
        case "another-user":
            if os.geteuid() != 0:
                return "Only root can become another user."
            closed = _closed(Path(sys.executable), Path(sys.executable).resolve(), Path(os.__file__))
            return None if closed is None else f"Another user cannot run this Python: {closed} is closed to others."
        case "owner":
            if os.geteuid() != 0:
                return "Only root can act as the owner of a folder."
            closed = _closed(Path(__file__))
            return None if closed is None else f"The owner of a folder cannot read the program: {closed} is closed."
        case _:
            there = shutil.which(tool) is not None
            return None if there else f"{tool} is missing: apt-get install {PACKAGES[tool]}."


def _closed(*places: Path) -> Path | None:
    """Return the first folder above some files that others may not enter; None if there is none."""
    folders = (folder for place in places for folder in place.parents)
    return next((folder for folder in folders if not folder.stat().st_mode & 0o001), None)
