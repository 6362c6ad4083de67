"""The progress of a game: scores, winners, and who acts in which round; the same for every game."""

from __future__ import annotations

from msgspec import Struct


class Progress(Struct, frozen=True, gc=False):
    """The points, winners and position of a game.

    Attributes:
        totals: The points by seat.
        winners: The winning seats; None until the game is over.
        turn: The seat to act; None if nobody in particular.
        round: The number of the round, from 1; None in a game without rounds.
        phase: What the game expects next, in one word.
        leader: The seat that leads the trick.
        may_start: The seats that may start, while the starter is asked for.
    """

    totals: tuple[int, ...]
    winners: tuple[int, ...] | None
    turn: int | None = None
    round: int | None = None
    phase: str = ""
    leader: int | None = None
    may_start: tuple[int, ...] | None = None

    @property
    def over(self) -> bool:
        return self.winners is not None
