"""The menu of a game on the table, and what it leads to: the score sheet and the keys."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from companion.core.events import Redo
from companion.core.game import Game
from companion.core.prompt import Tracking
from companion.core.text import Glyph, Text
from companion.ui.keys import Key, KeyLayout
from companion.ui.translations import _
from companion.ui.view import ListBody, TextBody, View

from .context import (
    CHOOSE,
    HOME,
    Context,
    EnterLine,
    Labels,
    OpenGame,
    ReopenGame,
    Screen,
    SetTracking,
    TableScreen,
    Transition,
    brought_back,
    grid,
    leave,
    no,
)
from .entries import EntriesScreen
from .list_selection import moved, row_labels, settled
from .rules_card import RulesCardScreen
from .settings import SettingsScreen

AFTER = (_("Leave the game"), _("Settings"), _("Keys"))
"""What stands in every menu, after the ways of following the game."""

Item = tuple[Text, Transition]
"""A row of the menu, and what it leads to."""

GENERAL_KEYS = (_("* back, undo; held: entries"), _("# OK; held: menu"))
TURNING = (_("‹ › turn; ● chooses"), _("● held: back, undo"))
UPRIGHT = _("▲ ▼ next suit; numbers by 5")


COLUMNS = 3
"""Rounds of the score sheet that are seen at once, beside the total."""


def keys_of(game: OpenGame, board: KeyLayout) -> tuple[Text, ...]:
    """Say how everything is entered on a board."""
    if not board.few:
        return (*game.session.header.game.keys, *GENERAL_KEYS)
    beside = (text for text, key in zip(GENERAL_KEYS, "*#", strict=True) if key in board.keys)
    return (*TURNING, *((UPRIGHT,) if "^" in board.keys else ()), *beside)


def before(game: Game[Any]) -> tuple[Text, ...]:
    """Return the rows before the ways of following a game: the last of them brings an entry back."""
    card = () if game.card is None else (_("Rules card"),)
    return (_("Score sheet"), _("Entries, correct"), *card, _("Redo"))


def rows(game: Game[Any]) -> int:
    """Return how many rows a game's menu has."""
    return len(before(game)) + len(game.trackings) + len(AFTER)


def row_of_redo(game: Game[Any]) -> int:
    """Return the row that brings an entry back."""
    return len(before(game)) - 1


def row_of_tracking(game: Game[Any], tracking: Tracking) -> int:
    """Return the row that follows the game in a way."""
    return len(before(game)) + list(game.trackings).index(tracking)


@dataclass(frozen=True, slots=True)
class MenuScreen:
    """What can be done with the game on the table.

    Attributes:
        table: Where it was opened.
        chosen: The row that is highlighted.
    """

    table: TableScreen
    chosen: int = 0

    def press(self, key: Key, desk: Context) -> Transition:
        """Do what a row says, or go back to the table."""
        items = self._items(desk)
        count = len(items)
        if key == HOME:
            return leave(self)
        if key.name == "*":
            return Transition(self.table)
        row = settled(count, self.chosen, key)
        if row is not None:
            return items[row][1]
        row = moved(count, self.chosen, key)
        return Transition(replace(self, chosen=row)) if row is not None else no(self, CHOOSE)

    def _items(self, desk: Context) -> tuple[Item, ...]:
        """Return the rows; those of a game that is only looked at enter nothing, but the one that ends that."""
        game = desk.at_the_table()
        ways = game.session.header.game.trackings
        card = () if game.session.header.game.card is None else (Transition(RulesCardScreen(self)),)
        looks = (Transition(ScoresScreen(self)), Transition(EntriesScreen.of(self.table, game)), *card)
        reading = Transition(TextScreen(self, _("Keys"), keys_of(game, desk.board)))
        after = tuple(zip(AFTER, (leave(self), Transition(SettingsScreen(self)), reading), strict=True))
        if game.read_only:
            titles = (_("Score sheet"), _("Entries"), _("Rules card"))
            change = Transition(self.table.fresh(), ReopenGame(), _("It can be changed now"))
            return (*zip(titles, looks, strict=False), (_("Change this game"), change), *after)
        redo = Transition(self.table.fresh(), EnterLine(Redo()), brought_back(game))
        follow = ((way, self._follow(tracking)) for tracking, way in ways.items())
        return (*zip(before(game.session.header.game), (*looks, redo), strict=True), *follow, *after)

    def _follow(self, tracking: Tracking) -> Transition:
        if self.table.amending is not None:  # only this correction is entered in another way
            return Transition(self.table.following(tracking))
        return Transition(self.table.fresh(), SetTracking(tracking))

    def view(self, desk: Context) -> View:
        """Show the rows, the present way of following the game marked."""
        game, words = desk.at_the_table(), desk.words
        followed = game.session.header.game.trackings[game.tracking]
        marks = {followed: words(Glyph("check"))}
        lines = tuple((words(text), marks.get(text, "")) for text, _move in self._items(desk))
        return View(
            ListBody(words(_("Menu")), lines, self.chosen),
            words(_("* back")),
        )

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        words = desk.words
        leaving = {"h*": words(AFTER[0])}  # which is a row of its own
        return {**row_labels(self.view(desk).body), "#": words(_("choose")), **leaving, "*": words(_("back"))}


