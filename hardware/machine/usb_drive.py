"""The USB drive that is plugged in: backups are written to it, and games are added from it; their screens.

Modules that the start does without are imported when somebody asks: those of backups and of games in files.
"""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from threading import Thread

from msgspec import Struct
from msgspec.structs import replace

from companion.app.failures import LogAndContinue
from companion.app.inputs import Notice
from companion.app.ports import Clock
from companion.core.text import N_, IllegalEventError, Text, why
from companion.history.days import noted
from companion.journal import JournalError, added_game_files
from companion.ui.screens.contents import OpenedScreen, PagedListScreen, menu, sentences
from companion.ui.screens.context import (
    Choice,
    MachineAction,
    RefreshMachineStatus,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    Status,
    Transition,
)
from companion.ui.translations import _
from hardware import system

# Backups

LOOK = 0.25  # seconds between two looks whether the backup is written
_NO_DRIVE = N_("no USB drive is plugged in")


class DriveStatus(Status, frozen=True):
    """The USB drive for backups; its name is empty if none was there when the settings were opened."""

    name: str = ""

    def row(self, settings: Screen) -> Row | None:
        begun = Transition(settings, BackUp(), _("Writing the backup"))
        return Row(_("Back up to USB"), begun) if self.name else None


class BackUp(MachineAction, frozen=True):
    """Action: back up all games to the USB drive."""

    answered_later = True


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
        return next((drive.name for drive in system.drives()), "")

    def back_up(self, day: date | None) -> tuple[str, int]:
        """Write a backup. Return the drive's name and the file's, and how many games may not be whole."""
        from companion.journal.backup import backup_to_drive

        drive = next(iter(system.drives()), None)
        if drive is None:
            raise JournalError(Text(_NO_DRIVE))
        try:
            file, written = backup_to_drive(self._folder, drive, day)
        except OSError as error:
            raise JournalError(why(error)) from error
        return f"{drive.name}/{file.name}", written.damaged


# Games

_GONE = N_("the drive has no file of this game any more")


class LookedOver(Struct, frozen=True):
    """A game's file that was checked."""

    title: str
    told: Text  # what it declares, or what is wrong with it
    content: str = ""  # what would be added; empty if it is wrong
    place: Path = Path()  # where it would be added
    replaces: bool = False  # whether a game of its name was added before


class DriveGamesStatus(Status, frozen=True):
    """The games on the USB drive that was plugged in when the settings were opened."""

    plugged: bool = False
    names: tuple[str, ...] = ()  # the files, as last listed
    looked_over: LookedOver | None = None  # the file that was chosen last

    def row(self, settings: Screen) -> Row | None:
        opened = Transition(DriveGamesScreen(settings), ListDriveGames())
        return Row(_("Games from USB"), opened) if self.plugged else None


class ListDriveGames(MachineAction, frozen=True):
    """Action: list the game files on the USB drive."""


class CheckGameFile(MachineAction, frozen=True):
    """Action: find out what a file on the drive declares."""

    name: str


class AddGame(MachineAction, frozen=True):
    """Action: add the game that a file on the drive declares."""

    name: str


class DriveGamesScreen(PagedListScreen, frozen=True):
    """The game files on the drive; choosing one looks it over."""

    def show(self, context: ScreenContext) -> ScreenContents:
        status = context.machine.get(DriveGamesStatus)
        names = () if status is None else status.names
        if not names:
            told = _("No game's file is on the drive: NAME.toml, or games/NAME.toml")
            return sentences(self, _("Games from USB"), [told])

        def row(here: Screen, name: str) -> Row:
            looks = CheckGameFile(name)
            return Row(name, Transition(DriveGameScreen(here, name), looks, if_refused=self))

        return menu(self, _("Games from USB"), self.paged(names, row, _("More games"), context), self.newer)


class DriveGameScreen(OpenedScreen, frozen=True):
    """What a file on the drive declares, and the key that adds it."""

    name: str

    def show(self, context: ScreenContext) -> ScreenContents:
        status = context.machine.get(DriveGamesStatus)
        assert status is not None  # the list has the row only then, and asked for the look
        looked = status.looked_over
        assert looked is not None
        if not looked.content:
            return sentences(self, looked.title, [context.words.sentence(looked.told)])
        told = [looked.told, _("It takes the place of the game of this name") if looked.replaces else _("Add it?")]
        added = Transition(self.before, AddGame(self.name), _("Added: {game}", game=looked.title))
        keys = (Choice("add", _("add"), lambda: added, "#"),)
        return sentences(self, looked.title, told, keys, _("# add   * back"), _("# adds it, * goes back"))


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
        return bool(system.drives(writable=False))

    def names(self) -> list[str]:
        """Return the names of the game files."""
        return sorted(self._files())

    def look_over(self, name: str) -> LookedOver:
        """Return what a file declares, or the first thing that is wrong with it."""
        from companion.app.games import looked_over
        from companion.core.games import GameFaultError
        from companion.games.toml_games.declaration import in_brief
        from companion.games.toml_games.file import GameFileError

        file = self._files().get(name)
        if file is None:
            return LookedOver(name, Text(_GONE))
        try:
            content = added_game_files.read(file)
            found, _game = looked_over(content, file.name)
        except GameFileError as error:
            first = error.findings[0]
            return LookedOver(name, Text(N_("line {line}: {wrong}"), line=first.line, wrong=first.text))
        except (GameFaultError, JournalError) as error:
            return LookedOver(name, error.text)
        place = self._folder / added_game_files.FOLDER / f"{found.name}{added_game_files.SUFFIX}"
        return LookedOver(found.title, in_brief(found), content, place, os.path.lexists(place))

    def add(self, name: str) -> None:
        """Copy a file to the journal's folder of added games; raise JournalError if that fails."""
        looked = self.look_over(name)
        if not looked.content:
            raise JournalError(looked.told)
        try:
            added_game_files.write(looked.place, looked.content.encode())
        except OSError as error:
            raise JournalError(why(error)) from error

    def _files(self) -> dict[str, Path]:
        """Return the files by their names; of two with one name, that of the first drive counts."""
        found: dict[str, Path] = {}
        for folder in (place for drive in system.drives(writable=False) for place in (drive, drive / "games")):
            for name in added_game_files.names(folder):
                found.setdefault(name, folder / f"{name}{added_game_files.SUFFIX}")
        return found
