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
        count = len(context.require_game().players)
        order = ((self.first + place) % count for place in range(count))
        lines = tuple(_("{number}: {player}", number=seat + 1, player=Seat(seat)) for seat in order)
        turned = replace(self, first=(self.first + 1) % count)
        return Contents(
            self,
            View(TextBody(_("Seats"), lines), _("B turns   * back")),
            (
                Choice("turn", _("turn"), lambda: Transition(turned), "B"),
                back_to(self.before),
                home_from(self),
            ),
            _("B turns the table, * goes back"),
        )
