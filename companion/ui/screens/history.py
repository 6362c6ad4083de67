"""The history: finished games, evenings, people, the league.

The screens behind it are loaded when one is opened, so that they do not delay the first picture.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.translations import _
from companion.ui.view import ListBody

from .context import Screen, ScreenContext, Transition
from .screen_contents import KeyBinding, ListContents, ListScreen, ScreenContents, back_to


class HistoryScreen(ListScreen, frozen=True):
    """The list of what can be looked up.

    Attributes:
        before: The screen it was opened from.
    """

    before: Screen

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the list."""
        words, items = context.words, self._items()
        back = back_to(self.before, words)
        return ListContents(
            self,
            ListBody(words(_("History")), tuple((words(text), "") for text, _open in items), self.chosen),
            words(_("* back")),
            lambda row: Transition(items[row][1](replace(self, chosen=row))),
            (KeyBinding("#", words(_("choose"))), back, replace(back, key="h*", label="")),
        )

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
