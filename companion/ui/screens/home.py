"""The home screen, and the list of games: continue a game, begin one, look at old ones, remove them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from msgspec.structs import replace

from companion.core.games import GameFaultError
from companion.core.text import Glyph, Text, joined, tell
from companion.history.days import short_date
from companion.ui.saved_games import ListedGame
from companion.ui.screens.contents import (
    ListScreen,
    OpenedListScreen,
    PagedListScreen,
    director_keys,
    menu,
)
from companion.ui.screens.context import (
    Choice,
    OpenSavedGame,
    PutAwayOrBringBack,
    RefreshMachineStatus,
    RegularGroup,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    Transition,
    refuse,
)
from companion.ui.screens.game_choice import GameChoiceScreen
from companion.ui.screens.list_selection import NUMBERED
from companion.ui.screens.phones import PhonesStatus
from companion.ui.screens.set_up import SetUp
from companion.ui.screens.settings import SettingsScreen
from companion.ui.translations import _
from companion.ui.view import BETWEEN

PUT_AWAY = _("{game} is removed")
BROUGHT = _("{game} is back in the list")


class PutAwayScreen(PagedListScreen, frozen=True):
    """The games, to choose the one to remove; the first row leads to those that were."""

    def show(self, context: ScreenContext) -> ScreenContents:
        games, removed = context.game_list.games, len(context.game_list.removed)
        # its empty second line lets all rows be two lines high
        back = Row(_("Bring back"), Transition(BringBackScreen(replace(self, chosen=0))), str(removed), below=" ")

        def row(here: PutAwayScreen, game: ListedGame) -> Row:
            ask = _("Choose {game} again to remove it", game=game.title, name=game.name)  # name: two may have one title
            away = PutAwayOrBringBack(game.name, away=True)
            first = replace(here, chosen=0)
            return _row(context, game, Transition(first, away, _told(PUT_AWAY, game), if_refused=here, warning=ask))

        rows = self.paged(games, row, _("Older games"), context, [back] if removed else [])
        return menu(self, _("Remove which game?"), rows, self.newer)


class BringBackScreen(PagedListScreen, frozen=True):
    """The games that were removed, to choose the one that comes back."""

    def show(self, context: ScreenContext) -> ScreenContents:
        def row(_here: Screen, game: ListedGame) -> Row:
            back = PutAwayOrBringBack(game.name, away=False)
            return _row(context, game, Transition(self.newer, back, _told(BROUGHT, game), if_refused=self))

        rows = self.paged(context.game_list.removed, row, _("Older games"), context)
        return menu(self, _("Bring back which game?"), rows, self.newer)


def _told(sentence: Text, game: ListedGame) -> Text:
    return Text(sentence.template, game=game.title)


def _row(context: ScreenContext, game: ListedGame, leads: Transition) -> Row:
    """Return the row of a game: its title and day, and below them who plays, and when it began."""
    names = players(context, game)
    return Row(game.title, leads, _day(game), BETWEEN.join(names), _time(game), names)


def players(context: ScreenContext, game: ListedGame) -> tuple[str, ...]:
    """Return who plays by seat, under the names of today once the game is over; nobody if it cannot be read."""
    names = () if game.header is None else game.header.players
    return context.people.all_now(names, game.number) if game.over else names


MOST_SCORES = 4
"""The most players whose points fit in a row."""


class GameListScreen(PagedListScreen, frozen=True):
    """All games of the journal, the latest first; choosing one opens it."""

    def show(self, context: ScreenContext) -> ScreenContents:
        games = context.game_list.games

        def row(here: Screen, game: ListedGame) -> Row:
            leads = (
                refuse(here, game.why_unreadable)
                if game.header is None
                else Transition(here, OpenSavedGame(game.name, here))
            )
            label = joined(filter(None, (_day(game), _time(game), game.title)))
            return replace(_row(context, game, leads), below=_leaders(context, game), label=label)

        highlighted = self.listed(games, context)[self.chosen :][:1]
        year = next((f" {each.begun.year}" for each in highlighted if each.begun), "")
        return menu(
            self,
            joined((_("All games"), year), ""),
            self.paged(games, row, _("Older games"), context),
            self.newer,
            foot=_("C remove   * back"),
            choose=_("open"),
            others=(Choice("remove", _("remove"), lambda: Transition(PutAwayScreen(self)), "C", for_scorers=True),),
        )


def _day(listed_game: ListedGame) -> object:
    return "" if listed_game.begun is None else short_date(listed_game.begun)


def _time(listed_game: ListedGame) -> str:
    return "" if listed_game.begun is None else f"{listed_game.begun:%H:%M}"


def _leaders(context: ScreenContext, listed_game: ListedGame) -> object:
    """Return the winners or leaders and their points, or the losers; the players if nobody leads."""
    if listed_game.header is None:
        return _("unreadable")
    seated, standing = players(context, listed_game), context.game_list.standing(listed_game)
    if standing is None or not standing.seats:
        return _("nobody won") if standing is not None and standing.won else BETWEEN.join(seated)
    names = BETWEEN.join(seated[seat] for seat in standing.seats)
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
    points = zip(players(context, listed_game), standing.totals, strict=True)
    return BETWEEN.join(f"{name} {tell(total)}" for name, total in points)


REGULARS = _("Play with regulars")


class RegularGroupsScreen(OpenedListScreen, frozen=True):
    """The groups that played lately; a number sets up the same game with the same people, and # starts it."""

    def show(self, context: ScreenContext) -> ScreenContents:
        def row(here: Screen, group: RegularGroup) -> Row:
            game, names = Text(group.header.game.title), group.header.players
            day, table = "" if group.begun is None else short_date(group.begun), BETWEEN.join(names)
            label = joined((table, game))
            return Row(game, partial(set_up_again, group, here, context), day, table, names=names, label=label)

        rows = self.rows(islice(context.regular_groups, NUMBERED), row)
        return menu(self, REGULARS, rows, self.before, home=None)


