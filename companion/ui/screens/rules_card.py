"""The rules card of the open game, page by page."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.game_view import Table, TextPage
from companion.ui.displayed_table import table_body
from companion.ui.text_pages import text_pages
from companion.ui.translations import Translator, _
from companion.ui.view import TableBody, TextBody, View

from .context import ScreenContents, ScreenContext, Transition
from .paged_text import PagesScreen
from .screen_contents import KeyBinding, PageContents, back_to, home_from


class RulesCardScreen(PagesScreen, frozen=True):
    """A page of the rules card; keys turn the pages."""

    def show(self, context: ScreenContext) -> ScreenContents:
        words = context.words
        every = [body for page in pages(context) for body in _panel_pages(rules_page(words, page))]
        body, back = every[self.at % len(every)], back_to(self.before, words)
        earlier, later = (replace(self, at=(self.at + step) % len(every)) for step in (-1, 1))
        return PageContents(
            self,
            View(body, words(_("A B   * back")), hint=f"{self.at + 1}/{len(every)}"),
            (
                *(KeyBinding(key, label, lambda: Transition(earlier)) for key, label in (("A", "◀"), ("2", ""))),
                *(KeyBinding(key, label, lambda: Transition(later)) for key, label in (("B", "▶"), ("8", ""))),
                replace(back, key="#"),
                home_from(self, words),
                back,
            ),
            _("A and B move, * goes back"),
        )


def _panel_pages(page: TableBody | TextBody) -> Iterator[TableBody | TextBody]:
    """Yield a page as the panel shows it: several, if its sentences take more lines than one has."""
    if isinstance(page, TableBody):
        yield page
        return
    for sentences in text_pages(page.sentences):
        yield TextBody(page.title, sentences)


def rules_page(words: Translator, page: Table | TextPage) -> TableBody | TextBody:
    if isinstance(page, Table):
        return table_body(words, page)
    return TextBody(words(page.title), tuple(map(words, page.lines)))


def pages(context: ScreenContext) -> tuple[Table | TextPage, ...]:
    header = context.require_game().session.header
    assert header.game.optional.rules_card is not None  # the menu has its row only then
    return header.game.optional.rules_card(len(header.players), header.rules)
