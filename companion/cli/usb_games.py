"""Finds game files on USB drives, checks them, and copies them to the box.

The modules of declared games are imported when somebody asks for a drive's games: the first picture does without them.
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec.structs import replace

from companion.core.text import N_, IllegalEventError, Text
from companion.journal import JournalError, added_game_files
from companion.ui.screens.context import MachineAction, RefreshMachineStatus
from companion.ui.screens.devices import (
    AddGame,
    CheckGameFile,
    DriveGamesStatus,
    ListDriveGames,
    LookedOver,
)

_GONE = N_("the drive has no file of this game any more")


class UsbGames:
    """The game files on USB drives, in a folder `games`, too (`companion.app.machine.Feature`)."""

    due = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder  # the journal's
        self.status = DriveGamesStatus()

    def do(self, action: MachineAction) -> None:
        """Do what a screen asks; raise IllegalEventError if a game was not added."""
        match action:
            case RefreshMachineStatus():
                self.status = DriveGamesStatus(self.plugged())
            case ListDriveGames():
                self.status = replace(self.status, names=tuple(self.names()))
            case CheckGameFile(name):
                self.status = replace(self.status, looked_over=self.look_over(name))
            case AddGame(name):
                try:
                    self.add(name)
                except JournalError as fault:
                    raise IllegalEventError("drive", "{why}", why=fault.text) from fault

    def tick(self) -> None:
        """Nothing is ever due."""

    def plugged(self) -> bool:
        """Return whether a drive is plugged in."""
        return bool(_drives())

    def names(self) -> list[str]:
        """Return the names of the game files."""
        return sorted(self._files())

    def look_over(self, name: str) -> LookedOver:
        """Return what a file declares, or the first thing that is wrong with it."""
        _content, _name, looked = self._looked(name)
        return looked

    def add(self, name: str) -> None:
        """Copy a file to the journal's folder of added games; raise JournalError if that fails."""
        from companion.core.text import why

        content, declared, looked = self._looked(name)
        if not looked.right:
            raise JournalError(looked.told)
        try:
            added_game_files.write(self._place(declared), content.encode())
        except OSError as error:
            raise JournalError(why(error)) from error

    def _looked(self, name: str) -> tuple[str, str, LookedOver]:
        """Return a file's content, the name of the game that it declares, and what it declares."""
        from companion.app.games import looked_over
        from companion.core.games import GameFaultError
        from companion.games.toml_games.declaration import in_brief
        from companion.games.toml_games.file import GameFileError

        file = self._files().get(name)
        if file is None:
            return "", "", LookedOver(name, Text(_GONE))
        try:
            content = added_game_files.read(file)
            found, _game = looked_over(content, file.name)
        except GameFileError as error:
            first = error.findings[0]
            return "", "", LookedOver(name, Text(N_("line {line}: {wrong}"), line=first.line, wrong=first.text))
        except (GameFaultError, JournalError) as error:
            return "", "", LookedOver(name, error.text)
        replaces = os.path.lexists(self._place(found.name))
        return content, found.name, LookedOver(found.title, in_brief(found), right=True, replaces=replaces)

    def _files(self) -> dict[str, Path]:
        """Return the files by their names; of two with one name, that of the first drive counts."""
        found: dict[str, Path] = {}
        for folder in (place for drive in _drives() for place in (drive, drive / "games")):
            for name in added_game_files.names(folder):
                found.setdefault(name, folder / f"{name}{added_game_files.SUFFIX}")
        return found

    def _place(self, name: str) -> Path:
        return self._folder / added_game_files.FOLDER / f"{name}{added_game_files.SUFFIX}"


def _drives() -> list[Path]:
    from hardware.mounted_drives import drives

    return drives(writable=False)
