"""Options of Gear: rule variants, their checks, and the choices offered at set-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from companion.core.game import RuleOption, RuleValue
from companion.core.text import N_, NN_, IllegalEventError, Text
from companion.games.kit import Ending, option, to_a_total

PLAYERS = range(2, 6)


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Options: Gear rule variants chosen at set-up."""

    auction: bool = True  # whether players bid for the open hands; if not, it is the easy game
    teams: bool = False  # whether opposite seats play as partners (4 players)
    ending: Ending = Ending(rounds=4)

    def check(self, seats: int) -> None:
        """Raise if the rules do not fit the number of players."""
        if self.teams and seats != 4:
            raise IllegalEventError("teams", N_("the game of pairs is for 4 players"))
        self.ending.check()
        if isinstance(self.ending.rounds, int) and self.ending.rounds < 1:
            raise IllegalEventError("ending", N_("a game has 1 round or more"))


ROUNDS = RuleValue(
    Text(N_("rounds")), {"rounds": 4}, lambda number: {"rounds": number}, NN_("{count} round", "{count} rounds")
)
OPTIONS = (
    option("auction", N_("Auction"), PLAYERS, {True: N_("with bids"), False: N_("easy game")}),
    RuleOption("ending", Text(N_("Ending")), (ROUNDS, to_a_total(30)), PLAYERS),
    option("teams", N_("Teams"), range(4, 5), {False: N_("each alone"), True: N_("in pairs")}),
)


def sides(seats: int, rules: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side: opposite seats if they are partners, else each alone."""
    if rules.get("teams") and seats == 4:
        return (0, 2), (1, 3)
    return tuple((seat,) for seat in range(seats))
