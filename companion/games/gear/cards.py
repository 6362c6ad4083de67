"""Gear's colours, cards and numbers."""

from __future__ import annotations

from companion.core.cards import Card, Deck, Suit
from companion.core.text import N_

RED = Suit("red", N_("Red"), (255, 20, 0))
BLACK = Suit("black", N_("Black"), (255, 255, 255))
SUITS = (RED, BLACK)
COPIES = 2
ACE, TEN = 1, 10
ACES = 4
HAND = 8
OPEN = 6
POINTS = 5
"""What each player starts the game with."""


def rank_sign(rank: int) -> str:
    """Return a rank as it stands on the card."""
    return "A" if rank == ACE else str(rank)


def _card(suit: Suit, rank: int, place: int) -> Card:
    # Two bits a card: it is there twice, so that a number can hold any of a round's cards with their copies.
    sign = rank_sign(rank)
    return Card(f"{suit.name}-{sign}", suit, rank, 1 << 2 * place, (str(rank % 10),), figure=sign)


DECK = Deck(_card(suit, rank, 10 * number + rank - 1) for number, suit in enumerate(SUITS) for rank in range(1, 11))
"""Every card once; each is there twice."""
