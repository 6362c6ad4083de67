"""Groups of people who played together before: begin the same game again."""

from __future__ import annotations

from itertools import islice

from companion.core.text import Text
from companion.ui.dates import day_of
from companion.ui.translations import _

from .commands import BeginGame
from .context import ScreenContents, ScreenContext, Transition
from .list_menu import menu
from .list_selection import NUMBERED
from .screen_contents import OpenedListScreen

BETWEEN = "·"
"""The separator between players' names; not a space, since names may contain spaces."""


class RegularGroupsScreen(OpenedListScreen, frozen=True):
    """The latest groups; a number begins the same game with the same people."""

    def show(self, context: ScreenContext) -> ScreenContents:
        words, groups = context.words, tuple(islice(context.regular_groups, NUMBERED))
        games = [words(Text(group.header.game.title)) for group in groups]
        tables = [BETWEEN.join(group.header.players) for group in groups]
        days = ("" if group.begun is None else day_of(group.begun) for group in groups)
        moves = (Transition(self, BeginGame(group.header, group.tracking)) for group in groups)
        labels = map(" ".join, zip(tables, games, strict=True))
        return menu(
            self,
            words,
            _("Regulars"),
            zip(games, days, moves, strict=True),
            self.before,
            below=((table, "") for table in tables),
            names=(name for group in groups for name in group.header.players),
            named={str(row % NUMBERED): label for row, label in enumerate(labels, 1)},
            home=None,
        )
