"""Tricks: which suit was led, which card wins, and which later cards prove a revoke.

>>> from .playing_cards import CLUBS, HEARTS, ranked_cards
>>> ace, king, *_ = ranked_cards((HEARTS,), ("A", "K"))
>>> two = ranked_cards((CLUBS,), ("2",))[0]
>>> winning((ace, king, two), trump=None), winning((ace, king, two), trump=CLUBS)
(1, 2)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache

from msgspec import Struct

from companion.core.cards import Card, Suit
from companion.core.text import N_, Seat, Text

from .per_seat import put


class TrickOrder(Struct, frozen=True, eq=False):
    """How the cards of a trick compare, where it is not by rank alone."""

    trump_rank: Callable[[Card], int] = lambda card: card.rank  # a card's strength within the trump suit
    winners: Collection[Card] = frozenset()  # the cards that win a trick, the first one laid
    losers: Collection[Card] = frozenset()  # the cards that win nothing, unless the whole trick is of them

    def jokers(self, card: Card) -> bool:
        """Return whether a card follows no suit, and may be laid at any time."""
        return card in self.winners or card in self.losers


USUAL = TrickOrder()


def led_suit(cards: Sequence[Card], order: TrickOrder = USUAL) -> Suit | None:
    """Return the suit to follow: that of the first card that is no joker; None if there is none, or a winner leads."""
    for card in cards:
        if card in order.winners:
            return None
        if card not in order.losers:
            return card.suit
    return None


def winning(cards: Sequence[Card], trump: Suit | None, order: TrickOrder = USUAL) -> int:
    """Return the place of the card that wins: a winning joker, else the highest trump, else the highest led card."""
    for place, card in enumerate(cards):
        if card in order.winners:
            return place
    led = led_suit(cards, order)

    def strength(place: int) -> tuple[bool, bool, int, int]:
        card = cards[place]
        if card in order.losers:
            return False, False, 0, -place
        rank = order.trump_rank(card) if card.suit is trump else card.rank
        return card.suit is trump, card.suit is led, rank, -place

    return max(range(len(cards)), key=strength)


class OffSuitPlay(Struct, frozen=True, gc=False):
    """A card played off suit: it was legal only if the hand lacked these suits."""

    trick: int
    suits: tuple[Suit, ...]


class Revoke(Struct, frozen=True, tag_field="kind", tag="revoke", gc=False):
    """A play off suit that a later card of the same hand proves wrong."""

    round: int
    player: int
    trick: int  # the trick of the play off suit
    shown_in: int  # the trick of the later card
    card: Card


Doubts = tuple[tuple[OffSuitPlay, ...], ...]
"""By seat: the plays off suit that no later card has proved wrong."""


def doubted(
    doubts: Doubts, player: int, trick: int, table: Sequence[Card], card: Card, order: TrickOrder = USUAL
) -> Doubts:
    """Return the doubts with a card added, if it does not follow the suit that the cards on the table led."""
    led = led_suit(table, order)
    if led is None or card.suit is led or order.jokers(card):
        return doubts
    return put(doubts, player, (*doubts[player], OffSuitPlay(trick, (led,))))


def proved(doubts: Doubts, player: int, round_: int, trick: int, card: Card) -> tuple[tuple[Revoke, ...], Doubts]:
    """Return the revokes that a card proves, and the doubts that are left."""
    wrong = [doubt for doubt in doubts[player] if card.suit in doubt.suits]
    if not wrong:
        return (), doubts
    revokes = tuple(Revoke(round_, player, doubt.trick, trick, card) for doubt in wrong)
    return revokes, put(doubts, player, tuple(doubt for doubt in doubts[player] if doubt not in wrong))


@lru_cache(maxsize=1024)  # a search for corrections asks for the alerts of thousands of states
def revoke_alert(revoke: Revoke) -> Text:
    return Text(
        N_("R{round} T{trick}: {player} may have revoked, then {card}"),
        round=revoke.round,
        player=Seat(revoke.player),
        trick=revoke.trick,
        card=revoke.card,
    )
