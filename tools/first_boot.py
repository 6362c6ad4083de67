"""Writes what makes a Pi a box at its first start: a template with the release key put into it, and the settings."""

from __future__ import annotations

import shutil
from pathlib import Path

_SYSTEMD = Path(__file__).parents[1] / "systemd"
TEMPLATE = _SYSTEMD / "first-boot" / "user-data"
SETTINGS = _SYSTEMD / "companion.toml"


def write(dist: Path, signers: str) -> Path:
    """Write user-data and the default settings beside the packages, and return the path of user-data.

    Args:
        dist: The folder of the packages.
        signers: A line for each allowed signer; empty if no package is signed.
    """
    made = dist / "user-data"
    lines = "\n    ".join(signers.splitlines())  # indented as the script is
    made.write_text(TEMPLATE.read_text("utf-8").replace("@SIGNERS@", lines), "utf-8")
    shutil.copyfile(SETTINGS, dist / SETTINGS.name)
    return made
