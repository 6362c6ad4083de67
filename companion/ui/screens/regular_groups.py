"""Groups of people who played together before: begin the same game again."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from companion.core.text import Text
from companion.ui.dates import day_of
from companion.ui.fonts import FaceName, face
from companion.ui.translations import Translator, _

from .commands import BeginGame
from .context import ScreenContents, ScreenContext, Transition
from .list_menu import menu
from .list_selection import NUMBERED
from .screen_contents import OpenedListScreen

BETWEEN = "·"
"""The separator between players' names; not a space, since names may contain spaces."""
ROOM = 110
"""Pixels of a row."""
BESIDE = 81
"""Pixels of a row that has a time of day at its end."""
TITLE = 126
"""Pixels of a title."""


def together(players: tuple[str, ...], room: int = ROOM, name: FaceName = "text") -> str:
    """Return names as one row; where they do not fit a room in pixels, the widest loses letters first."""
    font, names = face(name), [*players]
    while font.width(row := BETWEEN.join(names)) > room:
        widest = max(
            (each for each in range(len(names)) if names[each][1:]),
            key=lambda each: font.width(names[each]),
            default=None,
        )
        if widest is None:
            break
        names[widest] = names[widest][:-1].rstrip()
    return row


def beside(words: Translator, players: tuple[str, ...], sentence: Callable[[str], object], room: int = BESIDE) -> str:
    """Return a sentence about players that fits a room in pixels."""
    around = face("text").width(words(sentence("")))
    return words(sentence(together(players, room - around)))


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
