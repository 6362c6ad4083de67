"""Eternity's variants: the rules a table agrees on, and how they are offered at set-up."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from companion.core.errors import IllegalEvent
from companion.core.game import RuleOption, RuleValue
from companion.core.text import N_, Text, joined

from .cards import PLACE, SUITS, SuitName

PLAYERS = range(2, 6)


class Ending(Struct, frozen=True, forbid_unknown_fields=True):
    """When the game ends: after three rounds, or when somebody has reached a target; one of the two."""

    rounds: int | UnsetType = UNSET
    target: int | UnsetType = UNSET


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table agrees on before the first round.

    Attributes:
        edition: The Japanese or the French rules.
        tiles: The trump tiles from left to right.
        ending: When the game ends.
        neutral: Where the neutral pairs after the first go (2 players).
        tokens: What happens when the 18 trees run out.
    """

    edition: Literal["jp", "fr"] = "jp"
    tiles: tuple[SuitName, SuitName, SuitName] = ("sea", "sky", "earth")
    ending: Ending = Ending(rounds=3)
    neutral: Literal["aside", "columns"] = "aside"
    tokens: Literal["substitute", "limited"] = "substitute"

    def check(self, seats: int) -> None:
        """Refuse rules that cannot be played by so many.

        Raises:
            IllegalEvent: A value is out of its range, or belongs to another number of players.
        """
        if len(set(self.tiles)) < len(self.tiles):
            raise IllegalEvent("tiles", N_("the tiles are sea, sky and earth, each once"))
        if (self.ending.rounds is UNSET) == (self.ending.target is UNSET):
            raise IllegalEvent("ending", N_("the ending is either rounds or a target"))
        if self.ending.rounds is not UNSET and self.ending.rounds != 3:
            raise IllegalEvent("ending", N_("a game by rounds has 3 rounds"))
        if self.ending.target is not UNSET and self.ending.target < 1:
            raise IllegalEvent("ending", N_("the target is 1 or more"))
        if self.neutral != "aside" and seats != 2:
            raise IllegalEvent("neutral", N_("the neutral pairs are for 2 players"))

    @property
    def target(self) -> int | None:
        """Return the total to reach, or None in a game by rounds."""
        return None if isinstance(self.ending.target, UnsetType) else self.ending.target

    def left_to_right(self) -> tuple[int, ...]:
        """Return the suits' places in the order of their tiles."""
        return tuple(next(PLACE[suit] for suit in SUITS if suit.name == name) for name in self.tiles)


def _order(*names: SuitName) -> RuleValue:
    return RuleValue(joined(next(suit for suit in SUITS if suit.name == name) for name in names), names)


OPTIONS = (
    RuleOption(
        "edition",
        Text(N_("Edition")),
        (RuleValue(Text(N_("Japanese")), "jp"), RuleValue(Text(N_("French")), "fr")),
        PLAYERS,
        lambda language, _rules: "fr" if language == "fr" else "jp",
    ),
    RuleOption(
        "ending",
        Text(N_("Ending")),
        (
            RuleValue(Text(N_("3 rounds")), {"rounds": 3}),
            RuleValue(Text(N_("to a total")), {"target": 20}, lambda number: {"target": number}),
        ),
        PLAYERS,
    ),
    RuleOption(
        "tiles",
        Text(N_("Tiles")),
        (
            _order("sea", "sky", "earth"),
            _order("sea", "earth", "sky"),
            _order("sky", "sea", "earth"),
            _order("sky", "earth", "sea"),
            _order("earth", "sea", "sky"),
            _order("earth", "sky", "sea"),
        ),
        PLAYERS,
    ),
    RuleOption(
        "tokens",
        Text(N_("Trees out")),
        (RuleValue(Text(N_("substitute")), "substitute"), RuleValue(Text(N_("limited")), "limited")),
        PLAYERS,
    ),
    RuleOption(
        "neutral",
        Text(N_("Later pairs")),
        (RuleValue(Text(N_("aside")), "aside"), RuleValue(Text(N_("columns")), "columns")),
        range(2, 3),
        lambda _language, rules: "columns" if rules["edition"] == "fr" else "aside",
    ),
)
