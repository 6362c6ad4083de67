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

from .commands import RetryFailedGame
from .context import Screen, ScreenContents, ScreenContext, Transition, refuse
from .list_menu import PagedListScreen, Row, menu
from .saved_drafts import SetUpDraft
from .screen_contents import OpenedListScreen
from .setup import SeatingScreen

WHICH_GAME = _("Which game?")

LATELY = 4
"""The most games from files that are listed beside the box's own; those played last count."""


def game_choice(before: Screen, game: str) -> Screen:
    """Return the choice of games with a game highlighted, or the row that leads to it."""
    return before if len(GAMES) == 1 else GameChoiceScreen(before, wanted=game)


class GameChoiceScreen(OpenedListScreen, frozen=True):
    """The choice of a game: those of the box, those of files that were played lately, and the way to all others."""

    wanted: str = ""  # the game to highlight, by its name; empty if the row says it

    @classmethod
    def opening(cls, before: Screen) -> Screen:
        return SeatingScreen(before, GAMES[next(iter(GAMES))]) if len(GAMES) == 1 else cls(before)

    @property
    def draft(self) -> SetUpDraft:
        return SetUpDraft(row=self.chosen)

    def show(self, context: ScreenContext) -> ScreenContents:
        listed, found = context.game_list, GAMES.found_titles
        own = [name for name in GAMES if name not in listed.hidden]
        lately = [name for name in listed.lately if name in found and name not in listed.hidden][:LATELY]
        titles = {name: GAMES.title(name) for name in own} | {name: found[name] for name in lately}
        chosen = self.chosen if not self.wanted else [*titles, self.wanted].index(self.wanted)
        here = replace(self, chosen=chosen, wanted="")
        rows: list[Row] = [
            (Text(title), "", partial(_seating, replace(here, chosen=row), name))
            for row, (name, title) in enumerate(titles.items())
        ]
        others = FileGamesScreen(replace(here, chosen=len(rows)))
        rows.append((_("Other games"), "", Transition(others)))
        return menu(here, context.words, WHICH_GAME, rows, self.before, home=None)


def _seating(before: Screen, name: str) -> Transition:
    """Return the transition to the seats of a game; a file that cannot be used is refused."""
    try:
        game = GAMES[name]
    except GameFaultError as fault:
        return refuse(before, fault.text)
    return Transition(SeatingScreen(before, game), _asked_for(game))


class FileGamesScreen(PagedListScreen, frozen=True):
    """The choice of a game that a file declares, in the order of the alphabet, page by page."""

    def show(self, context: ScreenContext) -> ScreenContents:
        hidden = context.game_list.hidden
        names = {title: name for name, title in GAMES.found_titles.items() if name not in hidden}
        titles = sorted(names, key=lambda title: name_key(context.words(Text(title))))
        rows: list[Row] = [
            (Text(title), "", partial(_seating, replace(self, chosen=row), names[title]))
            for row, title in enumerate(self.listed(titles))
        ]
        rows += self.older(titles, _("More games"))
        return menu(self, context.words, WHICH_GAME, rows, self.newer, home=None)


def _asked_for(game: Game[Any]) -> RetryFailedGame | None:
    """Return the command that tries a game again that was put aside; None for any other game."""
    return RetryFailedGame(game.name) if GAMES.aside(game.name) else None
