"""Adds kinds of games from files on a USB drive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from companion.core.errors import IllegalEventError
from companion.journal import JournalError
from companion.ui.screens.commands import MachineAction, RefreshMachineStatus
from companion.ui.screens.machine.games_from_drive import (
    AddGame,
    CheckGameFile,
    DriveGamesStatus,
    ListDriveGames,
    LookedOver,
)


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
