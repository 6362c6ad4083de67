"""The standing of a game: who leads or has won, and with how many points."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from .game import Game
from .scores_and_turn import Best, Progress


class Standing(Struct, frozen=True):
    """The leaders, winners or losers of a game, and their points."""

    seats: tuple[int, ...]  # the leaders or winners; empty while nobody is ahead
    points: tuple[int, ...]  # their totals, without duplicates
    won: bool
    lost: bool = False  # whether they are the losers of a game that ends with losers
    totals: tuple[int, ...] = ()  # the points by seat
    round: int | None = None  # the number of the round, from 1; None in a game without rounds


def standing(game: Game[Any], progress: Progress, best: Best = Best.HIGHEST) -> Standing:
    totals, winners = progress.totals, progress.winners
    leaders = best.seats(totals)
    ahead = leaders if len(leaders) < len(totals) else ()
    seats, lost = ahead if winners is None else winners, winners is not None and game.optional.one_loses
    if lost:
        seats = tuple(seat for seat in range(len(totals)) if seat not in seats)
    points = tuple(dict.fromkeys(totals[seat] for seat in seats))
    return Standing(seats, points, winners is not None, lost, totals, progress.round)
