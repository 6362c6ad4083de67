"""The home screen: continue a game, begin one, look at old ones, settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from msgspec import Struct

from companion.core.text import Text
from companion.ui.translations import Translator, _
from companion.ui.view import BETWEEN, ListBody

from .commands import OnMachine, OpenSavedGame, RefreshMachineStatus
from .context import ScreenContents, ScreenContext, Transition
from .game_choice import GameChoiceScreen
from .history import HistoryScreen
from .list_menu import director_keys
from .list_selection import NUMBERED
from .machine.phones import PhonesStatus
from .regular_groups import REGULARS, RegularGroupsScreen, set_up_again
from .saved_games_list import GameListScreen, scores
from .screen_contents import KeyBinding, ListContents, ListScreen
from .settings import SettingsScreen


class _HomeRow(Struct, frozen=True):
    """A row of the home screen."""

    text: Text
    move: Transition | Callable[[], Transition]  # where it leads; a game's own code runs only once it is chosen
    value: object = ""  # what stands at the right
    below: str = ""  # the line below: the players, with their points in a game under way
    names: tuple[str, ...] = ()  # the players' names

    @property
    def chosen(self) -> Transition:
        return self.move if isinstance(self.move, Transition) else self.move()


class HomeScreen(ListScreen, frozen=True):
    """The first screen, shown while no game is open."""

    def _rows(self, context: ScreenContext) -> Iterator[_HomeRow]:
        """Yield each row."""
        games = context.game_list.games
        # those with entries before those without, first the one left last, then those begun last
        in_order = sorted(games, key=lambda one: (not one.has_entries, one.name != context.left_game))
        under_way = next((one for one in in_order if not one.over and one.header is not None), None)
        if under_way is not None and under_way.header is not None:
            text, standing = _("Go on: {game}", game=under_way.title), context.game_list.standing(under_way)
            number = "" if standing is None or standing.round is None else _("R{round}", round=standing.round)
            move = Transition(self, OpenSavedGame(under_way.name))
            yield _HomeRow(text, move, number, scores(context, under_way), under_way.header.players)
        club = context.machine.club
        if club is not None and club.seats is not None:
            table = _("Table {table}, R{round}", table=club.seats.table, round=club.seats.round)
            names = club.seats.names
            yield _HomeRow(table, Transition(GameChoiceScreen.opening(self)), club.left, BETWEEN.join(names), names)
        yield _HomeRow(_("New game"), Transition(GameChoiceScreen.opening(self)))
        groups = tuple(islice(context.regular_groups, NUMBERED))
        if groups:
            header = groups[0].header
            text = _("Play again: {game}", game=Text(header.game.title))
            again = partial(set_up_again, groups[0], self, context)
            yield _HomeRow(text, again, "", BETWEEN.join(header.players), header.players)
        if len(groups) > 1:
            yield _HomeRow(REGULARS, Transition(RegularGroupsScreen(self)), len(groups))
        if games or context.game_list.removed:
            yield _HomeRow(_("All games"), Transition(GameListScreen(self)), len(games))
        if any(one.over for one in games):
            yield _HomeRow(_("History"), Transition(HistoryScreen(self)))
        yield _HomeRow(_("Settings"), Transition(SettingsScreen(self), OnMachine(RefreshMachineStatus())))
        phones = context.machine.get(PhonesStatus)
        if phones is not None:
            text, value, move = phones.row(self)
            yield _HomeRow(text, move, value)

    def title_on_pages(self, words: Translator) -> str:
        """Return no title: where no game is open, the page itself is headed by the program's name."""
        return ""

    def show(self, context: ScreenContext) -> ScreenContents:
        rows, words, club = tuple(self._rows(context)), context.words, context.machine.club
        texts = tuple((words(row.text), words(row.value)) for row in rows)
        below = tuple((row.below, "") for row in rows)
        names = tuple(name for row in rows for name in row.names)
        return ListContents(
            self,
            ListBody(words(_("Tabletop Companion")), texts, self.chosen, below=below, names=names),
            words(_("Choose by number") if club is None else club.hint),
            lambda row: rows[row].chosen,
            (*director_keys(club, self, words), KeyBinding("#", words(_("choose")))),
            _("Choose by number"),
        )
