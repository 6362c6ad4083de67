"""Cards of Eternity: suits, deck and tokens, and the limits on tricks, pledges and trees in a round."""

from __future__ import annotations

from typing import Literal

from companion.core.cards import Card, Deck, Suit
from companion.core.text import N_

SEA = Suit("sea", N_("Sea"), (0, 70, 255))
SKY = Suit("sky", N_("Sky"), (255, 30, 0))
EARTH = Suit("earth", N_("Earth"), (0, 200, 40))
SUITS = (SEA, SKY, EARTH)
PLACE = {suit: place for place, suit in enumerate(SUITS)}
DECK = Deck.ranked(SUITS, range(1, 15))
TOKENS = 18

SuitName = Literal["sea", "sky", "earth"]


def trees_on(card: Card) -> int:
    """Return a card's pledge value in trees: 0, 1 or 2."""
    return (card.rank >= 5) + (card.rank >= 10)


def tricks_in_round(seats: int) -> int:
    return {2: 7, 5: 8}.get(seats, 10)


def pledges_in_trick(seats: int) -> int:
    """Return the number of pledges allowed in one trick (Eternity, a trick)."""
    return 2 if seats == 5 else 1


def most_trees(seats: int, limited: bool) -> int:
    """Return the most trees that all pledges of a round can be worth.

    All could be made with the most valuable cards: 15 cards are worth two trees, 15 one.
    """
    pledges = tricks_in_round(seats) * pledges_in_trick(seats)
    worth = min(pledges, 15) * 2 + max(pledges - 15, 0)
    return min(worth, TOKENS) if limited else worth


def most_trees_of_seat(seats: int, won: int) -> int:
    """Return the most trees a seat can have that won some tricks.

    With more than 2 players, nobody can win a trick in which they pledge.
    """
    return 2 * (tricks_in_round(seats) - (0 if seats == 2 else won))
