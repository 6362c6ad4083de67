"""Probabilities of events of Hipparchus, if people choose at random among what they may lay."""

from __future__ import annotations

from companion.core.game import Event
from companion.games.kit.tricks import holds, logarithm

from .cards import HAND, IN_SUIT, MOST, PLACE, SUIT_NAMES
from .events import CannotPlay, Play
from .state import State

FEWEST = 0.25
"""Share of plays of as few cards as possible, besides those that are so by chance."""


def odds(state: State, event: Event) -> float:
    match event:
        case Play(player, suit, count):
            chances = _chances(state, player)
            whole = sum(chances.values())
            fewest = sum(chance for (_place, number), chance in chances.items() if number == 1)
            share = (1 - FEWEST) * chances.get((PLACE[suit], count), 0.0) / whole
            if count == 1:
                share += FEWEST * chances.get((PLACE[suit], count), 0.0) / fewest
            return logarithm(share * (1 - _stuck(chances)))
        case CannotPlay(player):
            return logarithm(_stuck(_chances(state, player)))
    return 0.0


def _chances(state: State, player: int) -> dict[tuple[int, int], float]:
    """Return the probability that a hand can lay each suit and number, but for the one that was led."""
    shown = state.shown
    unseen = len(SUIT_NAMES) * IN_SUIT - sum(shown)
    hand = min(state.left[player], HAND)
    led = {(PLACE[laid.suit], laid.count) for laid in state.table}
    return {
        (place, count): holds(unseen, IN_SUIT - shown[place], hand, count)
        for place in range(len(SUIT_NAMES))
        for count in range(1, MOST + 1)
        if (place, count) not in led and count <= min(IN_SUIT - shown[place], hand)
    }


def _stuck(chances: dict[tuple[int, int], float]) -> float:
    none = 1.0
    for chance in chances.values():
        none *= 1 - chance
    return max(none, 1e-3)
