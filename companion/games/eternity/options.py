"""Options of Eternity: rule variants, their checks, and the choices offered at set-up."""

from __future__ import annotations

from itertools import permutations
from typing import Literal, get_args

from msgspec import UNSET, Struct, UnsetType

from companion.core.game import RuleOption, RuleValue
from companion.core.text import N_, IllegalEventError, Text, joined
from companion.games.kit import Ending, option, to_a_total

from .cards import SUITS, SuitName

PLAYERS = range(2, 6)

PLACES = {suit.name: place for place, suit in enumerate(SUITS)}
"""The indices of the suits, by their names."""


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Options: Eternity rule variants chosen at set-up."""

    edition: Literal["jp", "fr"] = "jp"
    tiles: tuple[SuitName, SuitName, SuitName] = ("sea", "sky", "earth")  # the trump tiles from left to right
    ending: Ending = Ending(rounds=3)
    # where all neutral pairs but the first go: aside or to the columns (2 players)
    neutral: Literal["aside", "columns"] = "aside"
    # whether substitutes are used once the 18 tree tokens run out, or trees are limited to 18
    tokens: Literal["substitute", "limited"] = "substitute"

    def check(self, seats: int) -> None:
        """Raise if the rules do not fit the number of players."""
        if len(set(self.tiles)) < len(self.tiles):
            raise IllegalEventError("tiles", N_("the tiles are sea, sky and earth, each once"))
        self.ending.check()
        if self.ending.rounds not in (UNSET, 3):
            raise IllegalEventError("ending", N_("a game by rounds has 3 rounds"))
        if self.neutral != "aside" and seats != 2:
            raise IllegalEventError("neutral", N_("the neutral pairs are for 2 players"))

    @property
    def target(self) -> int | None:
        """Return the total to reach, or None in a game by rounds."""
        return None if isinstance(self.ending.target, UnsetType) else self.ending.target

    def left_to_right(self) -> tuple[int, ...]:
        """Return the suits' indices in the order of their tiles."""
        return tuple([PLACES[name] for name in self.tiles])


def _order(names: tuple[SuitName, ...]) -> RuleValue:
    return RuleValue(joined(next(suit for suit in SUITS if suit.name == name) for name in names), names)


OPTIONS = (
    option(
        "edition",
        N_("Edition"),
        PLAYERS,
        {"jp": N_("Japanese"), "fr": N_("French")},
        lambda language, _rules: "fr" if language == "fr" else "jp",
    ),
    RuleOption("ending", Text(N_("Ending")), (RuleValue(Text(N_("3 rounds")), {"rounds": 3}), to_a_total(20)), PLAYERS),
    RuleOption("tiles", Text(N_("Tiles")), tuple(map(_order, permutations(get_args(SuitName)))), PLAYERS),
    option("tokens", N_("Trees"), PLAYERS, {"substitute": N_("unlimited"), "limited": N_("18 at most")}),
    option(
        "neutral",
        N_("Neutral pairs"),
        range(2, 3),
        {"aside": N_("aside"), "columns": N_("columns")},
        lambda _language, rules: "columns" if rules["edition"] == "fr" else "aside",
    ),
)
