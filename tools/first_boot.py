"""Writes the file that makes a Pi a box at its first start: a template with the release key put into it."""

from __future__ import annotations

from pathlib import Path

TEMPLATE = Path(__file__).parents[1] / "systemd" / "first-boot" / "user-data"


def write(dist: Path, signers: str) -> Path:
    """Write user-data beside the packages, and return its path.

    Args:
        dist: The folder of the packages.
        signers: The line of allowed signers; empty if no package is signed.
    """
    made = dist / "user-data"
    made.write_text(TEMPLATE.read_text("utf-8").replace("@SIGNERS@", signers.strip()), "utf-8")
    return made
