"""An example of a screen: who sits where, as seen from any of the seats."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.text import Seat
from companion.ui.screens.contents import Contents, OpenedScreen, back_to, home_from
from companion.ui.screens.context import Choice, ScreenContents, ScreenContext, Transition
from companion.ui.translations import _
from companion.ui.view import TextBody, View


class TableOrderScreen(OpenedScreen, frozen=True):
    """The players by seat, clockwise; the seat at the top is ``first``."""

    first: int = 0

    def show(self, context: ScreenContext) -> ScreenContents:
        words, count = context.words, len(context.require_game().session.header.players)
        order = ((self.first + place) % count for place in range(count))
        lines = tuple(words(_("{number}: {player}", number=seat + 1, player=Seat(seat))) for seat in order)
        turned = replace(self, first=(self.first + 1) % count)
        return Contents(
            self,
            View(TextBody(words(_("Seats")), lines), words(_("B turns   * back"))),
            (
                Choice("turn", words(_("turn")), lambda: Transition(turned), "B"),
                back_to(self.before, words),
                home_from(self, words),
            ),
            _("B turns the table, * goes back"),
        )
