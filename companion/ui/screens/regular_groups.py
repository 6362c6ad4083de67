"""Groups of people who played together before: begin the same game again."""

from __future__ import annotations

from itertools import islice
from unicodedata import east_asian_width

from msgspec.structs import replace

from companion.core.text import Text
from companion.ui.dates import day_of
from companion.ui.translations import _
from companion.ui.view import ListBody

from .commands import BeginGame
from .context import Screen, ScreenContext, Transition
from .list_selection import NUMBERED
from .screen_contents import KeyBinding, ListContents, ListScreen, ScreenContents, back_to

BETWEEN = "·"
"""The separator between players' names; not a space, since names may contain spaces."""
ROOM = 20
"""Letters that fit in a row."""
TITLE = 23
"""Letters that fit in a title."""


def together(players: tuple[str, ...], room: int = ROOM) -> str:
    """Return the players' names as one row, all cut to the same length if necessary.

    Args:
        players: The names.
        room: The maximum number of letters; a full-width letter counts as two.
    """
    for letters in range(max(map(len, players)), 0, -1):
        row = BETWEEN.join(name[:letters].rstrip() for name in players)
        if sum(2 if east_asian_width(letter) in "WF" else 1 for letter in row) <= room:
            break
    return row


class RegularGroupsScreen(ListScreen, frozen=True):
    """The latest groups; a number begins the same game with the same people.

    Attributes:
        before: The screen it was opened from.
    """

    before: Screen

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the list of groups and their games."""
        words, groups = context.words, tuple(islice(context.regular_groups, NUMBERED))
        days = ("" if group.begun is None else words(day_of(group.begun)) for group in groups)
        games = [words(Text(group.header.game.title)) for group in groups]
        tables = [together(group.header.players) for group in groups]
        back = back_to(self.before, words)
        return ListContents(
            self,
            ListBody(
                words(_("Play again")),
                tuple(zip(games, days, strict=True)),
                self.chosen,
                below=tuple((table, "") for table in tables),
            ),
            words(_("* back")),
            lambda row: Transition(self, BeginGame(groups[row].header, groups[row].tracking)),
            (KeyBinding("#", words(_("choose"))), back, replace(back, key="h*", label="")),
            named={
                str(row % NUMBERED): f"{table} {game}"
                for row, (table, game) in enumerate(zip(tables, games, strict=True), 1)
            },
        )
