"""Types a number that a rule needs: a target score or a number of rounds."""

from __future__ import annotations

from functools import cached_property, partial
from typing import Any

from msgspec.structs import replace

from companion.core.game import RuleOption, RuleValue
from companion.ui.answer_ids import numbered_name
from companion.ui.few_key_choices import BACK, Option, SelectableOptions, amounts
from companion.ui.translations import _
from companion.ui.view import TypingBody, View

from .context import Screen, ScreenContents, ScreenContext, Transition, refuse
from .list_selection import COLON
from .rule_values import ChosenRule, number_in
from .saved_drafts import SetUpDraft
from .screen_contents import KeyBinding, KeysOnlyContents, ListScreen, back_to, home_from

MOST = 999
"""The greatest number that a rule can have."""

WRONG = _("A number from 1 to {most}, please", most=MOST)


def valid(digits: str) -> bool:
    return digits.isdecimal() and 1 <= int(digits) <= MOST


class RulesScreenBase(ListScreen, frozen=True):
    """Base of the rules screen; typing a number returns to it without importing it."""

    @property
    def draft(self) -> SetUpDraft:
        raise NotImplementedError

    def with_value(self, rule: str, value: Any, context: ScreenContext) -> Screen:
        raise NotImplementedError


class NumberScreen(Screen, frozen=True):
    """Typing a number for a rule, or choosing another of its values; going back changes nothing."""

    agreeing: RulesScreenBase  # the rules screen as it was
    option: RuleOption
    place: int  # the choice that needs the number
    proposed: int
    typed: str

    @classmethod
    def of(
        cls,
        agreeing: RulesScreenBase,
        option: RuleOption,
        present: ChosenRule,
        place: int | None = None,
        typed: str = "",
    ) -> NumberScreen:
        """Return the screen that proposes the present number; without a place, the present choice or the first one."""
        if place is None:
            numbers = [place for place, choice in enumerate(option.choices) if choice.number is not None]
            place = present.choice if present.choice in numbers else numbers[0]
        value = present.value if present.choice == place else option.choices[place].value
        return cls(agreeing, option, place, number_in(value) or 1, typed)

    @property
    def draft(self) -> SetUpDraft:
        return replace(self.agreeing.draft, rule=self.option.name, place=self.place, typed=self.typed)

    @property
    def _others(self) -> dict[str, RuleValue]:
        """Return the other values of the rule, by their keys."""
        others = (choice for place, choice in enumerate(self.option.choices) if place != self.place)
        return dict(zip("ABCD", others, strict=False))

    def show(self, context: ScreenContext) -> ScreenContents:
        words, others = context.words, {key: context.words(choice.label) for key, choice in self._others.items()}
        choice = self.option.choices[self.place]
        settles = words(choice.with_number(int(self.typed or self.proposed)))
        colon = words(COLON)
        rows = [f"{key}{colon}{label}" for key, label in others.items()]
        pairs = ("   ".join(rows[first : first + 2]) for first in range(0, len(rows), 2))
        title = words(_("{rule}: {value}", rule=self.option.label, value=choice.label))
        body = TypingBody(title, self.typed, "", (f"#{colon}{settles}", *pairs))
        shorter = replace(self, typed=self.typed[:-1]) if self.typed else self.agreeing
        return _AmountContents(
            self,
            View(body, words(_("# OK   * back"))),
            (
                *(KeyBinding(digit, digit, partial(self._with, digit)) for digit in "0123456789"),
                *(KeyBinding(key, label, partial(self._other, key, context)) for key, label in others.items()),
                KeyBinding("#", settles, lambda: Transition(self.settled(context))),
                home_from(self, words),
                back_to(shorter, words),
            ),
            WRONG,
        )

    def _with(self, digit: str) -> Transition:
        typed = self.typed + digit
        return Transition(replace(self, typed=str(int(typed)))) if valid(typed) else refuse(self, WRONG)

    def _other(self, key: str, context: ScreenContext) -> Transition:
        """Return the transition to another value, or to typing its number."""
        choice = self._others[key]
        if choice.number is None:
            return Transition(self.agreeing.with_value(self.option.name, choice.value, context))
        proposed = number_in(choice.value) or 1
        return Transition(replace(self, place=self.option.choices.index(choice), proposed=proposed, typed=""))

    def settled(self, context: ScreenContext) -> Screen:
        """Return the rules with the typed number; with the proposed one if nothing was typed."""
        number = self.option.choices[self.place].number
        assert number is not None  # only such a choice opens this screen
        return self.agreeing.with_value(self.option.name, number(int(self.typed or self.proposed)), context)


class _AmountContents(KeysOnlyContents, frozen=True, dict=True):
    """The contents of typing a number; boards with few keys select it."""

    screen: NumberScreen

    @cached_property
    def ring(self) -> SelectableOptions:
        amount = self.screen
        others = [Option(self.labels[key], key) for key in amount._others]
        return amounts(MOST, int(amount.typed or amount.proposed), others, self.labels["*"])

    def answer(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of choosing a number, or of going back without it."""
        number = numbered_name("number", name)
        if number is None or not valid(str(number)):
            return Transition(self.screen.agreeing) if name == BACK else None
        return Transition(replace(self.screen, typed=str(number)).settled(context))
