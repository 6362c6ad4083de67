"""State of Gear: auction, trick, open hands and scores, with its snapshot for the log."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.text import N_
from companion.games.kit.apply import PhaseChecks
from companion.games.kit.snapshots import snapshot_of
from companion.games.kit.tricks import LastTrick

from .cards import HAND, POINTS
from .hands import Hands
from .options import Rules


class Laid(Struct, frozen=True, gc=False):
    """What a seat laid in a trick."""

    player: int
    cards: tuple[Card, ...]


class Revoke(Struct, frozen=True, tag_field="kind", tag="revoke", gc=False):
    """A play that does not follow though the open hand could."""

    round: int
    player: int
    card_no: int


class Overbid(Struct, frozen=True, tag_field="kind", tag="overbid", gc=False):
    """A price above one's points."""

    round: int
    player: int


PHASES = PhaseChecks(
    {
        "start": N_("first say who starts"),
        "auction": N_("first comes the auction"),
        "play": N_("the cards of a trick come next"),
    }
)
Alert = Revoke | Overbid


class RoundFigures(Struct, frozen=True, gc=False):
    """The figures of a round by seat, as they were when it ended."""

    tricks: tuple[int, ...]
    aces: tuple[int, ...]
    prices: tuple[int | None, ...]


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A game of Gear at one moment.

    Attributes:
        rules: What the table agreed on.
        seats: How many play.
        phase: start, auction, play or over.
        round: From 1.
        starter: Who started this round.
        leader: Who leads this trick; None in the auction.
        may_start: Who may be named, in phase start.
        dealt: The lots as bags of cards, where they were entered.
        bids: How many bids were made.
        bidder: Who bids next, in the auction.
        lots: The seat that holds each lot, or bids highest for it.
        prices: The standing bid by seat.
        table: This trick's plays, in the order laid.
        last_trick: The trick before, unless it was entered as a whole.
        left: The cards still to play by seat.
        tricks: Won in this round, by seat.
        aces: Taken in this round, by seat.
        laid: The cards laid in this round, as a bag.
        hands: What is left of the open hands by seat, as bags; None where they are not known.
        rounds: The points of finished rounds less the prices, by seat.
        tallies: The figures of finished rounds.
        totals: The points before each player, by seat: those of the beginning and of the finished rounds, less the
            prices of this round once its auction is over.
        winners: At the end.
        alerts: What the table should know, in the order it came up.
    """

    rules: Rules
    seats: int
    phase: str = "start"
    round: int = 1
    starter: int | None = None
    leader: int | None = None
    may_start: tuple[int, ...] | None = None
    dealt: Hands | None = None
    bids: int = 0
    bidder: int | None = None
    lots: tuple[int | None, ...] = ()
    prices: tuple[int | None, ...] = ()
    table: tuple[Laid, ...] = ()
    last_trick: LastTrick[Laid] | None = None
    left: tuple[int, ...] = ()
    tricks: tuple[int, ...] = ()
    aces: tuple[int, ...] = ()
    laid: int = 0
    hands: Hands | None = None
    rounds: tuple[tuple[int, ...], ...] = ()
    tallies: tuple[RoundFigures, ...] = ()
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None = None
    alerts: tuple[Alert, ...] = ()

    @property
    def turn(self) -> int | None:
        """Return the seat to act."""
        if self.phase == "auction":
            return self.bidder
        if self.leader is None:
            return None
        return (self.leader + len(self.table)) % self.seats

    @property
    def teams(self) -> tuple[int, int] | None:
        """Return the points by pair of seats opposite each other, where they play together."""
        totals = self.totals
        return (totals[0] + totals[2], totals[1] + totals[3]) if self.rules.teams else None

    @property
    def awaits_lots(self) -> bool:
        """Tell whether the lots may still be entered."""
        if self.dealt is not None:
            return False
        if self.phase == "auction":
            return not self.bids
        untouched = self.phase == "play" and not self.table and min(self.left) == HAND
        return untouched and not self.rules.auction


def start(seats: int, rules: Rules) -> State:
    """Open a game; the table names who starts.

    Raises:
        Refused: The rules do not fit the number of players.
    """
    rules.check(seats)
    state = State(rules=rules, seats=seats, totals=(POINTS,) * seats)
    return replace(fresh(state, None), may_start=tuple(range(seats)))


def fresh(state: State, starter: int | None) -> State:
    """Put everything that counts within a round back to its beginning."""
    nobody, unknown = (0,) * state.seats, (None,) * state.seats
    return replace(
        state,
        starter=starter,
        leader=None,
        may_start=None,
        dealt=None,
        bids=0,
        bidder=None,
        lots=unknown,
        prices=unknown,
        table=(),
        last_trick=None,
        left=(HAND,) * state.seats,
        tricks=nobody,
        aces=nobody,
        laid=0,
        hands=None,
    )


def opened(state: State, starter: int) -> State:
    """Open a round: the bids come first, from the starter's left; in the easy game the cards."""
    state = fresh(state, starter)
    if state.rules.auction:
        return replace(state, phase="auction", bidder=(starter + 1) % state.seats)
    return replace(state, phase="play", leader=starter)


def snapshot(state: State) -> dict[str, Any]:
    """Return the state as the log format shows it."""
    return snapshot_of(
        "gear",
        state,
        "phase round starter turn leader may_start lots prices table last_trick left tricks aces rounds totals teams"
        " winners alerts",
    )
