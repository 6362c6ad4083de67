"""Gear's variants: the rules a table agrees on, and how they are offered at set-up."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType

from companion.core.errors import IllegalEvent
from companion.core.game import RuleOption, RuleValue
from companion.core.text import N_, Text

PLAYERS = range(2, 6)


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """When the game ends: after some rounds, or when somebody has reached a target; one of the two."""

    rounds: int | UnsetType = UNSET
    target: int | UnsetType = UNSET


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table agrees on before the first round.

    Attributes:
        auction: Whether the open hands are bid for; if not, it is the easy game.
        teams: Whether the seats opposite each other play together (4 players).
        ending: When the game ends.
    """

    auction: bool = True
    teams: bool = False
    ending: Ending = Ending(rounds=4)

    def check(self, seats: int) -> None:
        """Refuse rules that cannot be played by so many.

        Raises:
            IllegalEvent: A value is out of its range, or belongs to another number of players.
        """
        if self.teams and seats != 4:
            raise IllegalEvent("teams", N_("the game of pairs is for 4 players"))
        if (self.ending.rounds is UNSET) == (self.ending.target is UNSET):
            raise IllegalEvent("ending", N_("the ending is either rounds or a target"))
        if isinstance(self.ending.rounds, int) and self.ending.rounds < 1:
            raise IllegalEvent("ending", N_("a game has 1 round or more"))
        if isinstance(self.ending.target, int) and self.ending.target < 1:
            raise IllegalEvent("ending", N_("the target is 1 or more"))


OPTIONS = (
    RuleOption(
        "auction",
        Text(N_("Auction")),
        (RuleValue(Text(N_("with bids")), True), RuleValue(Text(N_("easy game")), False)),
        PLAYERS,
    ),
    RuleOption(
        "ending",
        Text(N_("Ending")),
        (
            RuleValue(Text(N_("rounds")), {"rounds": 4}, lambda number: {"rounds": number}),
            RuleValue(Text(N_("to a total")), {"target": 30}, lambda number: {"target": number}),
        ),
        PLAYERS,
    ),
    RuleOption(
        "teams",
        Text(N_("Teams")),
        (RuleValue(Text(N_("each alone")), False), RuleValue(Text(N_("in pairs")), True)),
        range(4, 5),
    ),
)
