"""Who can hold what: cards of which there are two, open hands, following, and which play wins.

A bag is a number that holds cards with their copies: two bits for each card of the deck.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.cards import Card
from companion.core.text import N_, Text

from .cards import ACE, COPIES, DECK, TEN

_ONCE = sum(card.bit for card in DECK)
_TWICE = _ONCE << 1
_REDS, _BLACKS = DECK.cards[:10], DECK.cards[10:]

Hands = tuple[int, ...]


def count(bag: int, card: Card) -> int:
    """Return how many copies of a card a bag holds."""
    return bag // card.bit & 3


def size(bag: int) -> int:
    """Return how many cards a bag holds."""
    return (bag & _ONCE).bit_count() + 2 * (bag & _TWICE).bit_count()


def with_cards(bag: int, cards: Iterable[Card]) -> int | Card:
    """Return a bag with some cards added, or the first card of which there would be too many."""
    for card in cards:
        if count(bag, card) == COPIES:
            return card
        bag += card.bit
    return bag


def from_hand(hand: int, cards: tuple[Card, ...]) -> int:
    """Return what is left of an open hand when some cards are laid: the open copy goes first."""
    for card in cards:
        if count(hand, card):
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
    known = laid + sum(hands)  # each copy was laid or lies open, or is one of the hidden ones
    hand = hands[seat]
    hidden = left - size(hand)
    for card in cards:
        if count(hand, card):
            hand -= card.bit
        elif count(known, card) == COPIES:
            return "not-theirs", Text(N_("{card} lies in another's open hand"), card=card)
        elif not hidden:
            return "not-open", Text(N_("{card} is not open there, and both hidden cards are laid"), card=card)
        else:
            known += card.bit
            hidden -= 1
    return None


def blacks(cards: tuple[Card, ...]) -> int:
    """Return how many of some cards are black, which tells two combinations of colours apart."""
    return sum(card in _BLACKS for card in cards)


def follows(led: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Tell whether a play follows the lead (Gear, tricks)."""
    return cards[0].rank == cards[-1].rank and blacks(led) == blacks(cards)


def obliged(hand: int, led: tuple[Card, ...]) -> bool:
    """Tell whether an open hand holds a card, or a whole pair, that follows the lead."""
    suits = [_REDS if not blacks((card,)) else _BLACKS for card in led]
    if len(led) == 1:
        return any(count(hand, card) for card in suits[0])
    if suits[0] is suits[1]:
        return any(count(hand, card) == COPIES for card in suits[0])
    return any(count(hand, red) and count(hand, black) for red, black in zip(_REDS, _BLACKS, strict=True))


def winning(plays: tuple[tuple[Card, ...], ...]) -> tuple[int, int]:
    """Return which play wins a trick so far, and its rank: an ace is 11 when a play that follows is of tens.

    Args:
        plays: The cards of each play, the lead first.
    """
    following = [(place, cards[0].rank) for place, cards in enumerate(plays) if follows(plays[0], cards)]
    ace = 11 if any(rank == TEN for _place, rank in following) else ACE
    rank, place = max((ace if rank == ACE else rank, place) for place, rank in following)  # of equals the later
    return place, rank
