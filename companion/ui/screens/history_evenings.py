"""Evenings: the days with finished games, and the summary of one."""

from __future__ import annotations

from datetime import date

from msgspec.structs import replace

from companion.core.text import Text
from companion.history.days import DAY_ENDS
from companion.history.days import day_of as day_of_result
from companion.history.evenings import Evening, by_day, extent, remarks
from companion.history.game_titles import title_text
from companion.ui.dates import day_of, weekday_of
from companion.ui.game_list import ListedGame
from companion.ui.text_pages import text_pages
from companion.ui.translations import _
from companion.ui.view import TextBody

from .context import Screen, ScreenContents, ScreenContext, Transition
from .history_games import PAGE, FinishedGamesScreen, finished_games, winners_of
from .history_pages import reading_page, sentence_page, turned_pages
from .list_menu import Row, menu
from .screen_contents import ListScreen


class EveningsScreen(ListScreen, frozen=True):
    """The evenings, the latest first; choosing one sums it up.

    Attributes:
        before: The screen it was opened from.
        page: The page, from 0 for the latest evenings.
    """

    before: Screen
    page: int = 0

    def show(self, context: ScreenContext) -> ScreenContents:
        words, unlisted = context.words, context.history.unlisted()
        if unlisted is not None:
            return reading_page(self, self.before, context, words(_("Evenings")), unlisted)
        every = _evenings(context)
        listed = [*every.items()][self.page * PAGE : (self.page + 1) * PAGE]
        if not listed:
            sentence = _("No finished game has a date")
            return sentence_page(self, self.before, context, words(_("Evenings")), sentence)
        rows: list[Row] = [
            (_evening(day), str(len(games)), Transition(EveningScreen(replace(self, chosen=row), day)))
            for row, (day, games) in enumerate(listed)
        ]
        if len(every) > (self.page + 1) * PAGE:
            rows.append((_("Older evenings"), "", Transition(replace(self, page=self.page + 1, chosen=0))))
        year = listed[min(self.chosen, len(listed) - 1)][0].year
        back = replace(self, page=self.page - 1, chosen=PAGE) if self.page else self.before
        return menu(self, words, f"{words(_('Evenings'))} {year}", rows, back)


class EveningScreen(Screen, frozen=True):
    """The summary of an evening: who won each game, and by how much. OK lists the games.

    Attributes:
        before: The list of evenings.
        day: The day.
        at: The number of the page, from 0.
    """

    before: EveningsScreen
    day: date
    at: int = 0

    def show(self, context: ScreenContext) -> ScreenContents:
        words = context.words
        title = words(_evening(self.day))
        games = tuple(each.name for each in reversed(_evenings(context).get(self.day, [])))
        found = context.history.results(games)
        results = tuple(found[name] for name in games if name in found)
        if not results:
            return sentence_page(self, self.before, context, title, _("No game of this evening can be read"))
        evening = Evening(self.day, results)
        won = (
            _("{game}: {winners}", game=title_text(each.game), winners=winners_of(context, each)) for each in results
        )
        lines = (words(extent(evening)), *map(words, won), *remarks(evening, context.people, words))
        pages = tuple(TextBody(title, page) for page in text_pages(lines))
        return turned_pages(
            self,
            self.before,
            context,
            pages,
            self.at,
            lambda at: replace(self, at=at),
            Transition(FinishedGamesScreen(self, _evening(self.day), games)),
        )


def _evenings(context: ScreenContext) -> dict[date, list[ListedGame]]:
    """Return the finished games of each evening, the latest first.

    Of a game begun before the clock was set, only its result tells the day: that of its end.
    """
    games = finished_games(context)
    results = context.history.results([each.name for each in games if each.begun is None])

    def day(game: ListedGame) -> date | None:
        if game.begun is not None:
            return (game.begun - DAY_ENDS).date()
        return day_of_result(results[game.name]) if game.name in results else None

    return dict(reversed(by_day(games, day).items()))


def _evening(day: date) -> Text:
    return _("{weekday} {day}", weekday=weekday_of(day), day=day_of(day))
