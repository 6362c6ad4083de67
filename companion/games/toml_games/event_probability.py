"""Probabilities of the cards of declared games, if people choose at random among what they may lay."""

from __future__ import annotations

from math import log

from companion.core.game import Event
from companion.games.kit.tricks import IMPOSSIBLE, lacks, led_suit, logarithm

from .declaration import Declaration
from .events import Play
from .state import State


def odds(game: Declaration, state: State, event: Event) -> float:
    """Return the logarithm of the probability of an event."""
    rules, play = game.tricks, state.play
    if not isinstance(event, Play) or rules is None or play is None:
        return 0.0
    card, player = event.card, event.player
    lacking = {suit for doubt in play.doubts[player] for suit in doubt.suits}
    if card.suit in lacking:
        return IMPOSSIBLE
    unseen = [each for each in rules.deck if not each.bit & (play.seen | rules.without.get(state.seats, 0))]
    led = led_suit([laid.card for laid in play.table], rules.order)
    able = [each for each in unseen if each.suit not in lacking]
    if led is None or not rules.follow or rules.order.jokers(card):
        return -log(max(1, len(able)))
    follow = sum(each.suit is led for each in unseen)
    left = play.hand - play.trick + 1
    void = 1.0 if led in lacking else lacks(len(unseen), follow, left)
    if card.suit is led:
        return logarithm((1 - void) / max(1, follow))
    return logarithm(void / max(1, len(able) - follow))
