"""Groups of people who played together before: set up the same game again."""

from __future__ import annotations

from functools import partial
from itertools import islice

from msgspec.structs import replace

from companion.core.game_guard import GameFaultError
from companion.core.text import Text
from companion.ui.dates import day_of
from companion.ui.translations import _
from companion.ui.view import BETWEEN

from .context import RegularGroup, Screen, ScreenContents, ScreenContext, Transition, refuse
from .list_menu import menu
from .list_selection import NUMBERED
from .screen_contents import OpenedListScreen
from .setup import RulesScreen

REGULARS = _("Play with regulars")


class RegularGroupsScreen(OpenedListScreen, frozen=True):
    """The groups that played lately; a number sets up the same game with the same people, and # starts it."""

    def show(self, context: ScreenContext) -> ScreenContents:
        words, groups = context.words, tuple(islice(context.regular_groups, NUMBERED))
        games = [words(Text(group.header.game.title)) for group in groups]
        tables = [BETWEEN.join(group.header.players) for group in groups]
        days = ("" if group.begun is None else day_of(group.begun) for group in groups)
        moves = (partial(set_up_again, group, replace(self, chosen=row), context) for row, group in enumerate(groups))
        labels = map(" ".join, zip(tables, games, strict=True))
        return menu(
            self,
            words,
            REGULARS,
            zip(games, days, moves, strict=True),
            self.before,
            below=((table, "") for table in tables),
            names=(name for group in groups for name in group.header.players),
            named={str(row % NUMBERED): label for row, label in enumerate(labels, 1)},
            home=None,
        )


def set_up_again(group: RegularGroup, before: Screen, context: ScreenContext) -> Transition:
    """Return the transition to the rules of a group's latest game; # starts a new one, back leads to ``before``.

    A game that fails is refused.
    """
    try:
        return Transition(RulesScreen.again(group.header, group.tracking, before, context))
    except GameFaultError as fault:
        return refuse(before, fault.text)
