"""Rule values at set-up: what the players chose, else the default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, to_builtins

from companion.core.game import LogHeader, RuleOption
from companion.core.text import Text
from companion.gamelog import encode


class ChosenRule(Struct, frozen=True):
    """The value of a rule, and whether the players chose it."""

    choice: int  # the index of the choice among the option's choices
    value: Any  # the value, as in a log's header
    agreed: bool = True  # whether the players chose it, now or last time; otherwise it is only proposed


def agreed_before(options: tuple[RuleOption, ...], header: LogHeader) -> dict[str, ChosenRule]:
    """Return the values of an earlier game by option name, without options that its number of players does not have."""
    rules, seats = to_builtins(header.rules), len(header.players)
    known = {option.name: rule_with(option, rules[option.name]) for option in options if seats in option.seats}
    return {name: pick for name, pick in known.items() if pick is not None}


def rule_with(option: RuleOption, value: Any) -> ChosenRule | None:
    """Return the choice with a value; None if there is none."""
    for place, choice in enumerate(option.choices):
        if encode(choice.value) == encode(value):
            return ChosenRule(place, choice.value)
        number = number_in(value)
        if choice.number is not None and number is not None and choice.number(number) == value:
            return ChosenRule(place, value)
    return None


def number_in(value: Any) -> int | None:
    inner = next(iter(value.values()), None) if isinstance(value, dict) else value
    return inner if isinstance(inner, int) else None


def label_of(option: RuleOption, pick: ChosenRule) -> Text:
    """Return the words for a value, with its number if it has one."""
    choice = option.choices[pick.choice]
    number = number_in(pick.value) if choice.number is not None else None
    return choice.label if number is None else choice.with_number(number)


def picked(options: tuple[RuleOption, ...], agreed: Mapping[str, ChosenRule], language: str) -> tuple[ChosenRule, ...]:
    """Return a value for each option: the agreed one, else the game's proposal."""
    picks: dict[str, ChosenRule] = {}
    for option in options:
        values = {name: pick.value for name, pick in picks.items()}
        picks[option.name] = agreed.get(option.name) or _proposal(option, language, values)
    return tuple(picks.values())


def _proposal(option: RuleOption, language: str, values: Mapping[str, Any]) -> ChosenRule:
    wanted = option.choices[0].value if option.proposed is None else option.proposed(language, values)
    place = next(place for place, choice in enumerate(option.choices) if choice.value == wanted)
    return ChosenRule(place, wanted, agreed=False)
