"""The list of games: what was played, when, and who leads or has won."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.text import Glyph, tell
from companion.ui.dates import day_of
from companion.ui.saved_games import ListedGame
from companion.ui.translations import _
from companion.ui.view import BETWEEN

from .commands import OpenSavedGame
from .context import ScreenContents, ScreenContext, Transition, refuse
from .list_menu import PagedListScreen, menu
from .list_selection import distinguishable
from .removed_games import PutAwayScreen
from .screen_contents import KeyBinding

MOST_SCORES = 4
"""The most players whose points fit in a row."""


class GameListScreen(PagedListScreen, frozen=True):
    """All games of the journal, the latest first; choosing one opens it."""

    def show(self, context: ScreenContext) -> ScreenContents:
        words, every = context.words, context.game_list.games
        listed = self.listed(every)
        rows = ((each.title, _day(context, each), self._chosen(row, each)) for row, each in enumerate(listed))
        below = tuple((_leaders(context, each), _time(each)) for each in listed)
        year = next((f" {each.begun.year}" for each in listed[self.chosen :][:1] if each.begun), "")
        parts = ((_day(context, each), _time(each), words(each.title)) for each in listed)
        games = {str(row): " ".join(filter(None, each)) for row, each in enumerate(parts, 1)}
        return menu(
            self,
            words,
            words(_("All games")) + year,
            [*rows, *self.older(every, _("Older games"))],
            self.newer,
            below=below,
            names=(name for game in listed if game.header is not None for name in game.header.players),
            named=distinguishable(games),
            foot=_("C remove   * back"),
            choose=_("open"),
            others=(KeyBinding("C", words(_("remove")), lambda: Transition(PutAwayScreen(self))),),
        )

    def _chosen(self, row: int, listed_game: ListedGame) -> Transition:
        here = replace(self, chosen=row)
        if listed_game.header is None:
            return refuse(here, listed_game.why_unreadable)
        return Transition(here, OpenSavedGame(listed_game.name, here))


def _day(context: ScreenContext, listed_game: ListedGame) -> str:
    return "" if listed_game.begun is None else context.words(day_of(listed_game.begun))


def _time(listed_game: ListedGame) -> str:
    return "" if listed_game.begun is None else f"{listed_game.begun:%H:%M}"


def _leaders(context: ScreenContext, listed_game: ListedGame) -> str:
    """Return the winners or leaders and their points, or the losers; the players if nobody leads."""
    if listed_game.header is None:
        return context.words(_("unreadable"))
    players, standing = listed_game.header.players, context.game_list.standing(listed_game)
    if standing is None or not standing.seats:
        return BETWEEN.join(players)
    names = BETWEEN.join(players[seat] for seat in standing.seats)
    if standing.lost:
        return context.words(_("{names} lost", names=names))
    sign = context.words(Glyph("winner" if standing.won else "lead"))
    points = "/".join(map(tell, standing.points))
    return f"{sign} {points} {names}"


def scores(context: ScreenContext, listed_game: ListedGame) -> str:
    """Return the players with their points; who leads where too many play, the players if the game is not read."""
    standing = context.game_list.standing(listed_game)
    if listed_game.header is None or standing is None or len(standing.totals) > MOST_SCORES:
        return _leaders(context, listed_game)
    points = zip(listed_game.header.players, standing.totals, strict=True)
    return BETWEEN.join(f"{name} {tell(total)}" for name, total in points)
