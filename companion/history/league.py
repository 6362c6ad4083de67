"""Computes the league table of some finished games, person by person."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.gamelog import name_key

from .identity import Persons
from .ratings import Ratings
from .renamed_and_hidden import People
from .results import GameResult
from .sides import mean_share, seat_shares

NO_RATINGS = Ratings(())

LEAST = 3
"""How many games somebody needs for a place in the table, if anybody has so many."""


class LeagueRow(Struct, frozen=True):
    """A person's row of the league table."""

    name: str  # the current name, as last spelt
    place: int | None  # the place, counted from 1; None with fewer games than are needed for one
    games: tuple[str, ...]  # the games played, by their names in the journal
    won: tuple[str, ...]  # the games won
    rank_share: float | None  # the mean rank share; None if nobody was better in any of the games
    rating: int | None  # the rating after the person's last game of the table, as people see it; None until it is shown

    @property
    def win_rate(self) -> float:
        """Return the share of games that were won."""
        return len(self.won) / len(self.games)


def league(
    results: Sequence[GameResult],
    people: People,
    ratings: Ratings = NO_RATINGS,
    *,
    one_game: bool = False,
    least: int = LEAST,
) -> tuple[LeagueRow, ...]:
    """Return the league table of games, oldest first: by rank share, then wins, then name. Hidden people are left out.

    People with fewer games than are needed come last, without a place, and those who never were better or worse.

    Args:
        one_game: Whether it is a table of one kind of game. The ratings in it are then shown, not those over all games.
        least: How many games a place needs. Where nobody has so many, one is enough.
    """
    persons = Persons(people)
    played: dict[str, list[GameResult]] = {}
    shares: dict[str, list[float]] = {}
    won: dict[str, list[str]] = {}
    for result in results:
        of_seats = seat_shares(result)
        for seat, person in enumerate(persons.of(result)):
            played.setdefault(person, []).append(result)
            shares.setdefault(person, []).extend([of_seats[seat]] if of_seats else [])
            if seat in result.winners:
                won.setdefault(person, []).append(result.name)
    names = persons.called(results)
    rows = [
        LeagueRow(
            names[person],
            None,
            tuple(result.name for result in games),
            tuple(won.get(person, ())),
            mean_share(shares[person]),
            ratings.after(games[-1].name, person, one_game=one_game).displayed,
        )
        for person, games in played.items()
        if not persons.hides(person)
    ]
    if all(len(row.games) < least for row in rows):
        least = 1

    def is_placed(row: LeagueRow) -> bool:
        return len(row.games) >= least and row.rank_share is not None

    rows.sort(key=lambda row: (not is_placed(row), -(row.rank_share or 0), -len(row.won), name_key(row.name)))
    return tuple(replace(row, place=place if is_placed(row) else None) for place, row in enumerate(rows, 1))
