"""State of Eternity (columns, trump, trick, scores) and its snapshot for the log."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.cards import Card, Suit
from companion.core.game import Progress
from companion.games.kit import snapshot_of
from companion.games.kit.tricks import Doubts, LastTrick, Revoke

from .cards import PLACE, SUITS, pledges_in_trick
from .options import Rules

Columns = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
EMPTY: Columns = ((), (), ())


class LaidCard(Struct, frozen=True, gc=False):
    """A card on the table, played in the trick or pledged."""

    player: int
    card: Card
    pledge: bool


class TokensExceededAlert(Struct, frozen=True, tag_field="kind", tag="tokens", gc=False):
    """Alert: more trees were pledged than there are tokens."""

    round: int
    out: int


Alerts = tuple[Revoke | TokensExceededAlert, ...]


class State(Struct, frozen=True, kw_only=True, gc=False):
    """State: a game of Eternity at one moment; immutable."""

    rules: Rules
    seats: int
    phase: str = "start"  # start, deal, reveal, play or over
    round: int = 1
    trick: int = 1  # trick number, from 1; once the game is over, the last one
    leader: int | None = None  # seat that leads this trick
    dealer: int | None = None  # seat that started this round
    may_start: tuple[int, ...] | None = None  # seats that may start; in phase start only
    columns: Columns = EMPTY  # cards under each suit's tile, in order of arrival
    trump: Suit | None = None  # trump suit, by the columns at the start of the trick
    pair: tuple[Card, ...] = ()  # neutral pair that joins the columns when this trick ends (2 players)
    turned: bool = False  # whether this trick's neutral pair was turned up (2 players)
    table: tuple[LaidCard, ...] = ()  # cards of this trick, in the order laid
    last_trick: LastTrick[LaidCard] | None = None  # the previous trick, unless it was entered as a whole
    tricks: tuple[int, ...] = ()  # tricks won in this round, by seat
    trees: tuple[int, ...] = ()  # trees pledged in this round, by seat
    seen: int = 0  # bit mask of the cards seen in this round
    doubts: Doubts = ()  # plays off suit that may still prove to be revokes, by seat
    rounds: tuple[tuple[int, ...], ...] = ()  # recorded points of the finished rounds, by seat
    sheets: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] = ()  # tricks and trees of the finished rounds, by seat
    totals: tuple[int, ...]  # sum of the recorded points, by seat
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
        return pledges_in_trick(self.seats) - sum(laid.pledge for laid in self.table)


def start(seats: int, rules: Rules) -> State:
    """Return the state of a new game, before the starter is named."""
    rules.check(seats)
    state = State(rules=rules, seats=seats, totals=(0,) * seats)
    return replace(fresh(state, None), may_start=tuple(range(seats)))


def fresh(state: State, starter: int | None) -> State:
    """Return the state with all fields of the round reset."""
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
    """Return the trump: the suit with the longest column, on a tie the leftmost; None if all columns are empty.

    Args:
        tiles: Suit indices from left to right.
    """
    best = max(tiles, key=lambda place: len(columns[place]))  # max returns the first of equals: the leftmost
    return SUITS[best] if columns[best] else None


def forecast(columns: Columns, tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Return, for each suit, how many more cards would make it trump if the other columns stay unchanged."""
    trump = trump_by(columns, tiles)
    more = []
    for place, suit in enumerate(SUITS):
        needed = [len(columns[other]) + (tiles.index(other) < tiles.index(place)) for other in tiles if other != place]
        more.append(0 if suit is trump else max(1, *needed) - len(columns[place]))
    return tuple(more)


def joined(columns: Columns, cards: tuple[Card, ...]) -> Columns:
    if not cards:
        return columns
    sea, sky, earth = (
        column + tuple(card for card in cards if card.suit is suit) for column, suit in zip(columns, SUITS, strict=True)
    )
    return sea, sky, earth


def trump_of(rules: Rules, columns: Columns) -> Suit | None:
    """Return the trump, with the tiles as the rules place them."""
    return trump_by(columns, rules.left_to_right())


def progress(state: State) -> Progress:
    return Progress(state.totals, state.winners, state.turn, state.round, state.phase, state.leader, state.may_start)


def snapshot(state: State) -> dict[str, Any]:
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
