"""Seat calls for the boxes on the tables, and results from their finished games."""

from __future__ import annotations

from msgspec import Struct

from companion.gamelog.player_names import name_key
from companion.history.results import GameResult
from companion.history.sides import seat_ranks

from .events import TableResult
from .values import ClubEvening, EveningError


class SeatCall(Struct, frozen=True):
    """A seat call: the players of a table in a round, for the box on it."""

    evening: str
    round: int
    table: int
    names: tuple[str, ...]  # by seat; the first deals first


def seat_calls(evening: ClubEvening) -> tuple[SeatCall, ...]:
    """Return the calls of the last round's tables that still play."""
    if not evening.rounds:
        return ()
    names, number = evening.names, len(evening.rounds)
    return tuple(
        SeatCall(evening.name, number, table.number, tuple(names[player] for player in table.players))
        for table in evening.rounds[-1].tables
        if table.plays
    )


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
            points = tuple(game.scores[seats[key]] for key in keys)
            return TableResult(call.round, call.table, points, tuple(ranks[seats[key]] for key in keys))
    raise EveningError(f"no table of {', '.join(game.players)} awaits a result")
