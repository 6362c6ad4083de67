"""The history: finished games, evenings, people, the league.

The screens behind it are loaded when one is opened, so that they do not delay the first picture.
"""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from companion.ui.screens.contents import OpenedListScreen, menu
from companion.ui.screens.context import ScreenContents, ScreenContext, Transition
from companion.ui.translations import _


class HistoryScreen(OpenedListScreen, frozen=True):
    """The list of what can be looked up."""

    def show(self, context: ScreenContext) -> ScreenContents:
        labels = (_("Games"), _("Evenings"), _("People"), _("League"))
        rows = ((label, "", partial(self._opened, row)) for row, label in enumerate(labels))
        return menu(self, _("History"), rows, self.before, home=None)

    def _opened(self, row: int) -> Transition:
        from companion.ui.screens.history_pages import EveningsScreen, FinishedGamesScreen, LeagueScreen, PlayersScreen

        here = replace(self, chosen=row)
        opens = FinishedGamesScreen(here, _("Games")), EveningsScreen(here), PlayersScreen(here), LeagueScreen(here)
        return Transition(opens[row])
