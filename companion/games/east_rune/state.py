"""State of East Rune (field, columns, chairs, hands) and its snapshot for the log."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.cards import Card, Suit
from companion.core.game import Progress
from companion.games.kit import snapshot_of

from .cards import MONARCHS_IN_ALL, dealt_to_each
from .options import Rules

Front = tuple[tuple[Card, ...], ...]
"""Columns in front of a player, oldest first, each from bottom to top."""
TURNS = ("play", "chain", "extra", "extra-chain")
"""Phases in which a player lays cards."""


class CapturedCard(Struct, frozen=True, gc=False):
    """A captured card and the player it is dealt to."""

    player: int
    card: Card


class MissedClaim(Struct, frozen=True, tag_field="kind", tag="unclaimed", gc=False):
    """Alert: nobody claimed a chair although somebody must hold a monarch for it."""

    chair: Card


class State(Struct, frozen=True, kw_only=True, gc=False):
    """State: a game of East Rune at one moment; immutable."""

    rules: Rules
    seats: int
    phase: str = "start"  # start, reveal, claim, play, chain, extra, extra-chain or over
    round: int = 1
    finished: int = 0  # number of rounds played to their end; fewer than the game has if its result was entered before
    turn: int | None = None  # seat to act
    dealer: int | None = None  # seat that turns up this round's card
    given: int | None = None  # first dealer, if dealt one card more (blank character); else None
    may_start: tuple[int, ...] | None = None  # seats that may deal first; in phase start only
    chairs_up: tuple[Card, ...] = ()  # chairs on the field, in order of appearance
    pile: tuple[Card, ...] = ()  # characters on the field, from bottom to top
    follows: Suit | None = None  # domain that follows the top character; None if any may follow
    turns: int = 1  # turns of this round so far, the current one included
    last: int | None = None  # seat that laid the last vassal of this round
    chain: tuple[Card, ...] = ()  # cards laid in this turn, or in the last turn in which cards were laid
    passed: tuple[int, ...] = ()  # seats out for this round, in ascending order
    hand: tuple[int, ...]  # number of cards in hand, by seat
    chairs: tuple[int, ...]  # captured chairs, by seat
    monarchs: tuple[int, ...]  # monarchs in front, by seat
    front: tuple[Front, ...]  # columns in front, by seat
    dealt: tuple[CapturedCard, ...] = ()  # cards dealt out by the last capture, in order
    seats_seen: tuple[Card, ...] = ()  # chairs turned up so far
    monarchs_seen: tuple[Card, ...] = ()  # monarchs that have left the deck or a hand so far
    vassals_seen: int = 0  # number of vassals that have left a hand so far, without the blank character
    blank_hidden: bool  # whether some hand still holds the blank character
    alerts: tuple[MissedClaim, ...] = ()
    winners: tuple[int, ...] | None = None

    @property
    def needs(self) -> Suit | None:
        """Return the domain that must come next; None if any may, or if no card is due."""
        return self.follows if self.phase in TURNS else None

    @property
    def rounds(self) -> int:
        """Return the number of rounds of a game: one per card of the deck that is turned up."""
        return MONARCHS_IN_ALL + self.rules.blank_chair

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the points by seat if the game ended now (East Rune, score)."""
        if self.seats == 2:
            return tuple(2 * monarchs - hand for monarchs, hand in zip(self.monarchs, self.hand, strict=True))
        return tuple(
            2 * chairs + monarchs - hand + (seat == self.given)
            for seat, (chairs, monarchs, hand) in enumerate(zip(self.chairs, self.monarchs, self.hand, strict=True))
        )


def start(seats: int, rules: Rules) -> State:
    """Return the state of a new game, before the first dealer is named."""
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
    """Return the state at the start of a round, before its dealer turns up a card."""
    return replace(state, phase="reveal", dealer=dealer, turn=dealer, turns=1, last=None, passed=())


def uncovered(state: State, seat: int) -> tuple[Card, ...]:
    """Return the vassals on top of a seat's columns, without duplicates, oldest column first."""
    return tuple(dict.fromkeys(column[-1] for column in state.front[seat]))


def progress(state: State) -> Progress:
    return Progress(state.totals, state.winners, state.turn, state.round, state.phase, None, state.may_start)


def snapshot(state: State) -> dict[str, Any]:
    return snapshot_of(
        "east-rune",
        state,
        "phase round turn dealer may_start needs field passed hand chairs monarchs front dealt totals winners alerts",
        needs=state.needs and state.needs.name,
        field={"chairs": state.chairs_up, "cards": state.pile},
    )
