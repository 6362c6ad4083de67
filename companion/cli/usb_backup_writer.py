"""Writes backups of a journal's folder to the USB drive that is plugged in, and tells when one is written."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from companion.app.failures import LogAndContinue
from companion.app.inputs import Notice
from companion.app.ports import Clock
from companion.core.text import N_, Text
from companion.history.days import noted
from companion.journal import JournalError
from companion.ui.screens.context import MachineAction, RefreshMachineStatus
from companion.ui.screens.devices import BackUp, DriveStatus
from companion.ui.translations import _

LOOK = 0.25  # seconds between two looks whether the backup is written
_NO_DRIVE = N_("no USB drive is plugged in")


class UsbBackupDrive:
    """The USB drive for backups of a folder (`companion.app.machine.Feature`)."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self._folder, self._clock = folder, clock
        self._done: Notice | None = None
        self.status = DriveStatus()  # the drive that was plugged in when the settings were opened
        self.due: float | None = None  # when to see whether the backup is written; None if none is being written

    def do(self, action: MachineAction) -> None:
        """Look for a drive, or begin a backup, unless one is being written."""
        match action:
            case RefreshMachineStatus():
                self.status = DriveStatus(self.drive())
            case BackUp() if self.due is None:
                self._start()

    def _start(self) -> None:
        from threading import Thread

        moment = noted(self._clock.now())
        self._done, self.due = None, self._clock.passed() + LOOK
        day = None if moment is None else moment.date()
        Thread(target=self._write, args=(day,), name="backup", daemon=True).start()

    def _write(self, day: date | None) -> None:
        """Write the backup; the thread's function."""
        done = Notice(_("The backup was not written"), refused=True)
        with LogAndContinue("a backup"):
            try:
                file, damaged = self.back_up(day)
                done = Notice(_("Backup written: {file}", file=file))
                if damaged:
                    text = _("Backup written, but games may not be whole: {count}. {file}", count=damaged, file=file)
                    done = Notice(text, refused=True)
            except JournalError as fault:
                done = Notice(_("No backup: {why}", why=fault.text), refused=True)
        self._done = done

    def tick(self) -> Notice | None:
        """Return the message when the backup is written, or has failed."""
        self.due = self._clock.passed() + LOOK if self._done is None else None
        return self._done

    def drive(self) -> str:
        """Return the name of the first drive that can be written to; empty if there is none."""
        found = self._found()
        return "" if found is None else found.name

    def back_up(self, day: date | None) -> tuple[str, int]:
        """Write a backup. Return the drive's name and the file's, and how many games may not be whole."""
        from companion.core.text import why
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
