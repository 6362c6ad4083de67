"""Bags of cards of Gear: open hands, what can be laid, what follows, which play wins.

A bag is a number that holds cards with their copies: two bits for each card of the deck.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.cards import Card
from companion.core.text import N_, Text

from .cards import ACE, COPIES, DECK, SUITS, TEN

_ONCE = sum(card.bit for card in DECK)
_COLOUR = {suit: sum(card.bit for card in DECK if card.suit is suit) * 3 for suit in SUITS}
_TO_BLACK = 2 * len(DECK) // len(SUITS)
"""How far the bits of a black card lie above those of the red one of its number."""

Hands = tuple[int, ...]


def count(bag: int, card: Card) -> int:
    """Return how many copies of a card a bag holds."""
    return bag // card.bit & 3


def size(bag: int) -> int:
    """Return how many cards a bag holds."""
    return (bag & _ONCE).bit_count() + 2 * (bag >> 1 & _ONCE).bit_count()


def with_cards(bag: int, cards: Iterable[Card]) -> int | Card:
    """Return a bag with some cards added, or the first card of which there would be too many."""
    for card in cards:
        if bag & card.bit << 1:  # the upper of its two bits: both copies are there
            return card
        bag += card.bit
    return bag


def from_hand(hand: int, cards: tuple[Card, ...]) -> int:
    """Return what is left of an open hand when some cards are laid: the open copy goes first."""
    for card in cards:
        if hand & 3 * card.bit:
            hand -= card.bit
    return hand


def misfit(laid: int, hands: Hands | None, seat: int, left: int, cards: tuple[Card, ...]) -> tuple[str, Text] | None:
    """Return why a seat cannot hold some cards: a reason and a sentence; None if it can.

    Args:
        laid: What was laid in this round.
        hands: The open hands by seat, as far as nothing of them was laid; None if they are not known.
        seat: Whose cards they are.
        left: How many cards the seat still holds.
        cards: The cards.
    """
    over = with_cards(laid, cards)
    if isinstance(over, Card):
        return "seen", Text(N_("{card} was already seen twice"), card=over)
    if hands is None:
        return None
    hand, seen, hidden = hands[seat], laid, left - size(hands[seat])
    for card in cards:
        if hand & 3 * card.bit:
            hand -= card.bit
        elif count(seen + sum(hands), card) == COPIES:  # each copy was laid or lies open, or is one of the hidden ones
            return "not-theirs", Text(N_("{card} lies in another's open hand"), card=card)
        elif not hidden:
            return "not-open", Text(N_("{card} is not open there, and both hidden cards are laid"), card=card)
        else:
            seen += card.bit
            hidden -= 1
    return None


def follows(led: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Tell whether a play follows the lead (Gear, tricks): the same colours, and two cards of one number."""
    if len(led) == 1:
        return cards[0].suit is led[0].suit
    (one, other), (first, second) = led, cards
    if first.rank != second.rank:
        return False
    return (first.suit, second.suit) in ((one.suit, other.suit), (other.suit, one.suit))


def obliged(hand: int, led: tuple[Card, ...]) -> bool:
    """Tell whether an open hand holds a card, or a whole pair, that follows the lead."""
    if len(led) == 1:
        return bool(hand & _COLOUR[led[0].suit])
    one, other = led
    if one.suit is other.suit:
        return bool(hand >> 1 & _ONCE & _COLOUR[one.suit])  # the upper bits: both copies of a card
    each = (hand | hand >> 1) & _ONCE
    return bool(each & each >> _TO_BLACK)


def winning(plays: tuple[tuple[Card, ...], ...]) -> tuple[int, int]:
    """Return which play wins a trick so far, and its rank: an ace is 11 when a play that follows is of tens.

    Args:
        plays: The cards of each play, the lead first.
    """
    led = plays[0]
    following = [(place, cards[0].rank) for place, cards in enumerate(plays) if follows(led, cards)]
    ace = 11 if any(rank == TEN for _place, rank in following) else ACE
    rank, place = max((ace if rank == ACE else rank, place) for place, rank in following)  # of equals the later
    return place, rank
