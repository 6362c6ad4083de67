"""Ratings of people by Plackett and Luce's model: one for each kind of game, and one over all games.

A rating is a guess of somebody's strength (mu) and its uncertainty (sigma). People see ``1000 + 24 · (mu − 3 sigma)``,
rounded: everybody begins at 1000, and 200 points are one sigma of a newcomer. It rises as the guess becomes surer, so
it is shown only after 5 games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from .renamed_and_hidden import People
from .results import GameResult
from .sides import seat_ranks, sides, somebody_won

if TYPE_CHECKING:
    from openskill.models.weng_lin.plackett_luce import PlackettLuce, PlackettLuceRating

MIN_GAMES = 5  # games after which a rating is shown
BASE, SCALE, SIGMAS = 1000, 24, 3  # what people see: BASE + SCALE · (mu − SIGMAS · sigma)
MU, SIGMA = 25.0, 25.0 / 3  # the rating of somebody who has not played


class Rating(Struct, frozen=True, array_like=True, gc=False):
    """A person's rating after some games."""

    mu: float = MU  # the guessed strength
    sigma: float = SIGMA  # its uncertainty
    games: int = 0  # how many games it is from

    @property
    def displayed(self) -> int | None:
        """Return the rating as people see it; None before it is shown.

        >>> Rating(30.0, 2.0, 12).displayed
        1576
        """
        return round(BASE + SCALE * (self.mu - SIGMAS * self.sigma)) if self.games >= MIN_GAMES else None


NEW = Rating()


class RatedGame(Struct, frozen=True, array_like=True, gc=False):
    """The ratings of the players of a game after it."""

    name: str  # the name of the game in the journal
    game: str  # the name of the game played
    persons: tuple[str, ...]  # the players' keys (see `People`) by seat
    in_kind: tuple[Rating, ...]  # their ratings in this kind of game
    overall: tuple[Rating, ...]  # their ratings over all games


class Ratings:
    """Everybody's ratings after each game."""

    def __init__(self, rated: Iterable[RatedGame]) -> None:
        """Use the rated games, oldest first."""
        self._rated = {each.name: each for each in rated}

    def after(self, name: str, person: str, *, one_game: bool = False) -> Rating:
        """Return a player's rating after a game, in its kind or over all; a newcomer's if the person did not play."""
        rated = self._rated.get(name)
        if rated is None or person not in rated.persons:
            return NEW
        return (rated.in_kind if one_game else rated.overall)[rated.persons.index(person)]


class Rater:
    """Rates games one after the other."""

    def __init__(self, people: People) -> None:
        """Begin before the first game."""
        self._people = people
        self._latest: dict[tuple[str | None, str], Rating] = {}
        self._model: PlackettLuce | None = None

    def rate(self, result: GameResult) -> RatedGame:
        """Return the ratings after the next game."""
        persons = self._people.of(result)
        in_kind, overall = (self._rated(result, persons, kind) for kind in (result.game, None))
        for kind, ratings in ((result.game, in_kind), (None, overall)):
            self._latest |= {(kind, person): rating for person, rating in zip(persons, ratings, strict=True)}
        return RatedGame(result.name, result.game, persons, in_kind, overall)

    def _rated(self, result: GameResult, persons: Sequence[str], kind: str | None) -> tuple[Rating, ...]:
        if self._model is None:
            from openskill.models import PlackettLuce  # takes 20 ms, and 3.5 MB

            self._model = PlackettLuce(MU, SIGMA)
        before = [self._latest.get((kind, person), NEW) for person in persons]
        if not somebody_won(result):
            return tuple(before)
        of, ranks = sides(result), seat_ranks(result)
        teams: list[list[PlackettLuceRating]] = [
            [self._model.rating(before[seat].mu, before[seat].sigma) for seat in side] for side in of
        ]
        after = self._model.rate(teams, ranks=[float(ranks[side[0]]) for side in of])
        new = {
            seat: rating for side, team in zip(of, after, strict=True) for seat, rating in zip(side, team, strict=True)
        }
        return tuple(Rating(new[seat].mu, new[seat].sigma, rating.games + 1) for seat, rating in enumerate(before))


def rated(results: Iterable[GameResult], people: People) -> Ratings:
    """Return the ratings after each of some games, oldest first."""
    rater = Rater(people)
    return Ratings([rater.rate(result) for result in results])