@dataclass(frozen=True, slots=True)
class ScoresScreen:
    """The score sheet.

    Attributes:
        menu: Where it was opened.
        back: By how many rounds it is turned back; the latest are shown first.
    """

    menu: MenuScreen
    back: int = 0

    def press(self, key: Key, desk: Context) -> Transition:
        """Turn to earlier rounds or to the alerts, or go back."""
        if key == HOME:
            return leave(self)
        game = desk.at_the_table()
        if key == Key("*"):
            return Transition(self.menu)
        if key == Key("#"):
            alerts = game.session.header.game.alerts(game.session.state)
            return Transition(TextScreen(self, _("Alerts"), alerts or (_("None so far"),)))
        hidden = max(0, len(game.session.header.game.sheet(game.session.state).columns) - 1 - COLUMNS)
        if key in (Key("A"), Key("B")) and hidden:
            return Transition(replace(self, back=max(0, min(hidden, self.back + (1 if key.name == "A" else -1)))))
        return no(self, _("# shows the alerts, * goes back"))

    def view(self, desk: Context) -> View:
        """Show the figures."""
        game = desk.at_the_table()
        words = desk.words
        whole = grid(words, game.session.header.game.sheet(game.session.state))
        last = len(whole.heads) - 1 - self.back
        shown = (*range(max(0, last - COLUMNS), last), len(whole.heads) - 1)
        body = replace(
            whole,
            heads=tuple(whole.heads[column] for column in shown),
            rows=tuple(tuple(row[column] for column in shown) for row in whole.rows),
        )
        return View(body, words(_("# alerts   * back")), hint="" if len(shown) == len(whole.heads) else "A B")

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        words = desk.words
        turning = {"A": "◀", "B": "▶"} if self.view(desk).hint else {}
        return {**turning, "#": words(_("alerts")), "h*": words(_("home")), "*": words(_("back"))}


@dataclass(frozen=True, slots=True)
class TextScreen:
    """Sentences to read: the alerts, the keys.

    Attributes:
        before: The screen it was opened from.
        title: What they are about.
        sentences: One below the other.
        first: The one at the top.
    """

    before: Screen
    title: Text
    sentences: tuple[Text, ...]
    first: int = 0

    def press(self, key: Key, desk: Context) -> Transition:
        """Scroll, or go back."""
        if key == HOME:
            return leave(self)
        row = moved(len(self.sentences), self.first, key)
        if row is not None:
            return Transition(replace(self, first=row))
        return Transition(self.before) if key.name in "*#" else no(self, _("A and B move, * goes back"))

    def view(self, desk: Context) -> View:
        """Show the sentences."""
        words = desk.words
        return View(
            TextBody(words(self.title), tuple(map(words, self.sentences)), self.first),
            words(_("A B move   * back")),
        )

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        back = desk.words(_("back"))
        return {**row_labels(self.view(desk).body), "#": back, "h*": desk.words(_("home")), "*": back}
