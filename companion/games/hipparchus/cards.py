"""Cards of Hipparchus: suits and constants. There are no ranks; a play is a suit and a number of cards."""

from __future__ import annotations

from typing import Literal

from companion.core.cards import Suit
from companion.core.text import N_, NC_, NN_, Text

SUN = Suit("sun", N_("Sun"), (255, 140, 0))
MOON = Suit("moon", N_("Moon"), (150, 150, 255))
EARTH = Suit("earth", NC_("planet", "Earth"), (0, 200, 40), sign="globe")
SUITS = (SUN, MOON, EARTH)
PLACE = {suit.name: place for place, suit in enumerate(SUITS)}
IN_SUIT = 10
HAND = 14
DEALT = 2 * HAND
MOST = 3
"""Most cards in one play (Hipparchus, a trick)."""
WINS = 2
"""Number of rounds that wins the game (Hipparchus, end)."""

SuitName = Literal["sun", "moon", "earth"]
SUIT_NAMES: tuple[SuitName, ...] = ("sun", "moon", "earth")
_PLAYS = (
    NN_("{count} sun", "{count} suns"),
    NN_("{count} moon", "{count} moons"),
    NN_("{count} earth", "{count} earths"),
)

Counts = tuple[int, int, int]
"""Number of cards of each suit, in the order of `SUITS`."""


def cards_text(count: int, suit: str) -> Text:
    """Return a number of cards of one suit in words.

    >>> str(cards_text(2, "moon"))
    '2 moons'
    """
    return Text(_PLAYS[PLACE[suit]], count=count)
