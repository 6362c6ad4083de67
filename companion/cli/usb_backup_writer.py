"""Writes backups of a journal's folder to the USB drive that is plugged in."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from companion.core.text import N_, Text

_NO_DRIVE = N_("no USB drive is plugged in")


class UsbBackupDrive:
    """The USB drive for backups of a folder (`companion.app.machine.drive.BackupDrive`)."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def drive(self) -> str:
        """Return the name of the first drive that can be written to; empty if there is none."""
        found = self._found()
        return "" if found is None else found.name

    def back_up(self, day: date | None) -> tuple[str, int]:
        """Write a backup. Return the drive's name and the file's, and how many games may not be whole."""
        from companion.core.disk_error_sentences import why
        from companion.journal import JournalError
        from companion.journal.backup import backup_to_drive

        drive = self._found()
        if drive is None:
            raise JournalError(Text(_NO_DRIVE))
        try:
            file, written = backup_to_drive(self._folder, drive, day)
        except OSError as error:
            raise JournalError(why(error)) from error
        return f"{drive.name}/{file.name}", written.damaged

    @staticmethod
    def _found() -> Path | None:
        from hardware.mounted_drives import drives

        return next(iter(drives()), None)
