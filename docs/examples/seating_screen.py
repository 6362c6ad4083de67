"""An example of a screen: who sits where, and the score sheet on `#`."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.text import Seat
from companion.ui.keys import Key
from companion.ui.screens.context import HOME, Context, Labels, Transition, leave, no
from companion.ui.screens.menu import MenuScreen, ScoresScreen
from companion.ui.translations import _
from companion.ui.view import TextBody, View


@dataclass(frozen=True, slots=True)
class SeatingScreen:
    """The players by seat.

    Attributes:
        menu: The menu that opened it.
    """

    menu: MenuScreen

    def press(self, key: Key, desk: Context) -> Transition:
        """Go back, go home, or open the score sheet."""
        if key == HOME:
            return leave(self)
        match key.name:
            case "*":
                return Transition(self.menu)
            case "#":
                return Transition(ScoresScreen(self.menu))
        return no(self, _("# shows the scores, * goes back"))

    def view(self, desk: Context) -> View:
        """Show a line for each seat."""
        seats = range(len(desk.at_the_table().session.header.players))
        lines = tuple(desk.words(_("{number}: {player}", number=seat + 1, player=Seat(seat))) for seat in seats)
        return View(TextBody(desk.words(_("Seats")), lines), desk.words(_("# scores   * back")))

    def labels(self, desk: Context) -> Labels:
        """Say what each key does; a page shows it on the keys, and boards with few keys offer it."""
        words = desk.words
        return {"#": words(_("scores")), "h*": words(_("home")), "*": words(_("back"))}
