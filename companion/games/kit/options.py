"""Helpers for set-up options: yes/no and list options, and the end of a game after n rounds or at a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from companion.core.game import RuleOption, RuleValue
from companion.core.text import N_, IllegalEventError, Text

NO_YES = {False: N_("no"), True: N_("yes")}


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """Option: the game ends after a number of rounds, or once a player reaches a target; exactly one is set.

    >>> Ending(rounds=3).reached(3, (12, 9)), Ending(target=20).reached(3, (12, 9))
    (True, False)
    """

    rounds: int | UnsetType = UNSET
    target: int | UnsetType = UNSET

    def check(self) -> None:
        """Raise if both or neither are set, or if the target is below 1."""
        if (self.rounds is UNSET) == (self.target is UNSET):
            raise IllegalEventError("ending", N_("the ending is either rounds or a target"))
        if isinstance(self.target, int) and self.target < 1:
            raise IllegalEventError("ending", N_("the target is 1 or more"))

    def reached(self, finished: int, totals: Sequence[int]) -> bool:
        """Return whether the game is over after this number of finished rounds, with these totals."""
        return max(totals) >= self.target if isinstance(self.target, int) else finished == self.rounds


def to_a_total(proposed: int) -> RuleValue:
    """Return the option value "to a total", whose target is typed."""
    return RuleValue(Text(N_("to a total")), {"target": proposed}, lambda number: {"target": number}, N_("to {count}"))


def option(
    name: str,
    label: str,
    seats: range,
    words: Mapping[Any, str],
    proposed: Callable[[str, Mapping[str, Any]], Any] | None = None,
) -> RuleOption:
    """Return a set-up option with a fixed list of values, by their names' templates; the first is the default."""
    choices = tuple(RuleValue(Text(word), value) for value, word in words.items())
    return RuleOption(name, Text(label), choices, seats, proposed)
