"""Options of East Rune: rule variants, their checks, and the choices offered at set-up."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.core.cards import Card
from companion.core.text import N_, IllegalEventError
from companion.games.kit import NO_YES, option

from .cards import ATTRIBUTE_OF, BLANK, MINERAL, SACRED

PLAYERS = range(2, 5)
WITH_CHAIRS = range(3, 5)
"""Numbers of players who turn up chairs; two players turn up monarchs instead."""


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Options: East Rune rule variants chosen at set-up."""

    # whether monarchs are laid only on a chair of their virtue, or like any character
    monarchs: Literal["claimed", "playable"] = "claimed"
    blank_chair: bool = False  # whether the blank chair is in the deck
    blank_character: bool = False  # whether the blank character is dealt with the others
    sacred_is_mineral: bool = False  # whether these two attributes count as the same in a chain

    def check(self, seats: int) -> None:
        """Raise if the rules do not fit the number of players."""
        if seats == 2 and self != Rules(sacred_is_mineral=self.sacred_is_mineral):
            raise IllegalEventError("variant", N_("for 2 players there is one variant: sacred = mineral"))

    @property
    def always_claimed(self) -> bool:
        """Return whether somebody always holds a monarch for the chair that is turned up."""
        return self.monarchs == "claimed" and not self.blank_chair

    def same(self, one: Card, other: Card) -> bool:
        """Return whether two characters share an attribute, so that the turn may go on."""
        if BLANK in (one, other):
            return True
        first, second = ATTRIBUTE_OF[one], ATTRIBUTE_OF[other]
        return first is second or (self.sacred_is_mineral and {first, second} == {SACRED, MINERAL})


OPTIONS = (
    option("monarchs", N_("Monarchs"), WITH_CHAIRS, {"claimed": N_("on chairs only"), "playable": N_("like any card")}),
    option("blank_chair", N_("Blank chair"), WITH_CHAIRS, NO_YES),
    option("blank_character", N_("Blank character"), WITH_CHAIRS, NO_YES),
    option("sacred_is_mineral", N_("Sacred = mineral"), PLAYERS, NO_YES),
)
