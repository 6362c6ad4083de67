"""The list of games: what was played, when, and who leads or has won."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.text import Glyph
from companion.ui.dates import day_of
from companion.ui.game_list import ListedGame
from companion.ui.translations import _

from .commands import ResumeGame
from .context import Screen, ScreenContents, ScreenContext, Transition, refuse
from .list_menu import Row, menu
from .list_selection import NUMBERED, distinguishable
from .regular_groups import together
from .screen_contents import ListScreen

PAGE = NUMBERED - 1
"""Games per page; the tenth row leads to older ones."""
BESIDE = 16
"""Letters that fit beside the time of day."""


class GameListScreen(ListScreen, frozen=True):
    """All games of the journal, the latest first; choosing one opens it.

    Attributes:
        before: The screen it was opened from.
        page: The page, from 0 for the latest games.
    """

    before: Screen
    page: int = 0

    def _listed(self, context: ScreenContext) -> tuple[ListedGame, ...]:
        return context.game_list.games[self.page * PAGE : (self.page + 1) * PAGE]

    def _row_count(self, context: ScreenContext) -> int:
        return len(context.game_list.games[self.page * PAGE : (self.page + 1) * PAGE + 1])

    def show(self, context: ScreenContext) -> ScreenContents:
        words, listed = context.words, self._listed(context)
        rows: list[Row] = [
            (each.title, _day(context, each), self._chosen(row, each)) for row, each in enumerate(listed)
        ]
        if self._row_count(context) > PAGE:
            rows.append((_("Older games"), "", Transition(replace(self, page=self.page + 1, chosen=0))))
        below = tuple((_leaders(context, listed_game), _time(listed_game)) for listed_game in listed)
        year = next(
            (f" {listed_game.begun.year}" for listed_game in listed[self.chosen :][:1] if listed_game.begun), ""
        )
        parts = ((_day(context, listed_game), _time(listed_game), words(listed_game.title)) for listed_game in listed)
        games = {str(row): " ".join(filter(None, each)) for row, each in enumerate(parts, 1)}
        back = replace(self, page=self.page - 1, chosen=PAGE) if self.page else self.before
        return menu(
            self,
            words,
            words(_("All games")) + year,
            rows,
            back,
            below=below,
            named=distinguishable(games),
            foot=_("# open   * back"),
            choose=_("open"),
        )

    def _chosen(self, row: int, listed_game: ListedGame) -> Transition:
        here = replace(self, chosen=row)
        if listed_game.header is None:
            return refuse(here, _("This game cannot be read; it is kept as it is"))
        return Transition(here, ResumeGame(listed_game.name, here))


def _day(context: ScreenContext, listed_game: ListedGame) -> str:
    return "" if listed_game.begun is None else context.words(day_of(listed_game.begun))


def _time(listed_game: ListedGame) -> str:
    return "" if listed_game.begun is None else f"{listed_game.begun:%H:%M}"


def _leaders(context: ScreenContext, listed_game: ListedGame) -> str:
    """Return the winners or leaders and their points; the players if nobody leads."""
    if listed_game.header is None:
        return context.words(_("unreadable"))
    players, standing = listed_game.header.players, context.game_list.standing(listed_game)
    if standing is None or not standing.seats:
        return together(players, BESIDE)
    sign = context.words(Glyph("winner" if standing.won else "lead"))
    points = "/".join(map(str, standing.points))
    names = together(tuple(players[seat] for seat in standing.seats), BESIDE - 4 - len(points))
    return f"{sign} {points} {names}"  # points first, so that only a long name is cut
