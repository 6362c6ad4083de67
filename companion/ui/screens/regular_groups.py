"""Groups of people who played together before: begin the same game again."""

from __future__ import annotations

from itertools import islice
from unicodedata import east_asian_width

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
ROOM = 20
"""Letters that fit in a row."""
TITLE = 23
"""Letters that fit in a title."""


def together(players: tuple[str, ...], room: int = ROOM) -> str:
    """Return names as one row, all cut to the same length if needed; a full-width letter counts as two."""
    for letters in range(max(map(len, players)), 0, -1):
        row = BETWEEN.join(name[:letters].rstrip() for name in players)
        if sum(2 if east_asian_width(letter) in "WF" else 1 for letter in row) <= room:
            break
    return row


class RegularGroupsScreen(OpenedListScreen, frozen=True):
    """The latest groups; a number begins the same game with the same people."""

    def show(self, context: ScreenContext) -> ScreenContents:
        words, groups = context.words, tuple(islice(context.regular_groups, NUMBERED))
        games = [words(Text(group.header.game.title)) for group in groups]
        tables = [together(group.header.players) for group in groups]
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
            named={str(row % NUMBERED): label for row, label in enumerate(labels, 1)},
            home=None,
        )
