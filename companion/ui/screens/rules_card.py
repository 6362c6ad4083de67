"""The rules card of the game on the table: the figures people look up, a panel at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core.game_view import Notes, Table
from companion.ui.keys import Key
from companion.ui.translations import _
from companion.ui.view import TextBody, View

from .context import HOME, Context, Labels, Screen, Transition, grid, leave, no

TURNS = {"A": -1, "2": -1, "B": 1, "8": 1}
BACK = (Key("*"), Key("#"))


@dataclass(frozen=True, slots=True)
class RulesCardScreen:
    """The pages of the card, turned one by one; after the last comes the first.

    Attributes:
        before: The screen it was opened from.
        at: The page that is seen.
    """

    before: Screen
    at: int = 0

    def press(self, key: Key, desk: Context) -> Transition:
        """Turn the page, or go back."""
        if key == HOME:
            return leave(self)
        if key in BACK:
            return Transition(self.before)
        if key.held or key.name not in TURNS:
            return no(self, _("A and B move, * goes back"))
        return Transition(replace(self, at=(self.at + TURNS[key.name]) % len(pages(desk))))

    def view(self, desk: Context) -> View:
        """Show a page, and which one it is."""
        words = desk.words
        every = pages(desk)
        page = every[self.at]
        body = (
            grid(words, page) if isinstance(page, Table) else TextBody(words(page.title), tuple(map(words, page.lines)))
        )
        return View(body, words(_("A B   * back")), hint=f"{self.at + 1}/{len(every)}")

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        back = desk.words(_("back"))
        return {"A": "◀", "B": "▶", "#": back, "h*": desk.words(_("home")), "*": back}


def pages(desk: Context) -> tuple[Table | Notes, ...]:
    """Return the card as it is for those at the table and their rules."""
    header = desk.at_the_table().session.header
    assert header.game.card is not None  # a menu has its row only then
    return header.game.card(len(header.players), header.rules)
