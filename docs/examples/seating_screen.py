"""An example of a screen: who sits where, as seen from any of the seats."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.core.text import Seat
from companion.ui.keys import Key
from companion.ui.screens.context import HOME, Context, Labels, Screen, Transition, leave, no
from companion.ui.translations import _
from companion.ui.view import TextBody, View


@dataclass(frozen=True, slots=True)
class SeatingScreen:
    """The players by seat, clockwise.

    Attributes:
        before: The screen that opened it.
        first: The seat at the top.
    """

    before: Screen
    first: int = 0

    def press(self, key: Key, desk: Context) -> Transition:
        """Turn the table by a seat, go back, or go home."""
        if key == HOME:
            return leave(self)
        match key.name:
            case "*" | "#":
                return Transition(self.before)
            case "B":
                return Transition(replace(self, first=(self.first + 1) % _seats(desk)))
        return no(self, _("B turns the table, * goes back"))

    def view(self, desk: Context) -> View:
        """Show a line for each seat."""
        order = ((self.first + place) % _seats(desk) for place in range(_seats(desk)))
        lines = tuple(desk.words(_("{number}: {player}", number=seat + 1, player=Seat(seat))) for seat in order)
        return View(TextBody(desk.words(_("Seats")), lines), desk.words(_("B turns   * back")))

    def labels(self, desk: Context) -> Labels:
        """Say what each key does: the page shows it on the keys, and boards with few keys offer it."""
        back = desk.words(_("back"))
        return {"B": desk.words(_("turn")), "#": back, "h*": desk.words(_("home")), "*": back}


def _seats(desk: Context) -> int:
    return len(desk.at_the_table().session.header.players)
