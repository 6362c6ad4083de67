"""Chooses the game to set up: a game of the box, or one that a file declares."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace

from companion.core.game import Game
from companion.core.game_guard import GameFaultError
from companion.core.text import Text
from companion.gamelog import name_key
from companion.games import GAMES
from companion.ui.translations import _

from .commands import AskForGame
from .context import Screen, ScreenContents, ScreenContext, Transition, refuse
from .drafts import SetUpDraft
from .list_menu import PagedListScreen, Row, menu
from .screen_contents import OpenedListScreen
from .setup import SeatingScreen

WHICH_GAME = _("Which game?")


def game_choice(before: Screen, game: str) -> Screen:
    """Return the choice of games with a game highlighted, or the row that leads to it."""
    if len(GAMES) == 1:
        return before
    names = [*GAMES]
    return GameChoiceScreen(before, chosen=names.index(game) if game in names else len(names))


class GameChoiceScreen(OpenedListScreen, frozen=True):
    """The choice of a game."""

    @classmethod
    def opening(cls, before: Screen) -> Screen:
        games = tuple(GAMES.values())
        return SeatingScreen(before, games[0]) if len(games) == 1 else cls(before)

    @property
    def draft(self) -> SetUpDraft:
        return SetUpDraft(row=self.chosen)

    def show(self, context: ScreenContext) -> ScreenContents:
        rows: list[Row] = [
            (Text(game.title), "", Transition(SeatingScreen(replace(self, chosen=row), game), _asked_for(game)))
            for row, game in enumerate(GAMES.values())
        ]
        others = OtherGamesScreen(replace(self, chosen=len(rows)))
        return menu(
            self, context.words, WHICH_GAME, [*rows, (_("Other games"), "", Transition(others))], self.before, home=None
        )


class OtherGamesScreen(PagedListScreen, frozen=True):
    """The choice of a game that a file declares, in the order of the alphabet, page by page."""

    def show(self, context: ScreenContext) -> ScreenContents:
        names = {title: name for name, title in GAMES.on_shelf.items()}
        titles = sorted(names, key=lambda title: name_key(context.words(Text(title))))
        rows: list[Row] = [
            (Text(title), "", partial(self._seating, row, names[title]))
            for row, title in enumerate(self.listed(titles))
        ]
        rows += self.older(titles, _("More games"))
        return menu(self, context.words, WHICH_GAME, rows, self.newer, home=None)

    def _seating(self, row: int, name: str) -> Transition:
        try:
            game = GAMES[name]
        except GameFaultError as fault:  # a file that cannot be used
            return refuse(replace(self, chosen=row), fault.text)
        return Transition(SeatingScreen(replace(self, chosen=row), game), _asked_for(game))


def _asked_for(game: Game[Any]) -> AskForGame | None:
    """Return the command that tries a game again that was put aside; None for any other game."""
    return AskForGame(game.name) if GAMES.aside(game.name) else None
