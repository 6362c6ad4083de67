"""What is looked at before anything of an event of Gear is believed."""

from __future__ import annotations

from companion.core.errors import IllegalEvent
from companion.core.text import N_

from .state import State


def expect(state: State, phase: str) -> None:
    """Refuse what belongs to another phase."""
    if state.phase != phase:
        raise out_of_phase(state)


def out_of_phase(state: State) -> IllegalEvent:
    """Return the refusal that says what comes now instead."""
    return IllegalEvent(
        "phase",
        {
            "start": N_("first say who starts"),
            "auction": N_("first comes the auction"),
            "play": N_("the cards of a trick come next"),
        }[state.phase],
    )
