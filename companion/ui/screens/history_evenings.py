"""Evenings: the days with finished games, and the summary of one."""

from __future__ import annotations

from datetime import date

from msgspec.structs import replace

from companion.core.text import Text
from companion.history.days import day_of as day_of_result
from companion.history.days import day_with
from companion.history.evenings import Evening, by_day, extent, remarks
from companion.history.game_titles import title_text
from companion.ui.dates import day_of, weekday_of
from companion.ui.saved_games import ListedGame
from companion.ui.text_pages import text_pages
from companion.ui.translations import _
from companion.ui.view import TextBody

from .context import ScreenContents, ScreenContext, Transition
from .history_games import FinishedGamesScreen, finished_games, winners_of
from .list_menu import PagedListScreen, menu
from .paged_text import PagesScreen, sentences, turned_pages
from .shared_history_sentences import reading_page


class EveningsScreen(PagedListScreen, frozen=True):
    """The evenings, the latest first; choosing one sums it up."""

    def show(self, context: ScreenContext) -> ScreenContents:
        words, unlisted = context.words, context.history.unlisted()
        if unlisted is not None:
            return reading_page(self, context, _("Evenings"), unlisted)
        every = [*_evenings(context).items()]
        listed = self.listed(every)
        if not listed:
            return sentences(self, context, _("Evenings"), [_("No finished game has a date")])
        rows = (
            (_evening(day), str(len(games)), Transition(EveningScreen(replace(self, chosen=row), day)))
            for row, (day, games) in enumerate(listed)
        )
        year = listed[min(self.chosen, len(listed) - 1)][0].year
        title = f"{words(_('Evenings'))} {year}"
        return menu(self, words, title, [*rows, *self.older(every, _("Older evenings"))], self.newer)


class EveningScreen(PagesScreen, frozen=True):
    """The summary of an evening: who won each game, and by how much. OK lists the games."""

    day: date

    def show(self, context: ScreenContext) -> ScreenContents:
        words = context.words
        title = words(_evening(self.day))
        games = tuple(each.name for each in reversed(_evenings(context).get(self.day, [])))
        found = context.history.results(games)
        results = tuple(found[name] for name in games if name in found)
        if not results:
            return sentences(self, context, title, [_("No game of this evening can be read")])
        evening = Evening(self.day, results)
        won = (
            _("{game}: {winners}", game=title_text(each.game), winners=winners_of(context, each)) for each in results
        )
        lines = (words(extent(evening)), *map(words, won), *remarks(evening, context.people, words))
        pages = tuple(TextBody(title, page) for page in text_pages(lines))
        return turned_pages(self, context, pages, Transition(FinishedGamesScreen(self, _evening(self.day), games)))


def _evenings(context: ScreenContext) -> dict[date, list[ListedGame]]:
    """Return the finished games of each evening, the latest first.

    Of a game begun before the clock was set, only its result tells the day: that of its end.
    """
    games = finished_games(context)
    results = context.history.results([each.name for each in games if each.begun is None])

    def day(game: ListedGame) -> date | None:
        if game.begun is not None:
            return day_with(game.begun)
        return day_of_result(results[game.name]) if game.name in results else None

    return dict(reversed(by_day(games, day).items()))


def _evening(day: date) -> Text:
    return _("{weekday} {day}", weekday=weekday_of(day), day=day_of(day))
