"""Reads backups, as a restore does, without restoring them."""

from __future__ import annotations

from pathlib import Path

from companion.journal.backup import opened_backup


def games_in(file: Path) -> list[str]:
    with opened_backup(file) as archive:
        return [Path(name).stem for name in archive.namelist() if name.startswith("games/")]
