"""Rules that tables agree on: set-up options, and the end of a game after some rounds or at a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from companion.core.errors import IllegalEvent
from companion.core.game import RuleOption, RuleValue
from companion.core.text import N_, Text

NO_YES = {False: N_("no"), True: N_("yes")}


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """When the game ends: after some rounds, or when somebody has reached a target; one of the two."""

    rounds: int | UnsetType = UNSET
    target: int | UnsetType = UNSET

    def check(self) -> None:
        """Refuse an ending that says both or neither, or a target below 1.

        Raises:
            Refused: ``ending``.
        """
        if (self.rounds is UNSET) == (self.target is UNSET):
            raise IllegalEvent("ending", N_("the ending is either rounds or a target"))
        if isinstance(self.target, int) and self.target < 1:
            raise IllegalEvent("ending", N_("the target is 1 or more"))

    def reached(self, finished: int, totals: Sequence[int]) -> bool:
        """Tell whether the game is over after some finished rounds with these totals."""
        return max(totals) >= self.target if isinstance(self.target, int) else finished == self.rounds


def to_a_total(proposed: int) -> RuleValue:
    """Return the choice of a target that is typed."""
    return RuleValue(Text(N_("to a total")), {"target": proposed}, lambda number: {"target": number})


def option(
    name: str,
    label: str,
    seats: range,
    words: Mapping[Any, str],
    proposed: Callable[[str, Mapping[str, Any]], Any] | None = None,
) -> RuleOption:
    """Return an option of a few values.

    Args:
        name: The rule's key in a log's header.
        label: The template of its name.
        seats: For how many players it is asked.
        words: The template of each value; the first is the default.
        proposed: Makes the value proposed at set-up; see ``RuleOption``.
    """
    choices = tuple(RuleValue(Text(word), value) for value, word in words.items())
    return RuleOption(name, Text(label), choices, seats, proposed)
