"""Probabilities that a hidden hand holds or lacks cards, given those that were seen."""

from __future__ import annotations

from functools import lru_cache
from math import comb, log

IMPOSSIBLE = log(1e-4)
"""Natural logarithm for an event that an honest hand cannot make; people do it all the same."""


@lru_cache(maxsize=65536)
def lacks(cards: int, wanted: int, hand: int) -> float:
    """Return the probability that a hand holds none of some cards.

    >>> lacks(4, 2, 1)
    0.5
    """
    hand = min(hand, cards)
    return comb(cards - wanted, hand) / comb(cards, hand)


@lru_cache(maxsize=65536)
def holds(cards: int, wanted: int, hand: int, least: int) -> float:
    """Return the probability that a hand holds at least some number of the wanted cards.

    >>> holds(4, 2, 2, 1)
    0.8333333333333334
    """
    hand = min(hand, cards)
    ways = sum(comb(wanted, held) * comb(cards - wanted, hand - held) for held in range(least, min(wanted, hand) + 1))
    return ways / comb(cards, hand)


def logarithm(probability: float) -> float:
    """Return the natural logarithm of a probability; `IMPOSSIBLE` at least."""
    return max(IMPOSSIBLE, log(probability)) if probability > 0 else IMPOSSIBLE
