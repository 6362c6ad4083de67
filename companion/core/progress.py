"""The progress of a game: scores, winners, and who acts in which round; the same for every game."""

from __future__ import annotations

from msgspec import Struct


class Progress(Struct, frozen=True, gc=False):
    """The points, winners and position of a game."""

    totals: tuple[int, ...]  # the points by seat
    winners: tuple[int, ...] | None  # the winning seats; None until the game is over
    turn: int | None = None  # the seat to act; None if nobody in particular
    round: int | None = None  # the number of the round, from 1; None in a game without rounds
    phase: str = ""  # what the game expects next, in one word
    leader: int | None = None  # the seat that leads the trick
    may_start: tuple[int, ...] | None = None  # the seats that may start, while the starter is asked for

    @property
    def over(self) -> bool:
        return self.winners is not None
