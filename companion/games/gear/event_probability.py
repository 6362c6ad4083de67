"""Probabilities of events of Gear, if people are honest and choose at random among what they may lay."""

from __future__ import annotations

from math import exp, log

from companion.core.cards import Card
from companion.core.game import Event
from companion.games.kit.tricks import logarithm

from .auction import least_bid
from .cards import COPIES, DECK
from .events import Bid, Play
from .legal_plays import count, follows, obliged, size
from .state import State

PAIRS = 0.5
"""Share of pairs among leads from a hand that holds one."""

FREELY = 0.5
"""Share of cards that follow among those of a hand that need not follow but can: a hidden card does."""

_PAIRS = tuple((one, other) for one in DECK for other in DECK if one.bit <= other.bit and one.rank == other.rank)
_FIRST_BIDS = (0.4, 0.3, 0.15, 0.1)
_RAISES = (0.75, 0.2)
_DEAR = 0.01

SLIP = 1e-4
"""Share of plays that do not follow though an open hand must."""

SMALL = 1e-9
"""Stands for a probability of 0 in divisions."""


def odds(state: State, event: Event) -> float:
    match event:
        case Bid(_, lot, price):
            standing = least_bid(state, lot)
            usual = _FIRST_BIDS if state.lots[lot] is None else _RAISES
            over = price - standing
            return log((usual[over] if over < len(usual) else _DEAR) / state.seats)
        case Play(player, cards):
            return logarithm(_laid(state, player, cards))
    return 0.0


def _laid(state: State, player: int, cards: tuple[Card, ...]) -> float:
    held = _held(state, player)
    if len(cards) == 1:
        return _single(state, player, cards[0], held)
    return _two(state, player, cards, held)


def _single(state: State, player: int, card: Card, held: dict[Card, float]) -> float:
    if not state.table:
        return (1 - PAIRS / 2) * held[card] / sum(held.values())
    led = state.table[0].cards
    right = sum(number for each, number in held.items() if each.suit is led[0].suit)
    other = sum(held.values()) - right
    share = _share_of_followers(state, player, led, right, other)
    if follows(led, (card,)):
        return share * held[card] / max(right, SMALL)
    return (1 - share) * held[card] / max(other, SMALL)


def _two(state: State, player: int, cards: tuple[Card, ...], held: dict[Card, float]) -> float:
    chance = {pair: _both(held, *pair) for pair in _PAIRS}
    one, other = sorted(cards, key=lambda card: card.bit)
    if not state.table:
        return PAIRS / 2 * chance[one, other] / max(sum(chance.values()), SMALL)
    led = state.table[0].cards
    right = sum(number for pair, number in chance.items() if follows(led, pair))
    share = _share_of_followers(state, player, led, right, 1.0)
    if follows(led, cards):
        return share * chance[one, other] / max(right, SMALL)
    whole = sum(held.values())
    return (1 - share) * _both(held, one, other) * 2 / max(whole * whole, SMALL)


def _both(held: dict[Card, float], one: Card, other: Card) -> float:
    if one is other:
        return max(0.0, held[one] - 1) if held[one] >= 1 else held[one] * held[one] / 4
    return min(1.0, held[one]) * min(1.0, held[other])


def _share_of_followers(state: State, player: int, led: tuple[Card, ...], right: float, other: float) -> float:
    """Return the probability that a play follows the lead."""
    if state.hands is not None and obliged(state.hands[player], led):
        return 1 - SLIP
    can = 1 - exp(-right)
    freely = (1 + FREELY) / 2 if state.hands is None else FREELY  # unknown open hands may have to follow
    return can * freely if other else 1.0


def _held(state: State, player: int) -> dict[Card, float]:
    """Return how many copies of each card a hand is expected to hold."""
    opens = state.hands if state.hands is not None else (0,) * state.seats
    hidden = state.left[player] - size(opens[player])
    known, own = state.laid + sum(opens), opens[player]  # no card is in more than two copies, so bags can be added
    pool = COPIES * len(DECK) - size(known)
    share = hidden / pool if pool else 0.0
    return {card: count(own, card) + share * (COPIES - count(known, card)) for card in DECK}
