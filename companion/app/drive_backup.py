"""Writes a backup of all games to a USB drive, in a thread, so that keys go on working."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from companion.core.text import Text
from companion.journal import JournalError
from companion.ui.translations import _

from .clock import noted
from .ports import BackupDrive, Clock
from .survive_errors import LogAndContinue

LOOK = 0.25
"""Seconds between two looks whether the backup is written."""


class DriveBackup:
    """A timed task that tells when the backup is written; without one it is never due."""

    def __init__(self, device: BackupDrive | None, clock: Clock, told: Callable[[Text, bool], None]) -> None:
        """Write nothing yet.

        Args:
            device: Finds and writes the drive; None where there can be none.
            clock: Supplies the time.
            told: Called with a message for the panel, and whether it is an error.
        """
        self._device = device
        self._clock = clock
        self._told = told
        self._due: float | None = None
        self._done: tuple[Text, bool] | None = None

    def drive(self) -> str:
        """Return the name of the drive that is plugged in; empty if there is none."""
        return "" if self._device is None else self._device.drive()

    def start(self) -> None:
        """Begin a backup, unless one is being written."""
        if self._device is None or self._due is not None:
            return
        from threading import Thread

        moment = noted(self._clock.now())
        self._done, self._due = None, self._clock.passed() + LOOK
        day = None if moment is None else moment.date()
        Thread(target=self._write, args=(self._device, day), name="backup", daemon=True).start()

    def _write(self, device: BackupDrive, day: date | None) -> None:
        """Write the backup; the thread's function."""
        done = _("The backup was not written"), True
        with LogAndContinue("a backup"):
            try:
                file, damaged = device.back_up(day)
                done = _("Backup written: {file}", file=file), False
                if damaged:
                    done = _("Backup written, but games are damaged: {count}. {file}", count=damaged, file=file), True
            except JournalError as fault:
                done = _("No backup: {why}", why=fault.text), True
        self._done = done

    @property
    def due(self) -> float | None:
        """Return when to call `tick`."""
        return self._due

    def tick(self) -> None:
        """Tell that the backup is written, or why not."""
        if self._done is None:
            self._due = self._clock.passed() + LOOK
        else:
            self._due = None
            self._told(*self._done)
