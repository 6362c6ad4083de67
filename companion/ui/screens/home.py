"""The home screen, and the list of games: continue a game, begin one, look at old ones, remove them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game_guard import GameFaultError
from companion.core.text import Glyph, Text, joined, tell
from companion.ui.saved_games import ListedGame, day_of
from companion.ui.screens.contents import (
    ListContents,
    ListScreen,
    OpenedListScreen,
    PagedListScreen,
    Row,
    menu,
)
from companion.ui.screens.context import (
    Choice,
    OnMachine,
    OpenSavedGame,
    PutAwayOrBringBack,
    RefreshMachineStatus,
    RegularGroup,
    Screen,
    ScreenContents,
    ScreenContext,
    Transition,
    refuse,
)
from companion.ui.screens.help import director_keys
from companion.ui.screens.history import HistoryScreen
from companion.ui.screens.list_selection import NUMBERED, distinguishable
from companion.ui.screens.phones import PhonesStatus
from companion.ui.screens.set_up import GameChoiceScreen, SetUp
from companion.ui.screens.settings import SettingsScreen
from companion.ui.translations import _
from companion.ui.view import BETWEEN, ListBody

PUT_AWAY = _("{game} is removed")
BROUGHT = _("{game} is back in the list")


class PutAwayScreen(PagedListScreen, frozen=True):
    """The games, to choose the one to remove; the first row leads to those that were."""

    def show(self, context: ScreenContext) -> ScreenContents:
        every, removed = context.game_list.games, len(context.game_list.removed)
        back = (
            [(_("Bring back"), str(removed), Transition(BringBackScreen(replace(self, chosen=0))))] if removed else []
        )
        listed = self.listed(every, context, len(back))
        rows: list[Row] = [*back, *(self._row(context, place, game) for place, game in enumerate(listed, len(back)))]
        below = ((" ", ""), *map(_players, listed)) if removed else map(_players, listed)
        older = self.older(every, _("Older games"), context, len(back))
        return menu(self, _("Remove which game?"), [*rows, *older], self.newer, below=below, names=_names(listed))

    def _row(self, context: ScreenContext, place: int, game: ListedGame) -> Row:
        here = replace(self, chosen=place)
        ask = _("Choose {game} again to remove it", game=game.title, name=game.name)  # name: two may have one title
        move = Transition(
            replace(self, chosen=0),
            PutAwayOrBringBack(game.name, away=True),
            _told(PUT_AWAY, game),
            if_refused=here,
            warning=ask,
        )
        return game.title, _day(game), move


class BringBackScreen(PagedListScreen, frozen=True):
    """The games that were removed, to choose the one that comes back."""

    def show(self, context: ScreenContext) -> ScreenContents:
        every = context.game_list.removed
        listed = self.listed(every, context)
        rows: list[Row] = [
            (
                game.title,
                _day(game),
                Transition(
                    self.newer, PutAwayOrBringBack(game.name, away=False), _told(BROUGHT, game), if_refused=self
                ),
            )
            for game in listed
        ]
        older = self.older(every, _("Older games"), context)
        return menu(
            self,
            _("Bring back which game?"),
            [*rows, *older],
            self.newer,
            below=map(_players, listed),
            names=_names(listed),
        )


def _told(sentence: Text, game: ListedGame) -> Text:
    return Text(sentence.template, game=game.title)


def _players(game: ListedGame) -> tuple[str, str]:
    names = () if game.header is None else game.header.players
    return (BETWEEN.join(names), "" if game.begun is None else f"{game.begun:%H:%M}")


def _names(listed: Iterable[ListedGame]) -> Iterator[str]:
    return (name for game in listed if game.header is not None for name in game.header.players)


MOST_SCORES = 4
"""The most players whose points fit in a row."""


class GameListScreen(PagedListScreen, frozen=True):
    """All games of the journal, the latest first; choosing one opens it."""

    def show(self, context: ScreenContext) -> ScreenContents:
        every = context.game_list.games
        listed = self.listed(every, context)
        rows = ((each.title, _day(each), self._chosen(row, each)) for row, each in enumerate(listed))
        below = tuple((_leaders(context, each), _time(each)) for each in listed)
        year = next((f" {each.begun.year}" for each in listed[self.chosen :][:1] if each.begun), "")
        parts = ((_day(each), _time(each), each.title) for each in listed)
        games = {str(row): joined(filter(None, each)) for row, each in enumerate(parts, 1)}
        return menu(
            self,
            joined((_("All games"), year), ""),
            [*rows, *self.older(every, _("Older games"), context)],
            self.newer,
            below=below,
            names=(name for game in listed if game.header is not None for name in game.header.players),
            named=distinguishable(games),
            foot=_("C remove   * back"),
            choose=_("open"),
            others=(Choice("remove", _("remove"), lambda: Transition(PutAwayScreen(self)), "C"),),
        )

    def _chosen(self, row: int, listed_game: ListedGame) -> Transition:
        here = replace(self, chosen=row)
        if listed_game.header is None:
            return refuse(here, listed_game.why_unreadable)
        return Transition(here, OpenSavedGame(listed_game.name, here))


def _day(listed_game: ListedGame) -> object:
    return "" if listed_game.begun is None else day_of(listed_game.begun)


def _time(listed_game: ListedGame) -> str:
    return "" if listed_game.begun is None else f"{listed_game.begun:%H:%M}"


def _leaders(context: ScreenContext, listed_game: ListedGame) -> object:
    """Return the winners or leaders and their points, or the losers; the players if nobody leads."""
    if listed_game.header is None:
        return _("unreadable")
    players, standing = listed_game.header.players, context.game_list.standing(listed_game)
    if standing is None or not standing.seats:
        return BETWEEN.join(players)
    names = BETWEEN.join(players[seat] for seat in standing.seats)
    if standing.lost:
        return _("{names} lost", names=names)
    sign = Glyph("winner" if standing.won else "lead")
    points = "/".join(map(tell, standing.points))
    return joined((sign, points, names))


def scores(context: ScreenContext, listed_game: ListedGame) -> object:
    """Return the players with their points; who leads where too many play, the players if the game is not read."""
    standing = context.game_list.standing(listed_game)
    if listed_game.header is None or standing is None or len(standing.totals) > MOST_SCORES:
        return _leaders(context, listed_game)
    points = zip(listed_game.header.players, standing.totals, strict=True)
    return BETWEEN.join(f"{name} {tell(total)}" for name, total in points)


REGULARS = _("Play with regulars")


class RegularGroupsScreen(OpenedListScreen, frozen=True):
    """The groups that played lately; a number sets up the same game with the same people, and # starts it."""

    def show(self, context: ScreenContext) -> ScreenContents:
        groups = tuple(islice(context.regular_groups, NUMBERED))
        games = [Text(group.header.game.title) for group in groups]
        tables = [BETWEEN.join(group.header.players) for group in groups]
        days = ("" if group.begun is None else day_of(group.begun) for group in groups)
        moves = (partial(set_up_again, group, replace(self, chosen=row), context) for row, group in enumerate(groups))
        labels = map(joined, zip(tables, games, strict=True))
        return menu(
            self,
            REGULARS,
            zip(games, days, moves, strict=True),
            self.before,
            below=((table, "") for table in tables),
            names=(name for group in groups for name in group.header.players),
            named={str(row % NUMBERED): label for row, label in enumerate(labels, 1)},
            home=None,
        )


