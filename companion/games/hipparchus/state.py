"""State of Hipparchus: trick, captured piles and rounds won, with its snapshot for the log."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.games.kit.snapshots import snapshot_of
from companion.games.kit.tricks import LastTrick

from .cards import HAND, SUIT_NAMES, Counts, SuitName
from .options import Rules

Both = tuple[Counts, Counts]
NOTHING: Both = ((0, 0, 0), (0, 0, 0))


class Laid(Struct, frozen=True, gc=False):
    """Cards of one suit that were laid together."""

    player: int
    suit: SuitName
    count: int


class Result(Struct, frozen=True, gc=False):
    """A finished round."""

    points: tuple[int, int]
    winner: int


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A game of Hipparchus at one moment.

    Attributes:
        phase: start, play or over.
        round: From 1.
        leader: Who leads this trick.
        may_start: Who may be named, in phase start.
        table: What was laid in this trick.
        last_trick: The trick before, unless it was entered as a whole.
        captured: Cards by seat and suit.
        left: Cards by seat that were dealt and not laid; those of whole tricks may be among them.
        known: Whether no trick of this round was entered whole, so that the hands are known to be as large.
        second: Who laid second in the last completed trick of this round.
        rounds: The finished rounds.
        sheets: What was captured in the finished rounds.
        winners: At the end.
    """

    phase: str = "start"
    round: int = 1
    leader: int | None = None
    may_start: tuple[int, ...] | None = None
    table: tuple[Laid, ...] = ()
    last_trick: LastTrick[Laid] | None = None
    captured: Both = NOTHING
    left: tuple[int, int] = (HAND, HAND)
    known: bool = True
    second: int | None = None
    rounds: tuple[Result, ...] = ()
    sheets: tuple[Both, ...] = ()
    winners: tuple[int, ...] | None = None

    @property
    def turn(self) -> int | None:
        """Return the seat to act."""
        if self.leader is None:
            return None
        return 1 - self.leader if self.table else self.leader

    @property
    def wins(self) -> tuple[int, int]:
        """Return how many rounds each seat has won."""
        second = sum(result.winner for result in self.rounds)
        return len(self.rounds) - second, second

    @property
    def shown(self) -> Counts:
        """Return how many cards of each suit were seen in this round."""
        sun, moon, earth = (ours + theirs for ours, theirs in zip(*self.captured, strict=True))
        for laid in self.table:
            sun, moon, earth = added((sun, moon, earth), laid.suit, laid.count)
        return sun, moon, earth


def added(counts: Counts, suit: SuitName, count: int) -> Counts:
    """Return counts with some cards of a suit added."""
    sun, moon, earth = counts
    if suit == "sun":
        return sun + count, moon, earth
    if suit == "moon":
        return sun, moon + count, earth
    return sun, moon, earth + count


def start(_seats: int, _rules: Rules) -> State:
    """Open a game; the table names who starts."""
    return State(may_start=(0, 1))


def fresh(state: State) -> State:
    """Put everything that counts within a round back to its beginning."""
    left = (HAND, HAND)
    return replace(state, table=(), last_trick=None, captured=NOTHING, left=left, known=True, second=None)


def snapshot(state: State) -> dict[str, Any]:
    """Return the state as the log format shows it."""
    return snapshot_of(
        "hipparchus",
        state,
        "phase round turn leader may_start table last_trick captured left rounds wins totals winners alerts",
        captured=[dict(zip(SUIT_NAMES, counts, strict=True)) for counts in state.captured],
        left=state.left if state.known else (None, None),
        totals=state.wins,
        alerts=(),
    )
