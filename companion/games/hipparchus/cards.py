"""Hipparchus's cards, rules and events: what is laid and captured, and what can be said of it."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from companion.core.cards import Suit
from companion.core.events import Event
from companion.core.game import RuleOption
from companion.core.text import N_, NC_

SUN = Suit("sun", N_("Sun"), (255, 140, 0))
MOON = Suit("moon", N_("Moon"), (150, 150, 255))
EARTH = Suit("earth", NC_("planet", "Earth"), (0, 200, 40), sign="globe")
SUITS = (SUN, MOON, EARTH)
PLACE = {suit.name: place for place, suit in enumerate(SUITS)}

PLAYERS = range(2, 3)
IN_SUIT = 10
HAND = 14
DEALT = 2 * HAND
MOST = 3
"""How many cards a play can have (Hipparchus, a trick)."""
WINS = 2
"""How many rounds win the game (Hipparchus, end)."""

SuitName = Literal["sun", "moon", "earth"]
SUIT_NAMES: tuple[SuitName, ...] = ("sun", "moon", "earth")
Counts = tuple[int, int, int]
"""Cards of each suit, in the order of the suits."""


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """There is nothing to agree on."""


OPTIONS: tuple[RuleOption, ...] = ()


class Play(Event, frozen=True, tag="play"):
    """One to three cards of a suit."""

    player: int
    suit: SuitName
    count: int


class Stuck(Event, frozen=True, tag="stuck"):
    """The second player cannot lay anything; the round ends."""

    player: int


class Captured(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The cards of a trick; a suit that is not named has none."""

    sun: int = 0
    moon: int = 0
    earth: int = 0

    @property
    def counts(self) -> Counts:
        """Return the cards by suit."""
        return (self.sun, self.moon, self.earth)


class Trick(Event, frozen=True, tag="trick"):
    """A whole trick: its winner, and all its cards."""

    winner: int
    captured: Captured


class End(Event, frozen=True, tag="end"):
    """A round is over whose tricks were entered whole."""


class Pile(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player has captured in a round, every suit named."""

    sun: int
    moon: int
    earth: int

    @property
    def counts(self) -> Counts:
        """Return the cards by suit."""
        return (self.sun, self.moon, self.earth)


class Round(Event, frozen=True, tag="round"):
    """A whole round: both piles, and who laid second in the last completed trick if that was said."""

    captured: tuple[Pile, Pile]
    second: int | UnsetType = UNSET


EVENTS = (Play, Stuck, Trick, End, Round)
