"""State of Hipparchus (trick, captured piles, rounds won) and its snapshot for the log."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import Progress
from companion.games.kit import snapshot_of
from companion.games.kit.tricks import LastTrick

from .cards import HAND, SUIT_NAMES, Counts, SuitName
from .options import Rules

Both = tuple[Counts, Counts]
NOTHING: Both = ((0, 0, 0), (0, 0, 0))


class LaidCards(Struct, frozen=True, gc=False):
    """A play on the table: one to three cards of a suit."""

    player: int
    suit: SuitName
    count: int


class RoundResult(Struct, frozen=True, gc=False):
    """Result of a finished round: points by seat, and the winner."""

    points: tuple[int, int]
    winner: int


class State(Struct, frozen=True, kw_only=True, gc=False):
    """State: a game of Hipparchus at one moment; immutable."""

    phase: str = "start"  # start, play or over
    round: int = 1
    leader: int | None = None  # seat that leads this trick
    may_start: tuple[int, ...] | None = None  # seats that may start; in phase start only
    table: tuple[LaidCards, ...] = ()  # plays of this trick
    last_trick: LastTrick[LaidCards] | None = None  # the previous trick, unless it was entered as a whole
    captured: Both = NOTHING  # cards captured in this round, by seat and suit
    left: tuple[int, int] = (HAND, HAND)  # cards left in hand, by seat; an upper limit unless ``known``
    known: bool = True  # whether hand sizes are exact: no trick of this round was entered as a whole
    trick: int = 1  # trick number in this round, from 1
    second: int | None = None  # seat that laid second in the last completed trick of this round
    rounds: tuple[RoundResult, ...] = ()
    sheets: tuple[Both, ...] = ()  # cards captured in the finished rounds
    winners: tuple[int, ...] | None = None

    @property
    def turn(self) -> int | None:
        if self.leader is None:
            return None
        return 1 - self.leader if self.table else self.leader

    @property
    def wins(self) -> tuple[int, int]:
        second = sum(result.winner for result in self.rounds)
        return len(self.rounds) - second, second

    @property
    def shown(self) -> Counts:
        sun, moon, earth = (ours + theirs for ours, theirs in zip(*self.captured, strict=True))
        for laid in self.table:
            sun, moon, earth = added((sun, moon, earth), laid.suit, laid.count)
        return sun, moon, earth


def added(counts: Counts, suit: SuitName, count: int) -> Counts:
    sun, moon, earth = counts
    if suit == "sun":
        return sun + count, moon, earth
    if suit == "moon":
        return sun, moon + count, earth
    return sun, moon, earth + count


def start(_seats: int, _rules: Rules) -> State:
    return State(may_start=(0, 1))


def fresh(state: State) -> State:
    """Return the state with all fields of the round reset."""
    left = (HAND, HAND)
    return replace(state, table=(), last_trick=None, captured=NOTHING, left=left, known=True, trick=1, second=None)


def progress(state: State) -> Progress:
    return Progress(state.wins, state.winners, state.turn, state.round, state.phase, state.leader, state.may_start)


def snapshot(state: State) -> dict[str, Any]:
    return snapshot_of(
        "hipparchus",
        state,
        "phase round turn leader may_start table last_trick captured left rounds wins totals winners alerts",
        captured=[dict(zip(SUIT_NAMES, counts, strict=True)) for counts in state.captured],
        left=state.left if state.known else (None, None),
        totals=state.wins,
        alerts=(),
    )
