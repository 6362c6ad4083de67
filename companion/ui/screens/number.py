"""Typing the number that a rule of a new game needs: a target, or how many rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.game import RuleValue
from companion.ui.keys import Key
from companion.ui.translations import _
from companion.ui.view import TypingBody, View

from .context import HOME, Context, Labels, Transition, leave, no
from .rule_values import ChosenRule, number_in

if TYPE_CHECKING:
    from .setup import RulesScreen

MOST = 999
"""The greatest number a rule can be given."""


@dataclass(frozen=True, slots=True)
class NumberScreen:
    """Typing the number a rule needs.

    Attributes:
        agreeing: The rules, with what is proposed.
        option: The rule, by its place.
        choice: The choice that needs the number.
        typed: Its digits so far.
    """

    agreeing: RulesScreen
    option: int
    choice: RuleValue
    typed: str

    def press(self, key: Key, desk: Context) -> Transition:
        """Type a digit, take one back, or settle the number."""
        if key == HOME:
            return leave(self)
        if key == Key("*"):
            return Transition(replace(self, typed=self.typed[:-1]) if self.typed else self.agreeing)
        if key == Key("#"):
            if not self.typed:
                return Transition(self.agreeing)
            assert self.choice.number is not None  # else no number would be typed
            pick = ChosenRule(self.agreeing.picks[self.option].choice, self.choice.number(int(self.typed)))
            return Transition(self.agreeing.picking(self.option, pick, desk))
        typed = self.typed + key.name
        if key.held or not typed.isdigit() or not 1 <= int(typed) <= MOST:
            return no(self, _("A number from 1 to {most}, please", most=MOST))
        return Transition(replace(self, typed=str(int(typed))))

    def view(self, desk: Context) -> View:
        """Show the number so far, or what is proposed."""
        words = desk.words
        proposed = number_in(self.choice.value)
        help_line = words(_("# alone: {number}", number=proposed))
        return View(
            TypingBody(words(self.choice.label), self.typed, "", (help_line,)),
            words(_("# OK   * back")),
        )

    def labels(self, desk: Context) -> Labels:
        """Say what each key does."""
        words = desk.words
        leaving = {"h*": words(_("home")), "*": words(_("back"))}
        return {**{digit: digit for digit in "0123456789"}, "#": words(_("OK")), **leaving}
