"""The menu of the open game: score sheet, alerts, keys and more."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import structs
from msgspec.structs import replace

from companion.core.events import Redo
from companion.core.game import Game
from companion.core.prompt import DetailLevel
from companion.core.text import Glyph, Text
from companion.ui.keys import Key, KeyLayout
from companion.ui.open_game import table_body
from companion.ui.translations import _
from companion.ui.view import TextBody, View

from .commands import EnterLine, OnMachine, RefreshSettings, ReopenGame, SetTracking, leave
from .context import CurrentGame, GameScreenProtocol, ScreenContents, ScreenContext, Transition, redone_text
from .entries import EntriesScreen
from .list_menu import menu
from .list_selection import MOVES, moved_row, row_labels
from .rules_card import RulesCardScreen
from .screen_contents import KeyBinding, KeysOnlyContents, ListScreen, OpenedScreen, PageContents, back_to, home_from
from .settings import SettingsScreen

AFTER = (_("Leave the game"), _("Settings"), _("Keys"))
"""The last rows of every menu, after the levels of detail."""

Item = tuple[Text, Transition]
"""A row of the menu, with its transition."""

GENERAL_KEYS = (_("* back, undo; held: entries"), _("# OK; held: menu"))
TURNING = (_("‹ › turn; ● chooses"), _("● held: back, undo"))
UPRIGHT = _("▲ ▼ next suit; numbers by 5")


COLUMNS = 3
"""Rounds of the score sheet shown at once, besides the total."""


def keys_of(game: CurrentGame, board: KeyLayout) -> tuple[Text, ...]:
    if not board.few:
        return (*game.session.header.game.optional.keys, *GENERAL_KEYS)
    beside = (text for text, key in zip(GENERAL_KEYS, "*#", strict=True) if key in board.keys)
    return (*TURNING, *((UPRIGHT,) if "^" in board.keys else ()), *beside)


def before(game: Game[Any]) -> tuple[Text, ...]:
    """Return the rows before the levels of detail; the last of them is Redo."""
    card = () if game.optional.rules_card is None else (_("Rules card"),)
    return (_("Score sheet"), _("Entries, correct"), *card, _("Redo"))


def rows(game: Game[Any]) -> int:
    return len(before(game)) + len(game.trackings) + len(AFTER)


def row_of_redo(game: Game[Any]) -> int:
    return len(before(game)) - 1


def row_of_tracking(game: Game[Any], tracking: DetailLevel) -> int:
    return len(before(game)) + list(game.trackings).index(tracking)


class MenuScreen(ListScreen, frozen=True):
    """The menu of the open game."""

    table: GameScreenProtocol

    def show(self, context: ScreenContext) -> ScreenContents:
        game, words = context.require_game(), context.words
        marks = {game.session.header.game.trackings[game.tracking]: Glyph("check")}
        rows = ((text, marks.get(text, ""), move) for text, move in self._items(context))
        return menu(self, words, _("Menu"), rows, self.table, home=AFTER[0])

    def _items(self, context: ScreenContext) -> tuple[Item, ...]:
        """Return the rows; a read-only game has no Redo and no levels of detail, but a row that makes it changeable."""
        game = context.require_game()
        labels = game.session.header.game.trackings
        card = () if game.session.header.game.optional.rules_card is None else (Transition(RulesCardScreen(self)),)
        looks = (Transition(ScoresScreen(self)), Transition(EntriesScreen.of(self.table, game)), *card)
        reading = Transition(TextScreen(self, _("Keys"), keys_of(game, context.key_layout)))
        settings = Transition(SettingsScreen(self), OnMachine(RefreshSettings()))
        after = tuple(zip(AFTER, (leave(self), settings, reading), strict=True))
        if game.read_only:
            titles = (_("Score sheet"), _("Entries"), _("Rules card"))
            change = Transition(self.table.reset(), ReopenGame(), _("It can be changed now"))
            return (*zip(titles, looks, strict=False), (_("Change this game"), change), *after)
        redo = Transition(self.table.reset(), EnterLine(Redo()), redone_text(game))
        follow = ((label, self._follow(tracking)) for tracking, label in labels.items())
        return (*zip(before(game.session.header.game), (*looks, redo), strict=True), *follow, *after)

    def _follow(self, tracking: DetailLevel) -> Transition:
        if self.table.amending is not None:  # applies to this correction only
            return Transition(self.table.with_tracking(tracking))
        return Transition(self.table.reset(), SetTracking(tracking))


class ScoresScreen(OpenedScreen, frozen=True):
    """The score sheet of the open game, scrolled back by some rounds from the latest."""

    back: int = 0

    def show(self, context: ScreenContext) -> ScreenContents:
        game, words = context.require_game(), context.words
        whole = table_body(words, game.session.header.game.score_sheet(game.session.state))
        last = len(whole.heads) - 1 - self.back
        shown = (*range(max(0, last - COLUMNS), last), len(whole.heads) - 1)
        body = structs.replace(
            whole,
            heads=tuple(whole.heads[column] for column in shown),
            rows=tuple(tuple(row[column] for column in shown) for row in whole.rows),
        )
        hidden = max(0, len(whole.heads) - 1 - COLUMNS)
        turning = (
            KeyBinding("A", "◀", partial(self._turned, 1, hidden)),
            KeyBinding("B", "▶", partial(self._turned, -1, hidden)),
        )
        return KeysOnlyContents(
            self,
            View(body, words(_("# alerts   * back")), hint="A B" if hidden else ""),
            (
                *(turning if hidden else ()),
                KeyBinding("#", words(_("alerts")), lambda: Transition(self._alerts(game))),
                home_from(self, words),
                back_to(self.before, words),
            ),
            _("# shows the alerts, * goes back"),
        )

    def _turned(self, rounds: int, hidden: int) -> Transition:
        return Transition(replace(self, back=max(0, min(hidden, self.back + rounds))))

    def _alerts(self, game: CurrentGame) -> TextScreen:
        alerts = game.session.header.game.optional.alerts(game.session.state)
        return TextScreen(self, _("Alerts"), alerts or (_("None so far"),))


class TextScreen(OpenedScreen, frozen=True):
    """A page of sentences from the first one shown: the alerts, or help about the keys."""

    title: Text
    sentences: tuple[Text, ...]
    first: int = 0

    def show(self, context: ScreenContext) -> ScreenContents:
        words = context.words
        body = TextBody(words(self.title), tuple(map(words, self.sentences)), self.first)
        labels, count = row_labels(body), len(self.sentences)
        rows = ((key, moved_row(count, self.first, Key(key))) for key in MOVES)
        return PageContents(
            self,
            View(body, words(_("A B move   * back"))),
            (
                *(KeyBinding(key, labels.get(key, ""), partial(self._at, row)) for key, row in rows if row is not None),
                *(replace(back_to(self.before, words), key=key) for key in "#*"),
                home_from(self, words),
                replace(back_to(self.before, words), key="h#", label=""),
            ),
            _("A and B move, * goes back"),
        )

    def _at(self, row: int) -> Transition:
        return Transition(replace(self, first=row))
