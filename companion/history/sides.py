"""Sides of a finished game: each player alone, or pairs of partners; their ranks and the winners' margin."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import json

from companion.games import GAMES

from .results import GameResult

Sides = tuple[tuple[int, ...], ...]  # the seats of each side


def sides(result: GameResult) -> Sides:
    """Return the sides of a game, as the game declares them; without a declaration each player is alone.

    >>> sides(GameResult("", 1, "gear", tuple("ABCD"), '{"teams":true}', 0, 0, 0, "", 0, (), (), (), (), {}, 0))
    ((0, 2), (1, 3))
    """
    return _sides(result.game, len(result.players), result.rules)


@lru_cache(maxsize=256)
def _sides(game: str, seats: int, rules: str) -> Sides:
    declared = GAMES[game].optional.sides if game in GAMES else None
    if declared is None or not rules:
        return tuple((seat,) for seat in range(seats))
    return declared(seats, json.decode(rules))


def seat_ranks(result: GameResult) -> tuple[int, ...]:
    """Return the rank of each seat's side, from 1, by seat.

    Winners share the first rank; other sides with equal points share a rank.

    >>> seat_ranks(GameResult("", 1, "", tuple("ABC"), "", 0, 0, 0, "", 0, (5, 9, 5), (1,), (), (), {}, 0))
    (2, 1, 2)
    """
    if result.places:
        return result.places
    of = sides(result)
    if len(of) == len(result.players):
        return _ranks(result.scores, result.winners)
    of_sides = _ranks(_points(result, of), [number for number, side in enumerate(of) if side[0] in result.winners])
    return tuple(of_sides[seat % len(of)] for seat in range(len(result.players)))


def _ranks(points: tuple[int, ...], winners: Any) -> tuple[int, ...]:
    """Return the rank of each side, from the points and the winners of the sides."""
    others = [own for side, own in enumerate(points) if side not in winners]
    others.sort(reverse=True)
    first = 1 + len(points) - len(others)
    return tuple([1 if side in winners else first + others.index(own) for side, own in enumerate(points)])


def _points(result: GameResult, of: Sides) -> tuple[int, ...]:
    return tuple(sum(result.scores[seat] for seat in side) for side in of)


def rank_share(result: GameResult, rank: int) -> float:
    """Return (n − rank) / (n − 1) among n sides: 1 for the first, 0 for the last, whatever the size of the table."""
    count = len(sides(result))
    return (count - rank) / (count - 1)


def margin(result: GameResult) -> int | None:
    """Return how many points the winners were ahead of the best other side.

    None if everybody won, if the winners did not have the most points, or if nobody has any.
    """
    of, won, lost = sides(result), list[int](), list[int]()
    for side, points in zip(of, _points(result, of), strict=True):
        (won if side[0] in result.winners else lost).append(points)
    return min(won) - max(lost) if lost and min(won) >= max(lost) and any(result.scores) else None
