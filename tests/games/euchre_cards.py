"""Example of a trick game as a package: Euchre, in which the jacks of the trump's colour are the highest cards."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.cards import Card, Deck, Suit
from companion.games.kit.tricks import FRENCH_SUITS, other_of_colour, ranked_cards
from companion.games.trick_game import Figures, trick_game

INTERFACE = 1
SUITS = (*FRENCH_SUITS.values(),)
DECK = Deck(ranked_cards(SUITS, ("9", "10", "J", "Q", "K", "A")))


def suit_of(card: Card, trump: Suit | None) -> Suit:
    """Return the suit that a card belongs to: the jack of the trump's colour is a trump."""
    is_bower = trump is not None and card.figure == "J" and card.suit is other_of_colour(trump, SUITS)
    return trump if trump is not None and is_bower else card.suit


def beats(card: Card, best: Card, trump: Suit | None) -> bool:
    """Return whether a card beats the best one laid before it."""
    if suit_of(card, trump) is not suit_of(best, trump):
        return suit_of(card, trump) is trump
    mine, other = (
        (each.figure == "J" and suit_of(each, trump) is trump, each.suit is trump, each.rank) for each in (card, best)
    )
    return mine > other if mine[0] or other[0] else card.rank > best.rank


def score(figures: Figures) -> Sequence[int]:
    """Return the points: 1 for the makers, 2 for all tricks, alone 4; 2 for the others if they win fewer than three."""
    makers = [any(figures["maker"][seat % 2 :: 2]) for seat in range(4)]
    won = sum(tricks for tricks, makes in zip(figures["tricks"], makers, strict=True) if makes)
    made = 0 if won < 3 else 1 if won < 5 else 4 if any(figures["alone"]) else 2
    return [0 if not any(makers) else made if makes else 2 * (won < 3) for makes in makers]


EUCHRE = trick_game(
    DECK,
    suit_of,
    beats,
    hand=5,
    before=[
        {"name": "maker", "kind": "seat", "nobody": "passed out"},
        {"name": "alone", "kind": "choice", "per": "round", "when": "any(maker)", "choices": {"no": 0, "yes": 1}},
    ],
    score=score,
    when="any(maker)",
    tricks={"trump": "suit", "sits_out": "alone and ours(maker) and not maker"},
    end={"when": "max(total) >= 10"},
    name="euchre-cards",
    title="Euchre",
    seats=4,
    dealer=True,
    sides="partners",
    card=["Three or four tricks: 1 point", "All five: 2, alone 4"],
)
