"""A USB drive that is plugged in: backups go to it, games come from it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from msgspec.structs import replace

from companion.app.clock import noted
from companion.app.machine import News
from companion.app.ports import Clock
from companion.app.survive_errors import LogAndContinue
from companion.core.errors import IllegalEventError
from companion.journal import JournalError
from companion.ui.screens.commands import MachineAction, RefreshMachineStatus
from companion.ui.screens.machine.drive import (
    AddGame,
    BackUp,
    CheckGameFile,
    DriveGamesStatus,
    DriveStatus,
    ListDriveGames,
    LookedOver,
)
from companion.ui.translations import _

LOOK = 0.25  # seconds between two looks whether the backup is written


class BackupDrive(Protocol):
    """Writes backups of all games to a USB drive."""

    def drive(self) -> str:
        """Return the name of the drive that is plugged in; empty if there is none. Returns at once."""

    def back_up(self, day: date | None) -> tuple[str, int]:
        """Write a backup. Return where it is (the drive and the file), and how many games may not be whole.

        Called in a thread; takes a while. The day is None if the clock is not set. Raises JournalError if that fails.
        """


class DriveFeature:
    """Writes backups, and tells when one is written."""

    def __init__(self, device: BackupDrive, clock: Clock) -> None:
        self._device = device
        self._clock = clock
        self._done: News | None = None
        self.status = DriveStatus()  # the drive that was plugged in when the settings were opened
        self.due: float | None = None  # when to see whether the backup is written; None if none is being written

    def do(self, action: MachineAction) -> None:
        """Look for a drive, or begin a backup, unless one is being written."""
        match action:
            case RefreshMachineStatus():
                self.status = DriveStatus(self._device.drive())
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
        done = News(_("The backup was not written"), refused=True)
        with LogAndContinue("a backup"):
            try:
                file, damaged = self._device.back_up(day)
                done = News(_("Backup written: {file}", file=file))
                if damaged:
                    text = _("Backup written, but games may not be whole: {count}. {file}", count=damaged, file=file)
                    done = News(text, refused=True)
            except JournalError as fault:
                done = News(_("No backup: {why}", why=fault.text), refused=True)
        self._done = done

    def tick(self) -> News | None:
        """Return the message when the backup is written, or has failed."""
        self.due = self._clock.passed() + LOOK if self._done is None else None
        return self._done


class GamesDrive(Protocol):
    """The USB drive with game files."""

    def plugged(self) -> bool:
        """Return whether a drive is plugged in; returns at once."""

    def names(self) -> Sequence[str]:
        """Return the names of the game files on the drive."""

    def look_over(self, name: str) -> LookedOver:
        """Return what a file declares, or what is wrong with it."""

    def add(self, name: str) -> None:
        """Add the game that a file declares; raise JournalError if that fails."""


class DriveGamesFeature:
    """Lists, looks over and adds games from the drive."""

    due = None

    def __init__(self, drive: GamesDrive) -> None:
        self._drive = drive
        self.status = DriveGamesStatus()

    def do(self, action: MachineAction) -> None:
        """Do what a screen asks; raise IllegalEventError if a game was not added."""
        match action:
            case RefreshMachineStatus():
                self.status = DriveGamesStatus(self._drive.plugged())
            case ListDriveGames():
                self.status = replace(self.status, names=tuple(self._drive.names()))
            case CheckGameFile(name):
                self.status = replace(self.status, looked_over=self._drive.look_over(name))
            case AddGame(name):
                try:
                    self._drive.add(name)
                except JournalError as fault:
                    raise IllegalEventError("drive", "{why}", why=fault.text) from fault

    def tick(self) -> None:
        """Nothing is ever due."""
