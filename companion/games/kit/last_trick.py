"""The last trick: its cards for the panel, and who won it in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from companion.core.game import CardSound, EventOutcome, GameView, SeatLine
from companion.core.text import N_, Seat, Text

MOST_REVOKES = N_("Most revokes: {names}, {count}. It happens to the best")
"""The remark on those who revoked most often in an evening."""

L = TypeVar("L")


class LastTrick(Struct, Generic[L], frozen=True, gc=False):
    """The previous trick: its cards and its winner."""

    table: tuple[L, ...]
    winner: int


def gainer(before: Sequence[int], after: Sequence[int]) -> Seat:
    """Return the seat whose number of tricks has grown."""
    return Seat(next(seat for seat, tricks in enumerate(after) if tricks > before[seat]))


def laid_as(leads: bool, follows: bool, pledges: bool = False) -> CardSound:
    """Return what kind of card was laid.

    Args:
        pledges: Whether it was laid in the alternate mode.

    >>> laid_as(leads=False, follows=False)
    <CardSound.OFF_SUIT: 3>
    """
    if pledges:
        return CardSound.ALTERNATE
    if leads:
        return CardSound.LEAD
    return CardSound.FOLLOW if follows else CardSound.OFF_SUIT


def places(
    seats: int,
    laid: Callable[[int], Text],
    figures: Callable[[int], Text],
    leader: int | None,
    winner: int | None = None,
) -> tuple[SeatLine, ...]:
    return tuple(SeatLine(laid(seat), figures(seat), seat == leader, seat == winner) for seat in range(seats))


def trick_report(
    alerts: tuple[Text, ...], finished: GameView | None, lines: tuple[Text, ...] = (), turned: int | None = None
) -> EventOutcome:
    """Return the outcome of an event that has ended a trick.

    Args:
        lines: Sentences about the trick, used only without ``finished``.
        turned: Index of the suit that has become trump.
    """
    told = alerts if finished else (*alerts, *lines)
    return EventOutcome(told, alert=bool(alerts), won=True, new_trump=turned, finished=finished)
