"""Says which box stands at which table and whom it shows as its players; takes its finished game as their result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.gamelog.player_names import name_key
from companion.history.results import GameResult
from companion.history.sides import seat_ranks
from companion.ui.hub_message import SeatCall

from .evening_state import ClubEvening, EveningError, SeatedRound
from .events import TableResult


def seat_calls(evening: ClubEvening, ends: float = 0.0) -> tuple[SeatCall, ...]:
    """Return the calls of the last round's tables that still play.

    Args:
        ends: When the round ends, in seconds since 1970; 0 without a clock.
    """
    if not evening.rounds:
        return ()
    names, number = evening.names, len(evening.rounds)
    return tuple(
        SeatCall(number, table.number, tuple(names[player] for player in table.players), ends)
        for table in evening.rounds[-1].tables
        if table.plays
    )


def boxes_at(seated: SeatedRound, boxes: Sequence[str], there: Mapping[int, str]) -> dict[int, str]:
    """Return the box of each table of a round: the one that stands there, else the next free one in their order.

    The box of a table that was merged stays with it, so no other table has it.
    """
    most = max((table.number for table in seated.tables), default=0)
    kept = {table: box for table, box in there.items() if box in boxes and table <= most}
    free = (box for box in boxes if box not in kept.values())
    both = ((table, kept.get(table) or next(free, None)) for table in range(1, most + 1))
    return {table: box for table, box in both if box is not None}


def result_of_game(evening: ClubEvening, game: GameResult) -> TableResult:
    """Return a finished game as the result of the table that its players sit at; their order does not matter.

    Raises:
        EveningError: No table of these players awaits a result.
    """
    seats = {name_key(name): seat for seat, name in enumerate(game.players)}
    ranks = seat_ranks(game)
    for call in seat_calls(evening):
        keys = [name_key(name) for name in call.names]
        if sorted(keys) == sorted(seats):
            points = tuple(game.scores[seats[key]] or 0 for key in keys)  # a log has all points
            return TableResult(call.round, call.table, points, tuple(ranks[seats[key]] for key in keys))
    raise EveningError(f"no table of {', '.join(game.players)} awaits a result")
