"""Types a number that a rule needs: a target score or a number of rounds."""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any

from msgspec.structs import replace

from companion.core.game import RuleValue
from companion.ui.answer_names import numbered_name
from companion.ui.few_key_choices import BACK, SelectableOptions, amounts
from companion.ui.translations import _
from companion.ui.view import TypingBody, View

from .context import Screen, ScreenContents, ScreenContext, Transition, refuse
from .drafts import SetUpDraft
from .rule_values import number_in
from .screen_contents import KeyBinding, KeysOnlyContents, ListScreen, back_to, home_from

MOST = 999
"""The greatest number that a rule can have."""

WRONG = _("A number from 1 to {most}, please", most=MOST)


def valid(digits: str) -> bool:
    return digits.isdecimal() and 1 <= int(digits) <= MOST


class RulesScreenProtocol(ListScreen, frozen=True):
    """Base of the rules screen; typing a number returns to it without importing it."""

    @property
    def draft(self) -> SetUpDraft:
        raise NotImplementedError

    def with_value(self, rule: str, value: Any, context: ScreenContext) -> Screen:
        raise NotImplementedError


class NumberScreen(Screen, frozen=True):
    """Typing a number for a rule."""

    agreeing: RulesScreenProtocol  # the rules screen, with the proposed number
    rule: str
    choice: RuleValue  # the choice that needs the number
    typed: str

    @property
    def draft(self) -> SetUpDraft:
        return replace(self.agreeing.draft, rule=self.rule, typed=self.typed)

    def show(self, context: ScreenContext) -> ScreenContents:
        words, proposed = context.words, number_in(self.choice.value)
        body = TypingBody(words(self.choice.label), self.typed, "", (words(_("# alone: {number}", number=proposed)),))
        shorter = replace(self, typed=self.typed[:-1]) if self.typed else self.agreeing
        return _AmountContents(
            self,
            View(body, words(_("# OK   * back"))),
            (
                *(KeyBinding(digit, digit, partial(self._with, digit)) for digit in "0123456789"),
                KeyBinding("#", words(_("OK")), lambda: Transition(self.settled(context))),
                home_from(self, words),
                back_to(shorter, words),
            ),
            WRONG,
        )

    def _with(self, digit: str) -> Transition:
        typed = self.typed + digit
        return Transition(replace(self, typed=str(int(typed)))) if valid(typed) else refuse(self, WRONG)

    def settled(self, context: ScreenContext) -> Screen:
        """Return the rules with the typed number; with the proposed one if nothing was typed."""
        if not self.typed:
            return self.agreeing
        assert self.choice.number is not None  # only such a choice opens this screen
        return self.agreeing.with_value(self.rule, self.choice.number(int(self.typed)), context)


class _AmountContents(KeysOnlyContents, frozen=True, dict=True):
    """The contents of typing a number; boards with few keys select it."""

    screen: NumberScreen

    @cached_property
    def ring(self) -> SelectableOptions:
        amount = self.screen
        return amounts(MOST, number_in(amount.choice.value) or 1, amount.typed, self.labels["*"])

    def answer(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of choosing a number, or of going back without it."""
        number = numbered_name("number", name)
        if number is None or not valid(str(number)):
            return Transition(self.screen.agreeing) if name == BACK else None
        return Transition(replace(self.screen, typed=str(number)).settled(context))
