"""Tricks: the one before as it lay, who won, and how they are reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from companion.core.game import Outcome
from companion.core.game_view import GameView, SeatLine
from companion.core.text import Seat, Text

L = TypeVar("L")


class LastTrick(Struct, Generic[L], frozen=True, gc=False):
    """The trick before, as it lay."""

    table: tuple[L, ...]
    winner: int


def gainer(before: Sequence[int], after: Sequence[int]) -> Seat:
    """Return the seat that has more tricks than before."""
    return Seat(next(seat for seat, tricks in enumerate(after) if tricks > before[seat]))


def places(
    seats: int,
    laid: Callable[[int], Text],
    figures: Callable[[int], Text],
    leader: int | None,
    winner: int | None = None,
) -> tuple[SeatLine, ...]:
    """Return what every seat shows in a trick.

    Args:
        seats: How many play.
        laid: The cards a seat has laid, short.
        figures: A seat's figures, short.
        leader: Who leads the trick.
        winner: Who has won it, where it has just ended.
    """
    return tuple(SeatLine(laid(seat), figures(seat), seat == leader, seat == winner) for seat in range(seats))


def trick_report(
    alerts: tuple[Text, ...], finished: GameView | None, lines: tuple[Text, ...] = (), turned: int | None = None
) -> Outcome:
    """Return the report of a trick that has ended.

    Args:
        alerts: What is new to the table's alerts.
        finished: The trick as it lay; None where it was entered as a whole.
        lines: What is said of the trick where it is not shown as it lay.
        turned: The place of the suit that has become trump.
    """
    told = alerts if finished else (*alerts, *lines)
    return Outcome(told, alert=bool(alerts), won=True, new_trump=turned, finished=finished)