def set_up_again(group: RegularGroup, before: Screen, context: ScreenContext) -> Transition:
    """Return the transition to the rules of a group's latest game; # starts a new one, back leads to ``before``.

    A game that fails is refused.
    """
    try:
        return Transition(SetUp.of(group.header, group.tracking, before, context, again=True))
    except GameFaultError as fault:
        return refuse(before, fault.text)


class HistoryScreen(OpenedListScreen, frozen=True):
    """The list of what can be looked up: finished games, evenings, people, the league."""

    def show(self, context: ScreenContext) -> ScreenContents:
        labels = (_("Games"), _("Evenings"), _("People"), _("League"))
        rows = self.rows(labels, lambda here, label: Row(label, here._opened))
        return menu(self, _("History"), rows, self.before, home=None)

    def _opened(self) -> Transition:
        """Return the transition of the highlighted row."""
        # no start waits for them
        from companion.ui.screens.history_pages import EveningsScreen, FinishedGamesScreen, LeagueScreen, PlayersScreen

        opens = FinishedGamesScreen(self, _("Games")), EveningsScreen(self), PlayersScreen(self), LeagueScreen(self)
        return Transition(opens[self.chosen])


class HomeScreen(ListScreen, frozen=True):
    """The first screen, shown while no game is open."""

    def _rows(self, context: ScreenContext) -> Iterator[Row]:
        """Yield each row."""
        games = context.game_list.games
        # those with entries before those without, first the one left last, then those begun last
        in_order = sorted(games, key=lambda one: (not one.has_entries, one.name != context.left_game))
        under_way = next((one for one in in_order if not one.over and one.header is not None), None)
        if under_way is not None and under_way.header is not None:
            text, standing = _("Go on: {game}", game=under_way.title), context.game_list.standing(under_way)
            number = "" if standing is None or standing.round is None else _("R{round}", round=standing.round)
            move = Transition(self, OpenSavedGame(under_way.name))
            yield Row(text, move, number, scores(context, under_way), names=players(context, under_way))
        club = context.machine.club
        if club is not None and club.seats is not None:
            table = _("Table {table}, R{round}", table=club.seats.table, round=club.seats.round)
            names = club.seats.names
            yield Row(table, Transition(GameChoiceScreen.opening(self)), club.left, BETWEEN.join(names), names=names)
        yield Row(_("New game"), Transition(GameChoiceScreen.opening(self)))
        groups = tuple(islice(context.regular_groups, NUMBERED))
        if groups:
            header = groups[0].header
            text = _("Play again: {game}", game=Text(header.game.title))
            again = partial(set_up_again, groups[0], self, context)
            yield Row(text, again, "", BETWEEN.join(header.players), names=header.players)
        if len(groups) > 1:
            yield Row(REGULARS, Transition(RegularGroupsScreen(self)), str(len(groups)))
        if games or context.game_list.removed:
            yield Row(_("All games"), Transition(GameListScreen(self)), str(len(games)))
        if any(one.over for one in games):
            yield Row(_("History"), Transition(HistoryScreen(self)), address="/history")
        yield Row(_("Settings"), Transition(SettingsScreen(self), RefreshMachineStatus()), for_scorers=True)
        phones = context.machine.get(PhonesStatus)
        if phones is not None:
            yield replace(phones.row(self), for_scorers=True)

    @property
    def title_on_pages(self) -> str:
        """Return no title: where no game is open, the page itself is headed by the program's name."""
        return ""

    def show(self, context: ScreenContext) -> ScreenContents:
        club = context.machine.club
        return menu(
            self,
            _("Tabletop Companion"),
            self._rows(context),
            foot=_("Choose by number") if club is None else club.hint,
            others=director_keys(club, self),
            unknown=_("Choose by number"),
        )
