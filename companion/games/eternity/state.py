"""State of Eternity: columns, trump, trick and scores, with its snapshot for the log."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.cards import Card, Suit
from companion.games.kit.snapshots import snapshot_of
from companion.games.kit.tricks import LastTrick

from .cards import PLACE, SUITS, pledges_in_trick
from .options import Rules

Columns = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
EMPTY: Columns = ((), (), ())


class Laid(Struct, frozen=True, gc=False):
    """A card on the table, in the trick or pledged."""

    player: int
    card: Card
    pledge: bool


class PossibleRevoke(Struct, frozen=True, gc=False):
    """A play off suit: a revoke, should the same hand later show a card of these suits."""

    trick: int
    suits: tuple[Suit, ...]


class Revoke(Struct, frozen=True, tag_field="kind", tag="revoke", gc=False):
    """A wrong play, proved by a card of the same hand."""

    round: int
    player: int
    trick: int
    shown_in: int
    card: Card


class TokensExceeded(Struct, frozen=True, tag_field="kind", tag="tokens", gc=False):
    """More trees pledged than there are tokens."""

    round: int
    out: int


Alerts = tuple[Revoke | TokensExceeded, ...]
Doubts = tuple[tuple[PossibleRevoke, ...], ...]
"""Plays off suit that nothing has proved wrong yet, by seat."""


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A game of Eternity at one moment.

    Attributes:
        rules: What the table agreed on.
        seats: How many play.
        phase: start, deal, reveal, play or over.
        round: From 1.
        trick: From 1; when the game is over the number of tricks.
        leader: Who leads this trick.
        dealer: Who started this round.
        may_start: Who may be named, in phase start.
        columns: The cards under each suit's tile, in the order they came.
        trump: By the columns as they were when the trick began.
        pair: The neutral pair that joins the columns when this trick ends (2 players).
        turned: Whether this trick's neutral pair was turned up (2 players).
        table: This trick's cards, in the order laid.
        last_trick: The trick before, unless it was entered as a whole.
        tricks: Won in this round, by seat.
        trees: Pledged in this round, by seat.
        seen: The cards seen in this round, as the deck's bits.
        doubts: Plays off suit that nothing has proved wrong yet, by seat.
        rounds: The points of finished rounds as written down, by seat.
        sheets: The tricks and trees of finished rounds, by seat.
        totals: The points of the finished rounds together, by seat.
        winners: At the end.
        alerts: What the table should know, in the order it came up.
    """

    rules: Rules
    seats: int
    phase: str = "start"
    round: int = 1
    trick: int = 1
    leader: int | None = None
    dealer: int | None = None
    may_start: tuple[int, ...] | None = None
    columns: Columns = EMPTY
    trump: Suit | None = None
    pair: tuple[Card, ...] = ()
    turned: bool = False
    table: tuple[Laid, ...] = ()
    last_trick: LastTrick[Laid] | None = None
    tricks: tuple[int, ...] = ()
    trees: tuple[int, ...] = ()
    seen: int = 0
    doubts: Doubts = ()
    rounds: tuple[tuple[int, ...], ...] = ()
    sheets: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None = None
    alerts: Alerts = ()

    @property
    def turn(self) -> int | None:
        """Return the seat to act; with 2 players a trick goes A, B, B, A."""
        if self.leader is None or self.phase not in ("play", "reveal"):
            return None
        if self.seats == 2:
            return self.leader ^ (0, 1, 1, 0)[len(self.table)]
        return (self.leader + len(self.table)) % self.seats

    @property
    def pledges_left(self) -> int:
        """Return how many may still pledge in this trick."""
        return pledges_in_trick(self.seats) - sum(laid.pledge for laid in self.table)


def start(seats: int, rules: Rules) -> State:
    """Open a game; the table names who starts.

    Raises:
        Refused: The rules do not fit the number of players.
    """
    rules.check(seats)
    state = State(rules=rules, seats=seats, totals=(0,) * seats)
    return replace(fresh(state, None), may_start=tuple(range(seats)))


def fresh(state: State, starter: int | None) -> State:
    """Put everything that counts within a round back to its beginning."""
    nobody = (0,) * state.seats
    return replace(
        state,
        leader=starter,
        dealer=starter,
        may_start=None,
        trick=1,
        columns=EMPTY,
        trump=None,
        pair=(),
        turned=False,
        table=(),
        last_trick=None,
        tricks=nobody,
        trees=nobody,
        seen=0,
        doubts=((),) * state.seats,
    )


def trump_by(columns: Columns, tiles: tuple[int, ...]) -> Suit | None:
    """Return the trump: most cards, then the tile furthest left; None with all columns empty.

    Args:
        columns: Cards by the suit's place.
        tiles: The places of the suits from left to right.
    """
    best = max(tiles, key=lambda place: len(columns[place]))  # max keeps the first of equals: the leftmost
    return SUITS[best] if columns[best] else None


def forecast(columns: Columns, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Return for each suit how many more cards would make it trump, the other columns unchanged."""
    trump = trump_by(columns, tiles)
    more = []
    for place, suit in enumerate(SUITS):
        needed = [len(columns[other]) + (tiles.index(other) < tiles.index(place)) for other in tiles if other != place]
        more.append(0 if suit is trump else max(1, *needed) - len(columns[place]))
    return tuple(more)


def joined(columns: Columns, cards: tuple[Card, ...]) -> Columns:
    """Return the columns with some cards added, in the order they came."""
    if not cards:
        return columns
    sea, sky, earth = (
        column + tuple(card for card in cards if card.suit is suit) for column, suit in zip(columns, SUITS, strict=True)
    )
    return sea, sky, earth


def trump_of(rules: Rules, columns: Columns) -> Suit | None:
    """Return the trump by a table's own tiles."""
    return trump_by(columns, rules.left_to_right())


def snapshot(state: State) -> dict[str, Any]:
    """Return the state as the log format shows it."""
    return snapshot_of(
        "eternity",
        state,
        "phase round trick turn leader dealer may_start trump forecast columns pledges_left table last_trick"
        " tricks trees rounds totals winners alerts",
        trump=state.trump and state.trump.name,
        forecast=_by_suit(forecast(state.columns, state.rules.left_to_right())),
        columns=_by_suit(state.columns),
    )


def _by_suit(values: tuple[Any, ...]) -> dict[str, Any]:
    return {suit.name: values[PLACE[suit]] for suit in SUITS}
