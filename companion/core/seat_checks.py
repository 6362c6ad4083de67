"""Checks that a seat exists and that it is this seat's turn."""

from __future__ import annotations

from .errors import IllegalEvent
from .text import N_, Seat


def check_seat(player: int, seats: int) -> None:
    """Raises unless 0 ≤ player < seats.

    Raises:
        Refused: ``seat``.
    """
    if not 0 <= player < seats:
        raise IllegalEvent("seat", N_("there is no seat {player}"), player=player)


def check_turn(player: int, turn: int | None, seats: int) -> None:
    """Raises unless it is this player's turn.

    Raises:
        Refused: ``seat`` or ``turn``.
    """
    check_seat(player, seats)
    assert turn is not None  # somebody always is to act where this is asked
    if player != turn:
        raise IllegalEvent("turn", N_("it is {turn}'s turn, not {player}'s"), turn=Seat(turn), player=Seat(player))
