"""The progress of a game: scores, winners, and who acts in which round; the same for every game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from msgspec import Struct


class Best(Enum):
    """Which points are the best: the most, as in most games, or the fewest, as in Hearts."""

    HIGHEST = "highest"
    LOWEST = "lowest"

    def key(self, points: int) -> int:
        """Return the sort key of points: the best come first.

        >>> sorted((5, 24, 13), key=Best.LOWEST.key)
        [5, 13, 24]
        """
        return points if self is Best.LOWEST else -points

    def of(self, points: Iterable[int]) -> int:
        """Return the best of some points."""
        return min(points, key=self.key)

    def seats(self, points: Sequence[int]) -> tuple[int, ...]:
        """Return all seats that have the best points.

        >>> Best.HIGHEST.seats((4, 7, 7)), Best.LOWEST.seats((4, 7, 7))
        ((1, 2), (0,))
        """
        best = self.of(points)
        return tuple(seat for seat, own in enumerate(points) if own == best)


class Progress(Struct, frozen=True, gc=False):
    """The points, winners and position of a game."""

    totals: tuple[int, ...]  # the points by seat
    # the winning seats; None until the game is over, and where a game without rounds was ended before its end
    winners: tuple[int, ...] | None
    turn: int | None = None  # the seat to act; None if nobody in particular
    round: int | None = None  # the number of the round, from 1; None in a game without rounds
    phase: str = ""  # what the game expects next, in one word
    leader: int | None = None  # the seat that leads the trick
    may_start: tuple[int, ...] | None = None  # the seats that may start, while the starter is asked for
    finished: bool = False  # whether the table has ended the game before its end

    @property
    def over(self) -> bool:
        return self.winners is not None or self.finished
