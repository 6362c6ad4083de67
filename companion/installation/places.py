"""The places of an installation: versions, package files, and the files that tell the box about them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ROOT = Path("/")


class InstallationPaths(NamedTuple):
    """The paths of an installation below a root folder; tests use a root of their own.

    >>> str(InstallationPaths().current)
    '/opt/companion/current'
    """

    root: Path = ROOT

    @property
    def versions(self) -> Path:
        """Return the folder of the versions: a folder each, ``0.3.0``, or ``0.3.0~2`` if it was built again."""
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
    def package(self) -> Path:
        """Return the folder of the Debian package: wheels, their hashes, the keys that sign updates."""
        return self.root / "usr/share/tabletop-companion"

    def kept_package(self, version: str) -> Path:
        """Return the folder in which the wheels of an installed version are kept, with their hashes."""
        return self.root / "opt/companion/packages" / version

    @property
    def games(self) -> Path:
        """Return the folder of the journal, which is the service's."""
        return self.root / "var/lib/companion"

    @property
    def backups(self) -> Path:
        """Return the folder of the backups that installations write, which is the service's."""
        return self.root / "var/lib/companion-backups"

    @property
    def built(self) -> Path:
        """Return the file that names the version that was built and checked by an installation that has not ended."""
        return self.root / "opt/companion/built"

    @property
    def signers(self) -> Path:
        """Return the file of the keys that may sign an update, in the form of ``ssh-keygen``'s allowed signers."""
        return self.package / "allowed_signers"

    @property
    def revoked_signers(self) -> Path:
        """Return the file of the keys that may not sign an update any more."""
        return self.package / "revoked_signers"

    @property
    def downloads(self) -> Path:
        """Return the folder where an update is checked; only root writes there."""
        return self.root / "var/cache/tabletop-companion"

    @property
    def found_update(self) -> Path:
        """Return what the last look for a newer version found; root writes it, and the service reads it."""
        return self.root / "run/companion-update/found"

    @property
    def failures(self) -> Path:
        """Return the times at which the service failed, as ``systemd/roll-back.sh`` counts them."""
        return self.root / "run/companion-failures"

    @property
    def lock(self) -> Path:
        """Return the file that is locked while a version is built and chosen."""
        return self.root / "run/companion-install.lock"

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


def version_of(link: Path) -> str | None:
    """Return the version a link leads to, such as ``0.3.0``; None if it leads nowhere."""
    try:
        target = link.resolve(strict=True)
    except OSError:
        return None
    return version_in(target)


def version_in(folder: Path) -> str:
    """Return the version that a folder holds.

    >>> version_in(Path("versions/0.3.0~2"))
    '0.3.0'
    """
    return folder.name.partition("~")[0]
