"""What is looked at before anything of an event of Gear is believed."""

from __future__ import annotations

from companion.core.errors import Refused
from companion.core.text import N_, Seat

from .state import State


def expect(state: State, phase: str) -> None:
    """Refuse what belongs to another phase."""
    if state.phase != phase:
        raise out_of_phase(state)


def out_of_phase(state: State) -> Refused:
    """Return the refusal that says what comes now instead."""
    return Refused(
        "phase",
        {
            "start": N_("first say who starts"),
            "auction": N_("first comes the auction"),
            "play": N_("the cards of a trick come next"),
        }[state.phase],
    )


def check_seat(state: State, player: int) -> None:
    """Refuse a seat there is not."""
    if not 0 <= player < state.seats:
        raise Refused("seat", N_("there is no seat {player}"), player=player)


def check_turn(state: State, player: int) -> None:
    """Refuse a seat that is not to act now."""
    check_seat(state, player)
    turn = state.turn
    assert turn is not None  # somebody always is to act where this is asked
    if player != turn:
        raise Refused("turn", N_("it is {turn}'s turn, not {player}'s"), turn=Seat(turn), player=Seat(player))
