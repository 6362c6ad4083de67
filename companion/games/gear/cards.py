"""Cards of Gear: the deck, its two colours, and the game's constants."""

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
"""Points of each player at the start of the game."""


def rank_sign(rank: int) -> str:
    return "A" if rank == ACE else str(rank)


def _card(suit: Suit, rank: int, place: int) -> Card:
    # Two bits per card hold its number of copies, 0 to 2, in a bag of cards (see `hands`).
    sign = rank_sign(rank)
    return Card(f"{suit.name}-{sign}", suit, rank, 1 << 2 * place, (str(rank % 10),), figure=sign)


DECK = Deck(_card(suit, rank, 10 * number + rank - 1) for number, suit in enumerate(SUITS) for rank in range(1, 11))
"""Every card once; the game has two copies of each."""
