"""The standing of a game: who leads or has won, and with how many points."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from .game import Game
from .game_checks import checked


class Standing(Struct, frozen=True):
    """The leaders or winners of a game, and their points."""

    seats: tuple[int, ...]  # the leaders or winners; empty while nobody is ahead
    points: tuple[int, ...]  # their totals, without duplicates
    won: bool


def standing(game: Game[Any], state: Any) -> Standing:
    progress = checked(game, state)
    totals, winners = progress.totals, progress.winners
    best = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
    ahead = best if len(best) < len(totals) else ()
    seats = ahead if winners is None else winners
    return Standing(seats, tuple(dict.fromkeys(totals[seat] for seat in seats)), progress.over)
