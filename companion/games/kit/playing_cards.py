"""Playing cards: the French suits, the keys of their ranks, and decks made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.core.cards import Card, Suit
from companion.core.text import NC_

CLUBS = Suit("clubs", NC_("playing cards", "Clubs"), (0, 200, 40))
DIAMONDS = Suit("diamonds", NC_("playing cards", "Diamonds"), (255, 120, 0))
HEARTS = Suit("hearts", NC_("playing cards", "Hearts"), (255, 20, 20))
SPADES = Suit("spades", NC_("playing cards", "Spades"), (60, 90, 255))
FRENCH_SUITS = {suit.name: suit for suit in (CLUBS, DIAMONDS, HEARTS, SPADES)}

RANK_KEYS = {"10": ("0", "10"), "J": ("11",), "Q": ("12",), "K": ("13",), "A": ("1", "14")}
"""What is typed for ranks that are not their own digit; the usual keys first. ``1`` alone is completed by ``#``."""


def keys_of(rank: str, ranks: Sequence[str]) -> tuple[str, ...]:
    """Return the keys of a rank; 0 is a 10 only where no rank is 0 and none is above 10 but J, Q, K and A.

    >>> keys_of("J", ("10", "J")), keys_of("10", ("10", "13")), keys_of("7", ("7",))
    (('11',), ('10',), ('7',))
    """
    numbered = any(each.isdigit() and (int(each) > 10 or int(each) == 0) for each in ranks)
    return (rank,) if numbered and rank.isdigit() else RANK_KEYS.get(rank, (rank,))


def ranked_cards(suits: Iterable[Suit], ranks: Sequence[str]) -> list[Card]:
    """Return a card for each suit and rank, in order; the ranks from the lowest to the highest.

    >>> [card.name for card in ranked_cards((CLUBS,), ("Q", "K"))]
    ['clubs-Q', 'clubs-K']
    """
    pairs = [(suit, place, rank) for suit in suits for place, rank in enumerate(ranks)]
    return [
        Card(f"{suit.name}-{rank}", suit, strength, 1 << bit, keys_of(rank, ranks), figure=rank)
        for bit, (suit, strength, rank) in enumerate(pairs)
    ]
