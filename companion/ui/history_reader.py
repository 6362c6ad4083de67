"""Answers what screens ask of the history: results, league, statistics. Nothing is read before it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from companion.history.league import LeagueRow
    from companion.history.results import GameResult
    from companion.history.statistics import PersonStatistics


class StillReading(Struct, frozen=True):
    """The games are still being read; the screen is shown again later."""

    remaining: int = 0  # how many games are left to read
    failed: bool = False  # whether they cannot be read at all


class PersonHistory(Struct, frozen=True):
    """A person's statistics and ratings."""

    statistics: PersonStatistics
    rating: int | None  # the rating over all games; None until it is shown
    by_game: Mapping[str, int]  # the rating in each kind of game, by its name; without those that are not shown yet


class HistoryReader(Protocol):
    """Answers the questions of screens. An answer is cached until a game changes."""

    @property
    def unreadable(self) -> int:
        """Return how many games could not be read; the league and the statistics leave them out."""

    def unlisted(self) -> StillReading | None:
        """Return how many games are missing from the list of games; None if it is complete."""

    def results(self, names: Sequence[str]) -> Mapping[str, GameResult]:
        """Return the results of some finished games, by their names in the journal; unreadable ones are missing."""

    def league(self) -> tuple[LeagueRow, ...] | StillReading:
        """Return the league table over all games."""

    def person(self, name: str) -> PersonHistory | StillReading | None:
        """Return what is known of a person, by the current name; None if the person played no finished game."""


class NoHistory:
    """The history of a program that keeps no games."""

    unreadable = 0

    def unlisted(self) -> StillReading | None:
        return None

    def results(self, _names: Sequence[str]) -> Mapping[str, GameResult]:
        return {}

    def league(self) -> tuple[LeagueRow, ...] | StillReading:
        return ()

    def person(self, _name: str) -> PersonHistory | StillReading | None:
        return None
