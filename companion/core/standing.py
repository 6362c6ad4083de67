"""The standing of a game: who leads or has won, and with how many points."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from .game import Game
from .game_checks import checked
from .progress import Best


class Standing(Struct, frozen=True):
    """The leaders or winners of a game, and their points."""

    seats: tuple[int, ...]  # the leaders or winners; empty while nobody is ahead
    points: tuple[int, ...]  # their totals, without duplicates
    won: bool


def standing(game: Game[Any], state: Any, best: Best = Best.HIGHEST) -> Standing:
    progress = checked(game, state)
    totals, winners = progress.totals, progress.winners
    leaders = best.seats(totals)
    ahead = leaders if len(leaders) < len(totals) else ()
    seats = ahead if winners is None else winners
    return Standing(seats, tuple(dict.fromkeys(totals[seat] for seat in seats)), progress.over)