def set_up_again(group: RegularGroup, before: Screen, context: ScreenContext) -> Transition:
    """Return the transition to the rules of a group's latest game; # starts a new one, back leads to ``before``.

    A game that fails is refused.
    """
    try:
        return Transition(SetUp.of(group.header, group.tracking, before, context, again=True))
    except GameFaultError as fault:
        return refuse(before, fault.text)


class _HomeRow(Struct, frozen=True):
    """A row of the home screen."""

    text: Text
    move: Transition | Callable[[], Transition]  # where it leads; a game's own code runs only once it is chosen
    value: object = ""  # what stands at the right
    below: object = ""  # the line below: the players, with their points in a game under way
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
            yield _HomeRow(REGULARS, Transition(RegularGroupsScreen(self)), str(len(groups)))
        if games or context.game_list.removed:
            yield _HomeRow(_("All games"), Transition(GameListScreen(self)), str(len(games)))
        if any(one.over for one in games):
            yield _HomeRow(_("History"), Transition(HistoryScreen(self)))
        yield _HomeRow(_("Settings"), Transition(SettingsScreen(self), OnMachine(RefreshMachineStatus())))
        phones = context.machine.get(PhonesStatus)
        if phones is not None:
            text, value, move = phones.row(self)
            yield _HomeRow(text, move, value)

    @property
    def title_on_pages(self) -> str:
        """Return no title: where no game is open, the page itself is headed by the program's name."""
        return ""

    def show(self, context: ScreenContext) -> ScreenContents:
        rows, club = tuple(self._rows(context)), context.machine.club
        texts = tuple((row.text, row.value) for row in rows)
        below = tuple((row.below, "") for row in rows)
        names = tuple(name for row in rows for name in row.names)
        return ListContents(
            self,
            ListBody(_("Tabletop Companion"), texts, self.chosen, below=below, names=names),
            _("Choose by number") if club is None else club.hint,
            lambda row: rows[row].chosen,
            director_keys(club, self),
            _("choose"),
            _("Choose by number"),
        )
