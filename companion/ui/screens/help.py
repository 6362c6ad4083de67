"""Help in a game: pages on its keys, and its rules card."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

from msgspec.structs import replace

from companion.core.game import Table, TextPage
from companion.core.text import Text
from companion.ui.fonts import text_pages
from companion.ui.keys import Key, KeyLayout
from companion.ui.screens.contents import (
    OpenedScreen,
    Page,
    PageContents,
    PagesScreen,
    back_to,
    home_from,
    only_key,
    turned_pages,
    turning,
)
from companion.ui.screens.context import CurrentGame, ScreenContents, ScreenContext, Transition
from companion.ui.screens.list_selection import MOVES, moved_row, row_labels
from companion.ui.translations import Translator, _
from companion.ui.view import TableBody, TextBody, View, table_body

GENERAL_KEYS = (_("* back, undo; held: entries"), _("# OK; held: menu"))
TURNING = (_("‹ › turn; ● chooses"), _("● held: back, undo"))
UPRIGHT = _("▲ ▼ next suit; numbers by 5")


def keys_of(game: CurrentGame, board: KeyLayout) -> tuple[Text, ...]:
    if not board.few:
        header = game.session.header
        return (*header.game.optional.keys(len(header.players), header.rules), *GENERAL_KEYS)
    beside = (text for text, key in zip(GENERAL_KEYS, "*#", strict=True) if key in board.keys)
    return (*TURNING, *((UPRIGHT,) if "^" in board.keys else ()), *beside)


class TextScreen(OpenedScreen, frozen=True):
    """Sentences over several pages: the alerts, or help about the keys."""

    title: Text
    sentences: tuple[Text, ...]
    first: int = 0

    def show(self, context: ScreenContext) -> ScreenContents:
        body = TextBody(self.title, self.sentences, self.first)
        labels, count, back = row_labels(body), len(self.sentences), back_to(self.before)
        rows = ((key, moved_row(count, self.first, Key(key))) for key in MOVES)
        return PageContents(
            self,
            View(body, _("A B move   * back")),
            (
                *chain.from_iterable(
                    turning(key, str(labels[key]), at) if key in labels and key in "AB" else (only_key(key, at),)
                    for key, at in ((key, partial(self._at, row)) for key, row in rows if row is not None)
                ),
                replace(back, key="#", page="", knob=False),
                back,
                home_from(self),
                only_key("h#", back.do),
            ),
            _("A and B move, * goes back"),
        )

    def _at(self, row: int) -> Transition:
        return Transition(replace(self, first=row))


class RulesCardScreen(PagesScreen, frozen=True):
    """A page of the rules card; keys turn the pages."""

    def show(self, context: ScreenContext) -> ScreenContents:
        seats = len(context.require_game().players)
        bodies = (rules_page(page, seats) for page in pages(context))
        every = tuple(body for page in bodies for body in _panel_pages(page, context.words))
        unknown = _("A and B move, * goes back")
        return turned_pages(self, context, every, foot=_("A B   * back"), keys="", unknown=unknown)


def _panel_pages(page: Page, words: Translator) -> Iterator[Page]:
    """Yield a page as the panel shows it: several, if its sentences take more lines than one has."""
    if isinstance(page, TableBody):
        yield page
        return
    for sentences in text_pages(tuple(map(words, page.sentences))):
        yield TextBody(page.title, sentences)


def rules_page(page: Table | TextPage, seats: int) -> Page:
    """Return a page of the rules card of a game of so many players."""
    if isinstance(page, Table):
        return table_body(page, seats)
    return TextBody(page.title, page.lines)


def pages(context: ScreenContext) -> tuple[Table | TextPage, ...]:
    header = context.require_game().session.header
    assert header.game.optional.rules_card is not None  # the menu has its row only then
    return header.game.optional.rules_card(len(header.players), header.rules)
