"""The USB drive: backups and games on it."""

from __future__ import annotations

from msgspec import Struct

from companion.core.text import Text
from companion.ui.screens.commands import MachineAction, OnMachine
from companion.ui.screens.contents import OpenedScreen, PagedListScreen, menu, sentences
from companion.ui.screens.context import Choice, Screen, ScreenContents, ScreenContext, Status, Transition
from companion.ui.translations import _


class DriveStatus(Status, frozen=True):
    """The USB drive for backups; its name is empty if none was there when the settings were opened."""

    name: str = ""

    def row(self, settings: Screen) -> tuple[Text, Text, Transition] | None:
        begun = Transition(settings, OnMachine(BackUp()), _("Writing the backup"))
        return (_("Back up to USB"), Text(""), begun) if self.name else None


class BackUp(MachineAction, frozen=True):
    """Action: back up all games to the USB drive."""


class LookedOver(Struct, frozen=True):
    """A game's file that was checked."""

    title: str
    told: Text  # what it declares, or what is wrong with it
    right: bool = False  # whether it can be added
    replaces: bool = False  # whether a game of its name was added before


class DriveGamesStatus(Status, frozen=True):
    """The games on the USB drive that was plugged in when the settings were opened."""

    plugged: bool = False
    names: tuple[str, ...] = ()  # the files, as last listed
    looked_over: LookedOver | None = None  # the file that was chosen last

    def row(self, settings: Screen) -> tuple[Text, Text, Transition] | None:
        opened = Transition(DriveGamesScreen(settings), OnMachine(ListDriveGames()))
        return (_("Games from USB"), Text(""), opened) if self.plugged else None


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
            return sentences(self, context, _("Games from USB"), [told])
        rows = (
            (
                name,
                "",
                Transition(DriveGameScreen(self._at(row), name), OnMachine(CheckGameFile(name)), if_refused=self),
            )
            for row, name in enumerate(self.listed(names, context))
        )
        listing = [*rows, *self.older(names, _("More games"), context)]
        return menu(self, context.words, _("Games from USB"), listing, self.newer)

    def _at(self, row: int) -> DriveGamesScreen:
        return DriveGamesScreen(self.before, page=self.page, chosen=row)


class DriveGameScreen(OpenedScreen, frozen=True):
    """What a file on the drive declares, and the key that adds it."""

    name: str

    def show(self, context: ScreenContext) -> ScreenContents:
        status, words = context.machine.get(DriveGamesStatus), context.words
        assert status is not None  # the list has the row only then, and asked for the look
        looked = status.looked_over
        assert looked is not None
        if not looked.right:
            return sentences(self, context, looked.title, [words.sentence(looked.told)])
        told = [looked.told, _("It takes the place of the game of this name") if looked.replaces else _("Add it?")]
        added = Transition(self.before, OnMachine(AddGame(self.name)), _("Added: {game}", game=looked.title))
        keys = (Choice("add", words(_("add")), lambda: added, "#"),)
        return sentences(self, context, looked.title, told, keys, _("# add   * back"), _("# adds it, * goes back"))
