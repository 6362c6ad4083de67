"""The history: finished games, evenings, people, the league.

The screens behind it are loaded when one is opened, so that they do not delay the first picture.
"""

from __future__ import annotations

from companion.ui.screens.contents import OpenedListScreen, menu
from companion.ui.screens.context import Row, ScreenContents, ScreenContext, Transition
from companion.ui.translations import _


class HistoryScreen(OpenedListScreen, frozen=True):
    """The list of what can be looked up."""

    def show(self, context: ScreenContext) -> ScreenContents:
        labels = (_("Games"), _("Evenings"), _("People"), _("League"))
        rows = self.rows(labels, lambda here, label: Row(label, here._opened))
        return menu(self, _("History"), rows, self.before, home=None)

    def _opened(self) -> Transition:
        """Return the transition of the highlighted row."""
        from companion.ui.screens.history_pages import EveningsScreen, FinishedGamesScreen, LeagueScreen, PlayersScreen

        opens = FinishedGamesScreen(self, _("Games")), EveningsScreen(self), PlayersScreen(self), LeagueScreen(self)
        return Transition(opens[self.chosen])
