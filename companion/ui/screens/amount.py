"""Typing the number that a rule of a new game needs: a target, or how many rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.game import Choice
from companion.ui.keys import Key
from companion.ui.view import Typing, View
from companion.ui.words import _

from .desk import HOME, Desk, Labels, Move, leave, no
from .picks import Pick, number_in

if TYPE_CHECKING:
    from .setup import Agreeing

MOST = 999
"""The greatest number a rule can be given."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Typing the number a rule needs.

    Attributes:
        agreeing: The rules, with what is proposed.
        option: The rule, by its place.
        choice: The choice that needs the number.
        typed: Its digits so far.
    """

    agreeing: Agreeing
    option: int
    choice: Choice
    typed: str

    def press(self, key: Key, desk: Desk) -> Move:
        """Type a digit, take one back, or settle the number."""
        if key == HOME:
            return leave(self)
        if key == Key("*"):
            return Move(replace(self, typed=self.typed[:-1]) if self.typed else self.agreeing)
        if key == Key("#"):
            if not self.typed:
                return Move(self.agreeing)
            assert self.choice.number is not None  # else no number would be typed
            pick = Pick(self.agreeing.picks[self.option].choice, self.choice.number(int(self.typed)))
            return Move(self.agreeing.picking(self.option, pick, desk))
        typed = self.typed + key.name
        if key.held or not typed.isdigit() or not 1 <= int(typed) <= MOST:
            return no(self, _("A number from 1 to {most}, please", most=MOST))
        return Move(replace(self, typed=str(int(typed))))

    def view(self, desk: Desk) -> View:
        """Show the number so far, or what is proposed."""
        words = desk.words
        proposed = number_in(self.choice.value)
        help_line = words(_("# alone: {number}", number=proposed))
        return View(
            Typing(words(self.choice.label), self.typed, "", (help_line,)),
            words(_("# OK   * back")),
        )

    def labels(self, desk: Desk) -> Labels:
        """Say what each key does."""
        words = desk.words
        leaving = {"h*": words(_("home")), "*": words(_("back"))}
        return {**{digit: digit for digit in "0123456789"}, "#": words(_("OK")), **leaving}
