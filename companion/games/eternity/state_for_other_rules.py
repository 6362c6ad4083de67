"""Rescores Eternity under other rules: fits the rescored state to the next recorded event."""

from __future__ import annotations

from companion.core.game import Event
from companion.core.text import N_, IllegalEventError

from .cards import TOKENS
from .events import Round
from .round_end import opened
from .state import State

BEGINS = ("start", "deal", "reveal")
"""Phases in which a round can begin."""


def refit(recorded: State, event: Event, other: State) -> State:
    """Return the state under other rules to which an event of the recorded game is applied.

    A round is started by who started it at the table, even if the other rules name somebody else.

    Raises:
        IllegalEventError: Another trump would have led to other play, or a sheet does not tell all trees.
    """
    begins = other.phase in BEGINS and other.trick == 1
    if recorded.dealer is not None and begins and other.dealer != recorded.dealer:
        other = opened(other, recorded.dealer)
    if isinstance(event, Round):
        if recorded.rules.tokens == "limited" != other.rules.tokens and sum(event.trees) == TOKENS:
            raise IllegalEventError("tokens", N_("all trees were out; further pledges were not written down"))
    elif other.trump is not recorded.trump:
        raise IllegalEventError("trump", N_("another suit would have been trump"))
    return other
