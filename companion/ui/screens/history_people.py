"""The people of the history: everybody with games and wins, and the league table."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.text import NC_, Text
from companion.history.league import LeagueRow
from companion.ui.history_reader import StillReading
from companion.ui.translations import _
from companion.ui.view import TableBody

from .context import ScreenContents, ScreenContext, Transition
from .history_person import PersonFiguresScreen
from .list_menu import menu
from .paged_text import PagesScreen, sentences, turned_pages
from .screen_contents import OpenedListScreen, OpenedScreen
from .shared_history_sentences import back_or_unreadable, percent, reading_page

ROWS = 5
"""Rows of a page of the league table."""


class PlayersScreen(OpenedListScreen, frozen=True):
    """Everybody who finished a game and is not hidden, the most games first; choosing one shows the person."""

    def show(self, context: ScreenContext) -> ScreenContents:
        words, table = context.words, context.history.league()
        if isinstance(table, StillReading) or not table:
            return _without_rows(self, context, _("People"), table)
        people = sorted(table, key=lambda row: -len(row.games))
        rows = (
            (person.name, _won_of(person), Transition(PersonFiguresScreen(replace(self, chosen=row), person.name)))
            for row, person in enumerate(people)
        )
        return menu(self, words, _("People: wins"), rows, self.before, foot=back_or_unreadable(context))


class LeagueScreen(PagesScreen, frozen=True):
    """The league table over all games."""

    def show(self, context: ScreenContext) -> ScreenContents:
        words, table = context.words, context.history.league()
        title = words(_("League"))
        if isinstance(table, StillReading) or not table:
            return _without_rows(self, context, title, table)
        pages = tuple(
            TableBody(
                title,
                tuple(map(words, (_("Games"), Text(NC_("head of a column", "Wins")), _("Share")))),
                tuple(f"{row.place or '–'} {row.name}" for row in table[first : first + ROWS]),
                tuple(
                    (str(len(row.games)), str(len(row.won)), words(percent(row.rank_share)))
                    for row in table[first : first + ROWS]
                ),
            )
            for first in range(0, len(table), ROWS)
        )
        return turned_pages(
            self,
            context,
            pages,
            Transition(PlayersScreen(self)),
            back_or_unreadable(context) if context.history.unreadable else None,
        )


def _won_of(row: LeagueRow) -> Text:
    return _("{won} of {games}", won=len(row.won), games=len(row.games))


def _without_rows(
    screen: OpenedScreen | OpenedListScreen,
    context: ScreenContext,
    title: object,
    table: StillReading | tuple[LeagueRow, ...],
) -> ScreenContents:
    if isinstance(table, StillReading):
        return reading_page(screen, context, title, table)
    return sentences(screen, context, title, [_("No game is finished yet")])
