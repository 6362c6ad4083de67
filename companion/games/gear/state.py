"""State of Gear (auction, trick, open hands, scores) and its snapshot for the log."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import Progress
from companion.core.text import N_
from companion.games.kit import PhaseCheck, snapshot_of
from companion.games.kit.tricks import LastTrick

from .cards import HAND, POINTS
from .legal_plays import Hands
from .options import Rules


class LaidCards(Struct, frozen=True, gc=False):
    """The card or two cards that a seat laid in a trick."""

    player: int
    cards: tuple[Card, ...]


class Revoke(Struct, frozen=True, tag_field="kind", tag="revoke", gc=False):
    """A play that does not follow, though the open hand had a card that does."""

    round: int
    player: int
    card_no: int


class Overbid(Struct, frozen=True, tag_field="kind", tag="overbid", gc=False):
    """Alert: a player bid more than their points."""

    round: int
    player: int


PHASES = PhaseCheck(
    {
        "start": N_("first say who starts"),
        "auction": N_("first comes the auction"),
        "play": N_("the cards of a trick come next"),
    }
)
Alert = Revoke | Overbid


class RoundFigures(Struct, frozen=True, gc=False):
    """Figures of a finished round, by seat."""

    tricks: tuple[int, ...]
    aces: tuple[int, ...]
    prices: tuple[int | None, ...]


class State(Struct, frozen=True, kw_only=True, gc=False):
    """State: a game of Gear at one moment; immutable."""

    rules: Rules
    seats: int
    phase: str = "start"  # start, auction, play or over
    round: int = 1
    starter: int | None = None  # seat that started this round
    leader: int | None = None  # seat that leads this trick; None in the auction
    may_start: tuple[int, ...] | None = None  # seats that may start; in phase start only
    dealt: Hands | None = None  # the lots as bags of cards, if they were entered
    bids: int = 0  # number of bids made
    bidder: int | None = None  # seat that bids next, in the auction
    lots: tuple[int | None, ...] = ()  # by lot, the seat that holds it or bids highest for it
    prices: tuple[int | None, ...] = ()  # standing bid, by seat
    table: tuple[LaidCards, ...] = ()  # plays of this trick, in the order laid
    last_trick: LastTrick[LaidCards] | None = None  # the previous trick, unless it was entered as a whole
    left: tuple[int, ...] = ()  # number of cards still to play, by seat
    tricks: tuple[int, ...] = ()  # tricks won in this round, by seat
    aces: tuple[int, ...] = ()  # aces taken in this round, by seat
    laid: int = 0  # bag of the cards laid in this round
    hands: Hands | None = None  # bags of what is left of the open hands, by seat; None if they are not known
    rounds: tuple[tuple[int, ...], ...] = ()  # points of the finished rounds, prices deducted, by seat
    tallies: tuple[RoundFigures, ...] = ()
    # points by seat: initial points and finished rounds, less this round's prices once the auction is over
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None = None
    alerts: tuple[Alert, ...] = ()

    @property
    def turn(self) -> int | None:
        if self.phase == "auction":
            return self.bidder
        if self.leader is None:
            return None
        return (self.leader + len(self.table)) % self.seats

    @property
    def teams(self) -> tuple[int, int] | None:
        """Return the points of both teams (opposite seats); None without teams."""
        totals = self.totals
        return (totals[0] + totals[2], totals[1] + totals[3]) if self.rules.teams else None

    @property
    def awaits_lots(self) -> bool:
        if self.dealt is not None:
            return False
        if self.phase == "auction":
            return not self.bids
        untouched = self.phase == "play" and not self.table and min(self.left) == HAND
        return untouched and not self.rules.auction


def start(seats: int, rules: Rules) -> State:
    """Return the state of a new game, before the starter is named."""
    rules.check(seats)
    state = State(rules=rules, seats=seats, totals=(POINTS,) * seats)
    return replace(fresh(state, None), may_start=tuple(range(seats)))


def fresh(state: State, starter: int | None) -> State:
    """Return the state with all fields of the round reset."""
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
    """Return the state at the start of a round: the seat after the starter bids first.

    In the easy game there is no auction; the starter leads.
    """
    state = fresh(state, starter)
    if state.rules.auction:
        return replace(state, phase="auction", bidder=(starter + 1) % state.seats)
    return replace(state, phase="play", leader=starter)


def progress(state: State) -> Progress:
    return Progress(state.totals, state.winners, state.turn, state.round, state.phase, state.leader, state.may_start)


def snapshot(state: State) -> dict[str, Any]:
    return snapshot_of(
        "gear",
        state,
        "phase round starter turn leader may_start lots prices table last_trick left tricks aces rounds totals teams"
        " winners alerts",
    )
