"""A person's rating and rank share from game to game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from .identity import Persons
from .ratings import Ratings
from .results import GameResult
from .sides import mean_share, seat_shares

RECENT = 10  # the latest games whose mean rank share is shown
MOST_MOMENTS = 60  # the most moments: more cannot be told apart on a phone


class ProgressPoint(Struct, frozen=True):
    """A person's rating and rank share after a game."""

    game: str  # the name of the game in the journal
    rating: int | None  # the rating as people see it; None before it is shown
    share: float | None  # the mean rank share of the latest games; None if nobody was better in any of them


def progress(
    games: Iterable[str],
    results: Mapping[str, GameResult],
    persons: Persons,
    person: str,
    ratings: Ratings,
    *,
    one_game: bool = False,
) -> list[ProgressPoint]:
    """Return where a person stood after games, oldest first: after each of a few, else after some of them.

    Args:
        games: The names of the games, oldest first.
        results: The results of games by name.
        persons: Tells who sat where.
        person: The person's key.
        ratings: The ratings after each game.
        one_game: Whether the ratings are those in one kind of game.
    """
    games, shares = list(games), dict[str, float | None]()

    def share(name: str) -> float | None:
        if name not in shares:
            of_seats = seat_shares(result := results[name])
            shares[name] = of_seats[persons.of(result).index(person)] if of_seats else None
        return shares[name]

    moments = []
    for place in _evenly(len(games)):
        recent = map(share, games[max(0, place + 1 - RECENT) : place + 1])
        rating = ratings.after(games[place], person, one_game=one_game).displayed
        moments.append(ProgressPoint(games[place], rating, mean_share([each for each in recent if each is not None])))
    return moments


def _evenly(count: int) -> list[int]:
    """Return the places of the moments that are shown among so many, the last one among them.

    >>> _evenly(3), len(_evenly(1000)), _evenly(1000)[-1]
    ([0, 1, 2], 60, 999)
    """
    most = min(count, MOST_MOMENTS)
    return [round((place + 1) * count / most) - 1 for place in range(most)]
