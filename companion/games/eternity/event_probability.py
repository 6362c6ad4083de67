"""Probabilities of events of Eternity, if people are honest and choose at random among what they may lay."""

from __future__ import annotations

from math import log

from companion.core.cards import Card, Suit
from companion.core.game import Event
from companion.games.kit.tricks import IMPOSSIBLE, lacks, logarithm

from .cards import DECK, SUITS, tricks_in_round
from .events import Deal, Play, Pledge, Reveal
from .state import State

PLEDGES = 0.3
"""Share of pledges among cards that may be pledged."""

_CARDS = {suit: sum(card.bit for card in DECK if card.suit is suit) for suit in SUITS}
_HAND_OF_TWO = 14


def odds(state: State, event: Event) -> float:
    match event:
        case Play(player, card):
            return _laid(state, player, card, pledged=False)
        case Pledge(player, card):
            return _laid(state, player, card, pledged=True)
        case Deal() | Reveal():
            return -2 * log(len(DECK) - state.seen.bit_count())
    return 0.0


def _laid(state: State, player: int, card: Card, *, pledged: bool) -> float:
    """Return the logarithm of the probability that a player lays a card."""
    suit, led = card.suit, state.table[0].card.suit if state.table else None
    lacking = [{suit for doubt in doubts for suit in doubt.suits} for doubts in state.doubts]
    if suit in lacking[player]:
        return IMPOSSIBLE
    hands = _hands(state)
    unseen = ~state.seen
    left = {each: (cards & unseen).bit_count() for each, cards in _CARDS.items()}
    nowhere = max(0, sum(left.values()) - sum(hands))  # cards that nobody holds

    def places(of: Suit) -> int:
        """Return how many places the unseen cards of a suit can be in: hands not known to lack it, or no hand."""
        return nowhere + sum(hand for hand, without in zip(hands, lacking, strict=True) if of not in without)

    def void(of: Suit) -> float:
        """Return the probability that the hand holds none of a suit."""
        return 1.0 if of in lacking[player] else lacks(max(places(of), left[of]), left[of], hands[player])

    chance = 0.0
    if led is not None and state.pledges_left:
        chance = log(PLEDGES if pledged else 1 - PLEDGES)
    if pledged or led is None:  # any card of the hand
        whole = sum(left[each] / places(each) for each in SUITS if left[each] and each not in lacking[player])
        return chance - log(places(suit) * whole)
    if suit is led:
        return chance + logarithm((1 - void(led)) / left[suit])
    if state.trump in (led, None):
        return chance + logarithm(void(led) / (sum(left.values()) - left[led]))
    no_trump = void(state.trump)
    return chance + logarithm(void(led) * (1 - no_trump if suit is state.trump else no_trump) / left[suit])


def _hands(state: State) -> list[int]:
    if state.seats == 2:
        hands = [_HAND_OF_TWO - 2 * (state.trick - 1)] * 2
    else:
        hands = [tricks_in_round(state.seats) - (state.trick - 1)] * state.seats
    for laid in state.table:
        hands[laid.player] -= 1
    return hands
