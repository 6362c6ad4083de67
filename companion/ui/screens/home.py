"""The home screen: continue a game, begin one, look at old ones, settings."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from companion.core.text import Text
from companion.ui.translations import _
from companion.ui.view import ListBody

from .commands import BeginGame, OnMachine, RefreshSettings, ResumeGame
from .context import ScreenContents, ScreenContext, Transition
from .game_list import GameListScreen
from .history import HistoryScreen
from .list_selection import NUMBERED
from .machine.phones import PhonesStatus
from .regular_groups import RegularGroupsScreen, together
from .screen_contents import KeyBinding, ListContents, ListScreen
from .settings import SettingsScreen
from .setup import GameChoiceScreen


class HomeRow(NamedTuple):
    """A row of the home screen, with its transition."""

    text: str
    value: str
    move: Transition
    players: tuple[str, ...] = ()


class HomeScreen(ListScreen, frozen=True):
    """The first screen, shown while no game is open."""

    def _items(self, context: ScreenContext) -> tuple[HomeRow, ...]:
        words = context.words
        items: list[HomeRow] = []
        games = context.game_list.games
        under_way = ((one.name, one.header) for one in games if not one.over and one.header is not None)
        name, header = next(under_way, ("", None))
        if header is not None:
            text = _("Go on: {game}", game=Text(header.game.title))
            items.append(HomeRow(words(text), "", Transition(self, ResumeGame(name)), header.players))
        items.append(HomeRow(words(_("New game")), "", Transition(GameChoiceScreen.opening(self))))
        groups = tuple(islice(context.regular_groups, NUMBERED))
        if groups:
            header = groups[0].header
            text = _("Again: {game}", game=Text(header.game.title))
            items.append(
                HomeRow(words(text), "", Transition(self, BeginGame(header, groups[0].tracking)), header.players)
            )
        if len(groups) > 1:
            items.append(HomeRow(words(_("Regulars")), str(len(groups)), Transition(RegularGroupsScreen(self))))
        if games:
            items.append(HomeRow(words(_("All games")), str(len(games)), Transition(GameListScreen(self))))
        if any(one.over for one in games):
            items.append(HomeRow(words(_("History")), "", Transition(HistoryScreen(self))))
        items.append(HomeRow(words(_("Settings")), "", Transition(SettingsScreen(self), OnMachine(RefreshSettings()))))
        phones = context.machine.get(PhonesStatus)
        if phones is not None:
            text, count, move = phones.row(self)
            items.append(HomeRow(words(text), words(count), move))
        return tuple(items)

    def show(self, context: ScreenContext) -> ScreenContents:
        items, words = self._items(context), context.words
        rows = tuple((item.text, item.value) for item in items)
        below = tuple((together(item.players) if item.players else "", "") for item in items)
        return ListContents(
            self,
            ListBody(words(_("Tabletop Companion")), rows, self.chosen, below=below),
            words(_("Choose by number")),
            lambda row: items[row].move,
            (KeyBinding("#", words(_("choose"))),),
            _("Choose by number"),
        )
