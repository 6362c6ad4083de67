"""The places of an installation: versions, package files, and the files that tell the box about them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple


class InstallationPaths(NamedTuple):
    """The paths of an installation below a root folder; tests use a root of their own."""

    root: Path = Path("/")

    @property
    def versions(self) -> Path:
        """Return the folder of the versions: a folder each, ``0.3.0``, or ``0.3.0~2`` if it was installed again."""
        return self.root / "opt/companion/versions"

    @property
    def current(self) -> Path:
        """Return the link to the version that the service starts."""
        return self.root / "opt/companion/current"

    @property
    def previous(self) -> Path:
        """Return the link to the version to go back to; there may be none."""
        return self.root / "opt/companion/previous"

    @property
    def program(self) -> Path:
        """Return the folder of the finished program as dpkg has unpacked it."""
        return self.root / "usr/lib/tabletop-companion/program"

    @property
    def update_outcome(self) -> Path:
        """Return the file with one word, what came of the last update; root writes it, and the service reads it."""
        return self.root / "run/companion-update/outcome"

    @property
    def roll_back_note(self) -> Path:
        """Return the note of a roll-back: the version that failed, the one started, how, and when (seconds)."""
        return self.root / "opt/companion/went-back"

    @property
    def failed_versions(self) -> Path:
        return self.root / "opt/companion/failed"

    def failed(self, version: str) -> Path:
        """Return the mark of a version that failed here: a line with the day, one with the reason, and its last log."""
        return self.failed_versions / version


def version_of(folder: Path) -> str | None:
    """Return the version in a folder or behind a link, such as ``0.3.0``; None if it is not there."""
    try:
        return folder.resolve(strict=True).name.partition("~")[0]
    except OSError:
        return None
