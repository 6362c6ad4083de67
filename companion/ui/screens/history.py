"""The history: finished games, evenings, people, the league.

The screens behind it are loaded when one is opened, so that they do not delay the first picture.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.translations import _

from .context import Screen, ScreenContents, ScreenContext, Transition
from .list_menu import menu
from .screen_contents import OpenedListScreen


class HistoryScreen(OpenedListScreen, frozen=True):
    """The list of what can be looked up."""

    def show(self, context: ScreenContext) -> ScreenContents:
        items = enumerate(self._items())
        rows = ((text, "", partial(self._opened, opened, row)) for row, (text, opened) in items)
        return menu(self, context.words, _("History"), rows, self.before, home=None)

    def _opened(self, opened: Callable[[Screen], Screen], row: int) -> Transition:
        return Transition(opened(replace(self, chosen=row)))

    @staticmethod
    def _items() -> tuple[tuple[Text, Callable[[Screen], Screen]], ...]:
        return (
            (_("Games"), _games),
            (_("Evenings"), _evenings),
            (_("People"), _people),
            (_("League"), _league),
        )


def _games(before: Screen) -> Screen:
    from .history_games import FinishedGamesScreen

    return FinishedGamesScreen(before, _("Games"))


def _evenings(before: Screen) -> Screen:
    from .history_evenings import EveningsScreen

    return EveningsScreen(before)


def _people(before: Screen) -> Screen:
    from .history_people import PlayersScreen

    return PlayersScreen(before)


def _league(before: Screen) -> Screen:
    from .history_people import LeagueScreen

    return LeagueScreen(before)
