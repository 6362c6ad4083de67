"""State of East Rune: field, columns, chairs and hands, with its snapshot for the log."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.cards import Card, Suit
from companion.games.kit.snapshots import snapshot_of

from .cards import MONARCHS_IN_ALL, dealt_to_each
from .options import Rules

Front = tuple[tuple[Card, ...], ...]
"""The columns in front of a player, oldest first, each from the bottom to the top."""
TURNS = ("play", "chain", "extra", "extra-chain")
"""The phases in which a player lays cards."""


class Dealt(Struct, frozen=True, gc=False):
    """A captured card dealt out."""

    player: int
    card: Card


class UnclaimedChair(Struct, frozen=True, tag_field="kind", tag="unclaimed", gc=False):
    """A chair that nobody claimed though somebody held a monarch for it."""

    chair: Card


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A game of East Rune at one moment.

    Attributes:
        rules: What the table agreed on.
        seats: How many play.
        phase: start, reveal, claim, play, chain, extra, extra-chain or over.
        round: From 1.
        turn: Who is to act.
        dealer: Who turns up the card of this round.
        given: The first dealer, where that player was given the card left over.
        may_start: Who may be named, in phase start.
        chairs_up: The chairs on the field, in the order they came.
        pile: The characters on the field, from the bottom to the top.
        follows: The domain that follows the last character; None where any may come.
        last: Who laid the last vassal of this round.
        chain: What was laid in this turn, or in the latest one in which anything was.
        passed: Who is out for this round, in order of number.
        hand: How many cards are in each hand.
        chairs: Captured, by seat.
        monarchs: In front of each seat.
        front: The columns in front of each seat.
        dealt: What the last capture dealt out, in order.
        seats_seen: The chairs turned up so far.
        monarchs_seen: The monarchs that have left the deck or a hand so far.
        vassals_seen: How many vassals have left a hand so far, the blank one not among them.
        blank_hidden: Whether a hand, nobody knows which, still holds the blank character.
        alerts: What the table should know, in the order it came up.
        winners: At the end.
    """

    rules: Rules
    seats: int
    phase: str = "start"
    round: int = 1
    turn: int | None = None
    dealer: int | None = None
    given: int | None = None
    may_start: tuple[int, ...] | None = None
    chairs_up: tuple[Card, ...] = ()
    pile: tuple[Card, ...] = ()
    follows: Suit | None = None
    last: int | None = None
    chain: tuple[Card, ...] = ()
    passed: tuple[int, ...] = ()
    hand: tuple[int, ...]
    chairs: tuple[int, ...]
    monarchs: tuple[int, ...]
    front: tuple[Front, ...]
    dealt: tuple[Dealt, ...] = ()
    seats_seen: tuple[Card, ...] = ()
    monarchs_seen: tuple[Card, ...] = ()
    vassals_seen: int = 0
    blank_hidden: bool
    alerts: tuple[UnclaimedChair, ...] = ()
    winners: tuple[int, ...] | None = None

    @property
    def needs(self) -> Suit | None:
        """Return the domain that must come next; None where any may, or nobody lays a card."""
        return self.follows if self.phase in TURNS else None

    @property
    def rounds(self) -> int:
        """Return how many rounds the game has: one for each card of the deck."""
        return MONARCHS_IN_ALL + self.rules.blank_chair

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the points by seat as if the game ended now (East Rune, score)."""
        if self.seats == 2:
            return tuple(2 * monarchs - hand for monarchs, hand in zip(self.monarchs, self.hand, strict=True))
        return tuple(
            2 * chairs + monarchs - hand + (seat == self.given)
            for seat, (chairs, monarchs, hand) in enumerate(zip(self.chairs, self.monarchs, self.hand, strict=True))
        )


def start(seats: int, rules: Rules) -> State:
    """Open a game; the table names the first dealer.

    Raises:
        Refused: The rules do not fit the number of players.
    """
    rules.check(seats)
    nobody = (0,) * seats
    return State(
        rules=rules,
        seats=seats,
        may_start=tuple(range(seats)),
        hand=(dealt_to_each(seats),) * seats,
        chairs=nobody,
        monarchs=nobody,
        front=((),) * seats,
        blank_hidden=rules.blank_character,
    )


def opened(state: State, dealer: int) -> State:
    """Open a round: its dealer is about to turn up a card."""
    return replace(state, phase="reveal", dealer=dealer, turn=dealer, last=None, passed=())


def uncovered(state: State, seat: int) -> tuple[Card, ...]:
    """Return the vassals in front of a seat that no other card covers, each once, oldest column first."""
    return tuple(dict.fromkeys(column[-1] for column in state.front[seat]))


def snapshot(state: State) -> dict[str, Any]:
    """Return the state as the log format shows it."""
    return snapshot_of(
        "east-rune",
        state,
        "phase round turn dealer may_start needs field passed hand chairs monarchs front dealt totals winners alerts",
        needs=state.needs and state.needs.name,
        field={"chairs": state.chairs_up, "cards": state.pile},
    )
