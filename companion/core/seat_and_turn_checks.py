"""Checks that a seat exists and that it is this seat's turn."""

from __future__ import annotations

from .errors import IllegalEventError
from .text import N_, Seat


def check_seat(player: int, seats: int) -> None:
    """Raise unless 0 ≤ player < seats."""
    if not 0 <= player < seats:
        raise IllegalEventError("seat", N_("there is no seat {player}"), player=player)


def check_turn(player: int, turn: int | None, seats: int) -> None:
    """Raise unless it is this player's turn."""
    if player != turn:
        check_seat(player, seats)
        assert turn is not None  # callers check this only while it is somebody's turn
        raise IllegalEventError("turn", N_("it is {turn}'s turn, not {player}'s"), turn=Seat(turn), player=Seat(player))
