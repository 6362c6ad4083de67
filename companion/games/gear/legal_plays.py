"""Which plays are possible in Gear, which follow suit, and which win; hands are integers.

A bag is an integer with two bits for each card of the deck: its number of copies, 0 to 2.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.cards import Card
from companion.core.text import N_, Text

from .cards import ACE, COPIES, DECK, SUITS, TEN

_ONCE = sum(card.bit for card in DECK)
_COLOUR = {suit: sum(card.bit for card in DECK if card.suit is suit) * 3 for suit in SUITS}
_TO_BLACK = 2 * len(DECK) // len(SUITS)
"""Bit distance from a red card to the black card of the same number."""

Hands = tuple[int, ...]


def count(bag: int, card: Card) -> int:
    """Return the number of copies of a card in a bag.

    >>> red_ace, red_two, *_ = DECK
    >>> bag = with_cards(0, (red_ace, red_two, red_two))
    >>> count(bag, red_two), size(bag)
    (2, 3)
    """
    return bag // card.bit & 3


def size(bag: int) -> int:
    return (bag & _ONCE).bit_count() + 2 * (bag >> 1 & _ONCE).bit_count()


def with_cards(bag: int, cards: Iterable[Card]) -> int | Card:
    """Return a bag with cards added, or the first card that would be a third copy."""
    for card in cards:
        if bag & card.bit << 1:  # the upper of its two bits: the bag holds both copies
            return card
        bag += card.bit
    return bag


def from_hand(hand: int, cards: tuple[Card, ...]) -> int:
    """Return the rest of an open hand after cards are laid; an open copy is laid before a hidden one."""
    for card in cards:
        if hand & 3 * card.bit:
            hand -= card.bit
    return hand


def misfit(laid: int, hands: Hands | None, seat: int, left: int, cards: tuple[Card, ...]) -> tuple[str, Text] | None:
    """Return why a seat cannot hold these cards, as a reason and a sentence; None if it can.

    Args:
        hands: What is left of the open hands, by seat; None if they are not known.
        left: Number of cards the seat still holds.
    """
    over = with_cards(laid, cards)
    if isinstance(over, Card):
        return "seen", Text(N_("{card} was already seen twice"), card=over)
    if hands is None:
        return None
    hand, seen, hidden = hands[seat], laid, 0  # cards among these that were hidden
    for card in cards:
        if hand & 3 * card.bit:
            hand -= card.bit
        elif count(seen + sum(hands), card) == COPIES:  # no copy is left that this seat could hold hidden
            return "not-theirs", Text(N_("{card} lies in another's open hand"), card=card)
        elif left - size(hands[seat]) == hidden:
            return "not-open", Text(N_("{card} is not open there, and both hidden cards are laid"), card=card)
        else:
            seen += card.bit
            hidden += 1
    return None


def follows(led: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Return whether a play follows the lead: same colours, and a pair if a pair was led (Gear, tricks)."""
    if len(led) == 1:
        return cards[0].suit is led[0].suit
    (one, other), (first, second) = led, cards
    if first.rank != second.rank:
        return False
    return (first.suit, second.suit) in ((one.suit, other.suit), (other.suit, one.suit))


def obliged(hand: int, led: tuple[Card, ...]) -> bool:
    """Return whether an open hand holds a card, or a pair, that follows the lead."""
    if len(led) == 1:
        return bool(hand & _COLOUR[led[0].suit])
    one, other = led
    if one.suit is other.suit:
        return bool(hand >> 1 & _ONCE & _COLOUR[one.suit])  # the upper bits: both copies of a card
    each = (hand | hand >> 1) & _ONCE
    return bool(each & each >> _TO_BLACK)


def winning(plays: tuple[tuple[Card, ...], ...]) -> tuple[int, int]:
    """Return the index and rank of the play that wins a trick so far.

    An ace has rank 11 if any play that follows is a 10, otherwise rank 1.
    """
    led = plays[0]
    following = [(place, cards[0].rank) for place, cards in enumerate(plays) if follows(led, cards)]
    ace = 11 if any(rank == TEN for _place, rank in following) else ACE
    rank, place = max((ace if rank == ACE else rank, place) for place, rank in following)  # of equals the later
    return place, rank
