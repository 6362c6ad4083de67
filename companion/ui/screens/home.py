"""The home screen: continue a game, begin one, look at old ones, settings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from companion.core.text import Text
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody

from .commands import BeginGame, OnMachine, RefreshSettings, ResumeGame
from .context import ScreenContents, ScreenContext, Transition
from .game_choice import GameChoiceScreen
from .game_list import GameListScreen
from .history import HistoryScreen
from .list_menu import director_keys
from .list_selection import NUMBERED
from .machine.phones import PhonesStatus
from .regular_groups import BETWEEN, RegularGroupsScreen
from .screen_contents import KeyBinding, ListContents, ListScreen
from .settings import SettingsScreen


class HomeScreen(ListScreen, frozen=True):
    """The first screen, shown while no game is open."""

    def _items(self, context: ScreenContext) -> Iterator[tuple[Text, object, Transition, tuple[str, ...]]]:
        """Yield each row: its text, its value, where it leads, and the players below it."""
        games = context.game_list.games
        left_first = sorted(games, key=lambda one: one.name != context.left_game)  # then those begun last
        under_way = ((one.name, one.header) for one in left_first if not one.over and one.header is not None)
        name, header = next(under_way, ("", None))
        if header is not None:
            text = _("Go on: {game}", game=Text(header.game.title))
            yield text, "", Transition(self, ResumeGame(name)), header.players
        club = context.machine.club
        if club is not None and club.seats is not None:
            table = _("Table {table}, R{round}", table=club.seats.table, round=club.seats.round)
            yield table, club.left, Transition(GameChoiceScreen.opening(self)), club.seats.names
        yield _("New game"), "", Transition(GameChoiceScreen.opening(self)), ()
        groups = tuple(islice(context.regular_groups, NUMBERED))
        if groups:
            header = groups[0].header
            text = _("Again: {game}", game=Text(header.game.title))
            yield text, "", Transition(self, BeginGame(header, groups[0].tracking)), header.players
        if len(groups) > 1:
            yield _("Regulars"), len(groups), Transition(RegularGroupsScreen(self)), ()
        if games or context.game_list.removed:
            yield _("All games"), len(games), Transition(GameListScreen(self)), ()
        if any(one.over for one in games):
            yield _("History"), "", Transition(HistoryScreen(self)), ()
        yield _("Settings"), "", Transition(SettingsScreen(self), OnMachine(RefreshSettings())), ()
        phones = context.machine.get(PhonesStatus)
        if phones is not None:
            yield *phones.row(self), ()

    def title_on_pages(self, words: Translator) -> str:
        """Return no title: where no game is open, the page itself is headed by the program's name."""
        return ""

    def show(self, context: ScreenContext) -> ScreenContents:
        items, words, club = tuple(self._items(context)), context.words, context.machine.club
        rows = tuple((words(text), words(value)) for text, value, _move, _players in items)
        below = tuple((BETWEEN.join(players), "") for *_row, players in items)
        names = tuple(name for *_row, players in items for name in players)
        return ListContents(
            self,
            ListBody(words(_("Tabletop Companion")), rows, self.chosen, below=below, names=names),
            words(_("Choose by number") if club is None else club.hint),
            lambda row: items[row][2],
            (*director_keys(club, self, words), KeyBinding("#", words(_("choose")))),
            _("Choose by number"),
        )
