"""The menu of the open game: score sheet, alerts, players and more."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec import structs
from msgspec.structs import replace

from companion.core.game import Game, Redo
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
    director_keys,
    home_from,
    menu,
    turning,
)
from companion.ui.screens.context import (
    Choice,
    CurrentGame,
    EnterLine,
    RefreshMachineStatus,
    ReopenGame,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    SetDetailLevel,
    TableScreen,
    Transition,
    leave,
    redone_text,
)
from companion.ui.screens.corrections import EntriesScreen
from companion.ui.screens.help import RulesCardScreen, TextScreen
from companion.ui.screens.phones import PAIR, OpenPairing, PairingScreen, PhonesStatus
from companion.ui.screens.settings import SettingsScreen
from companion.ui.translations import _
from companion.ui.view import View, table_body

from .change_players import ChangePlayersScreen, ConfirmFinishScreen
from .suggestions import offers_or_question

LOOK, ENTRIES, CARD, REDO, DETAIL = _("Scores"), _("Entries, correct"), _("Rules card"), _("Redo"), _("Detail")
ALERTS, LEAVE, SETTINGS, PLAYERS = _("Alerts"), _("Leave the game"), _("Settings"), _("Players")

COLUMNS = 3
"""Rounds of the score sheet shown at once, besides the total."""


def titles(game: Game[Any]) -> tuple[Text, ...]:
    """Return the rows of the menu of a game that can be changed."""
    card = () if game.optional.rules_card is None else (CARD,)
    return LOOK, ENTRIES, *card, REDO, DETAIL, TITLE, ALERTS, LEAVE, SETTINGS, PLAYERS


class MenuScreen(ListScreen, frozen=True):
    """The menu of the open game."""

    table: TableScreen

    def show(self, context: ScreenContext) -> ScreenContents:
        game = context.require_game()
        club = context.machine.club
        keys = director_keys(club, self.table)
        if not game.over and not game.read_only and club is None:
            confirm = ConfirmFinishScreen(self, self.table)
            end = Choice("end", _("end the game here"), lambda: Transition(confirm), "D", for_scorers=True)
            keys = (*keys, end)
        hint = club.hint if club is not None else _("D end here") if keys else None
        foot = GO_BACK if hint is None else Text("{hint}   {back}", hint=hint, back=GO_BACK)
        return menu(self, _("Menu"), self._rows(context), self.table, home=LEAVE, foot=foot, others=keys)

    def redone(self, context: ScreenContext) -> Transition:
        """Return the transition that brings back the entry taken back last."""
        return Transition(self.table.reset(), EnterLine(Redo()), redone_text(context.require_game()))

    def _rows(self, context: ScreenContext) -> Iterator[Row]:
        """Yield the rows; a page has score sheet and rules card beside it."""
        game = context.require_game()
        declared, redo = game.session.header.game, Row(REDO, lambda: self.redone(context), for_scorers=True)
        if not context.on_page:
            yield Row(LOOK, Transition(ScoresScreen(self)))
        entries = Transition(EntriesScreen.of(self.table, game))
        yield Row(_("Entries") if game.read_only or not context.scores else ENTRIES, entries)
        if declared.optional.rules_card is not None and not context.on_page:
            yield Row(CARD, Transition(RulesCardScreen(self)))
        if game.read_only:
            change = Transition(self.table.reset(), ReopenGame(), _("It can be changed now"))
            yield Row(_("Change this game"), change, for_scorers=True)
        else:
            levels = Transition(DetailLevelScreen(before=self, table=self.table))
            if not context.on_page:  # also where nothing is to be brought back: the rows after it keep their numbers
                yield redo
            yield Row(DETAIL, levels, declared.trackings[game.tracking], for_scorers=True)
            yield Row(TITLE, lambda: Transition(offers_or_question(self, self.table, context)), for_scorers=True)
            yield Row(ALERTS, Transition(alerts(self, game)))
        yield Row(LEAVE, leave(self))
        settings = Transition(SettingsScreen(self), RefreshMachineStatus())
        yield Row(_("Settings of the box") if context.on_page else SETTINGS, settings, for_scorers=True)
        if not game.read_only:
            yield Row(PLAYERS, Transition(ChangePlayersScreen(self, self.table)), for_scorers=True)
            if context.on_page and context.machine.get(PhonesStatus) is not None:
                yield Row(PAIR, Transition(PairingScreen(self), OpenPairing()), for_scorers=True)
            if context.on_page and game.session.undone is not None:
                yield redo


class DetailLevelScreen(OpenedListScreen, frozen=True, kw_only=True):
    """The question how closely the game is recorded from now on."""

    table: TableScreen

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


class AlertsScreen(TextScreen, frozen=True):
    """All alerts so far."""


def alerts(before: Screen, game: CurrentGame) -> AlertsScreen:
    """Return the page of all alerts so far."""
    told = game.session.header.game.optional.alerts(game.session.state)
    return AlertsScreen(before, ALERTS, told or (_("None so far"),))
