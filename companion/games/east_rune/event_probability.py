"""Probabilities of events of East Rune, if people choose at random among what they may lay."""

from __future__ import annotations

from companion.core.cards import Card
from companion.core.game import Event
from companion.games.kit.tricks import lacks, logarithm

from .cards import ATTRIBUTES, DOMAINS, VASSALS_IN_ALL
from .events import EndTurn, Pass, Play
from .state import State, uncovered

PASSES = 0.25
"""Share of passes and stops among turns in which something could be laid."""

FROM_HAND = 0.5
"""Share of cards from the hand where a card from the front would do as well."""


def odds(state: State, event: Event) -> float:
    match event:
        case Play(player, _, source):
            return logarithm(_laid(state, player, source))
        case Pass(player) | EndTurn(player):
            return logarithm(_passed(state, player))
    return 0.0


def _passed(state: State, player: int) -> float:
    return PASSES + (1 - PASSES) * (0.0 if _in_front(state, player) else _nothing_in_hand(state, player))


def _laid(state: State, player: int, source: str) -> float:
    """Return the probability that a player lays one of the cards that fit."""
    front, none = _in_front(state, player), _nothing_in_hand(state, player)
    kinds = len(ATTRIBUTES) * (1 if state.follows is not None else len(DOMAINS))
    from_hand = (1 - none) * FROM_HAND if front else float(none < 1)
    goes_on = 1 - _passed(state, player)
    return goes_on * (from_hand / kinds if source == "hand" else (1 - from_hand) / max(len(front), 1))


def _in_front(state: State, player: int) -> tuple[Card, ...]:
    return tuple(card for card in uncovered(state, player) if state.follows in (None, card.suit))


def _nothing_in_hand(state: State, player: int) -> float:
    if not state.hand[player]:
        return 1.0
    if state.follows is None:
        return 0.0
    left = max(VASSALS_IN_ALL - state.vassals_seen, len(DOMAINS))
    return lacks(left, left // len(DOMAINS), min(state.hand[player], left))
