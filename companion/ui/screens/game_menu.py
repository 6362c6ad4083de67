"""The menu of the open game: score sheet, alerts, players and more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import structs
from msgspec.structs import replace

from companion.core.events import Redo
from companion.core.game import Game
from companion.core.prompt import DetailLevel
from companion.core.text import Glyph, Text
from companion.ui.offered_corrections import TITLE
from companion.ui.screens.contents import (
    GO_BACK,
    Contents,
    ListScreen,
    OpenedListScreen,
    OpenedScreen,
    back_to,
    home_from,
    menu,
    turning,
)
from companion.ui.screens.context import (
    SCORES,
    Choice,
    CurrentGame,
    EnterLine,
    OnMachine,
    RefreshMachineStatus,
    ReopenGame,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    SetDetailLevel,
    Transition,
    leave,
    redone_text,
    refuse,
)
from companion.ui.screens.corrections import EntriesScreen
from companion.ui.screens.help import RulesCardScreen, TextScreen, director_keys
from companion.ui.screens.settings import SettingsScreen
from companion.ui.translations import _
from companion.ui.view import View, table_body

from .change_players import ChangePlayersScreen, ConfirmFinishScreen
from .suggestions import offers_or_question

if TYPE_CHECKING:
    from companion.ui.screens.table import PlayScreen

DETAIL = _("Detail")
"""The row that leads to the levels of detail."""

FOLLOWING = (TITLE, _("Alerts"))
"""The rows after it: corrections that may be meant, and all alerts."""

AFTER = (_("Leave the game"), _("Settings"), _("Players"))
"""The last rows of every menu."""

ON_PAGE = ("Scores", "Rules card")
"""The rows that a page does not need: it shows both by itself."""

Item = tuple[Text, Transition | Callable[[], Transition]]
"""A row of the menu, with its transition."""

COLUMNS = 3
"""Rounds of the score sheet shown at once, besides the total."""


def before(game: Game[Any]) -> tuple[Text, ...]:
    """Return the first rows, to the level of detail."""
    card = () if game.optional.rules_card is None else (_("Rules card"),)
    return (_("Scores"), _("Entries, correct"), *card, _("Redo"), DETAIL)


def rows(game: Game[Any]) -> int:
    return len(before(game)) + len(FOLLOWING) + len(AFTER)


def row_of_redo(game: Game[Any]) -> int:
    return len(before(game)) - 2


def row_of_detail(game: Game[Any]) -> int:
    return len(before(game)) - 1


def row_of_players(game: Game[Any]) -> int:
    return rows(game) - 1


class MenuScreen(ListScreen, frozen=True):
    """The menu of the open game."""

    table: PlayScreen

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        level = game.session.header.game.trackings[game.tracking]
        rows = (Row(text, move, level if text == DETAIL else "") for text, move in self._shown(context))
        club = context.machine.club
        keys = director_keys(club, self.table)
        if not game.over and not game.read_only and club is None:
            confirm = ConfirmFinishScreen(self, self.table)
            end = Transition(confirm) if context.scores else refuse(self, SCORES)
            keys = (*keys, Choice("end", _("end the game here"), lambda: end, "D"))
        hint = club.hint if club is not None else _("D end here") if keys else None
        foot = GO_BACK if hint is None else Text("{hint}   {back}", hint=hint, back=GO_BACK)
        return menu(self, _("Menu"), rows, self.table, home=AFTER[0], foot=foot, others=keys)

    def _shown(self, context: ScreenContext) -> Iterator[Item]:
        """Yield the rows; a page has score sheet and rules card beside it."""
        for text, move in self._items(context):
            if not context.on_page:
                yield text, move
            elif text == AFTER[1]:
                yield _("Settings of the box"), move
            elif text.template not in ON_PAGE:
                yield text, move

    def redone(self, context: ScreenContext) -> Transition:
        """Return the transition that brings back the entry taken back last."""
        return Transition(self.table.reset(), EnterLine(Redo()), redone_text(context.require_game()))

    def _items(self, context: ScreenContext) -> tuple[Item, ...]:
        """Return the rows; a read-only game has no Redo and no levels of detail, but a row that makes it changeable."""
        game = context.require_game()
        card = () if game.session.header.game.optional.rules_card is None else (Transition(RulesCardScreen(self)),)
        looks = (Transition(ScoresScreen(self)), Transition(EntriesScreen.of(self.table, game)), *card)
        settings = Transition(SettingsScreen(self), OnMachine(RefreshMachineStatus()))
        players = Transition(ChangePlayersScreen(self, self.table))
        after = tuple(zip(AFTER, (leave(self), settings, players), strict=True))
        if game.read_only:
            titles = (_("Scores"), _("Entries"), _("Rules card"))
            change = Transition(self.table.reset(), ReopenGame(), _("It can be changed now"))
            return (*zip(titles, looks, strict=False), (_("Change this game"), change), *after[:-1])
        moves = (*looks, self.redone(context), Transition(DetailLevelScreen(before=self, table=self.table)))
        following = (lambda: Transition(offers_or_question(self, self.table, context)), Transition(alerts(self, game)))
        return (
            *zip(before(game.session.header.game), moves, strict=True),
            *zip(FOLLOWING, following, strict=True),
            *after,
        )


class DetailLevelScreen(OpenedListScreen, frozen=True, kw_only=True):
    """The question how closely the game is recorded from now on."""

    table: PlayScreen

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        levels, present = game.session.header.game.trackings, game.tracking
        rows = (
            Row(label, self._chosen(level, label), Glyph("check") if level is present else "")
            for level, label in levels.items()
        )
        return menu(self, _("Enter from now on"), rows, self.before)

    def _chosen(self, level: DetailLevel, label: Text) -> Transition:
        message = _("From now on: {level}", level=label)
        if self.table.amending is not None:  # applies to this correction only
            return Transition(self.table.with_tracking(level), message=message)
        return Transition(self.table.reset(), SetDetailLevel(level), message)


class ScoresScreen(OpenedScreen, frozen=True):
    """The score sheet of the open game, scrolled back by some rounds from the latest."""

    back: int = 0

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        whole = table_body(game.session.score_sheet, len(game.players))
        last = len(whole.heads) - 1 - self.back
        shown = (*range(max(0, last - COLUMNS), last), len(whole.heads) - 1)
        body = structs.replace(
            whole,
            heads=tuple(whole.heads[column] for column in shown),
            rows=tuple(tuple(row[column] for column in shown) for row in whole.rows),
        )
        hidden = max(0, len(whole.heads) - 1 - COLUMNS)
        arrows = (
            *turning("A", "◀", partial(self._turned, 1, hidden), knob=True),
            *turning("B", "▶", partial(self._turned, -1, hidden), knob=True),
        )
        return Contents(
            self,
            View(body, _("# alerts   * back"), hint="A B" if hidden else ""),
            (
                *(arrows if hidden else ()),
                Choice("alerts", _("alerts"), lambda: Transition(alerts(self, game)), "#"),
                back_to(self.before),
                home_from(self),
            ),
            _("# shows the alerts, * goes back"),
        )

    def _turned(self, rounds: int, hidden: int) -> Transition:
        return Transition(replace(self, back=max(0, min(hidden, self.back + rounds))))


def alerts(before: Screen, game: CurrentGame) -> TextScreen:
    """Return the page of all alerts so far."""
    told = game.session.header.game.optional.alerts(game.session.state)
    return TextScreen(before, _("Alerts"), told or (_("None so far"),))
