"""Hipparchus: its cards, events, options and state, and `apply`, the state after an event.

Section names in parentheses refer to the written rules, e.g. "Hipparchus, round score".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from companion.core.cards import Suit
from companion.core.game import Event, Progress, RuleOption, Start, check_seat, check_turn
from companion.core.text import N_, NC_, NN_, IllegalEventError, Seat, Text
from companion.games.kit import added, applier, changed, check_no_negative, check_trick_begins, put, snapshot_of
from companion.games.kit.tricks import LastTrick

SUN = Suit("sun", N_("Sun"), (255, 140, 0))
MOON = Suit("moon", N_("Moon"), (150, 150, 255))
EARTH = Suit("earth", NC_("planet", "Earth"), (0, 200, 40), sign="globe")
SUITS = (SUN, MOON, EARTH)
PLACE = {suit.name: place for place, suit in enumerate(SUITS)}
IN_SUIT = 10
HAND = 14
DEALT = 2 * HAND
MOST = 3
"""Most cards in one play (Hipparchus, a trick)."""
WINS = 2
"""Number of rounds that wins the game (Hipparchus, end)."""

SuitName = Literal["sun", "moon", "earth"]
SUIT_NAMES: tuple[SuitName, ...] = ("sun", "moon", "earth")
_PLAYS = (
    NN_("{count} sun", "{count} suns"),
    NN_("{count} moon", "{count} moons"),
    NN_("{count} earth", "{count} earths"),
)

Counts = tuple[int, ...]
"""Number of cards of each suit, in the order of `SUITS`."""


def cards_text(count: int, suit: str) -> Text:
    """Return a number of cards of one suit in words.

    >>> str(cards_text(2, "moon"))
    '2 moons'
    """
    return Text(_PLAYS[PLACE[suit]], count=count)


# Events


class Play(Event, frozen=True, tag="play"):
    """Event: a player lays one to three cards of a suit."""

    player: int
    suit: SuitName
    count: int


class Stuck(Event, frozen=True, tag="stuck"):
    """Event: the second player of a trick cannot lay anything; the round ends."""

    player: int


class TrickCards(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The cards of a trick, counted by suit; a suit left out counts 0."""

    sun: int = 0
    moon: int = 0
    earth: int = 0

    @property
    def counts(self) -> Counts:
        return (self.sun, self.moon, self.earth)


class Trick(Event, frozen=True, tag="trick"):
    """Event: a whole trick: its winner and all its cards."""

    winner: int
    captured: TrickCards


class End(Event, frozen=True, tag="end"):
    """Event: ends a round that was entered trick by trick."""


class RoundPile(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's captured cards in a round; every suit must be given."""

    sun: int
    moon: int
    earth: int

    @property
    def counts(self) -> Counts:
        return (self.sun, self.moon, self.earth)


class Round(Event, frozen=True, tag="round"):
    """Event: a whole round; both piles, optionally who laid second in the last complete trick."""

    captured: tuple[RoundPile, RoundPile]
    second: int | UnsetType = UNSET


EVENTS = (Play, Stuck, Trick, End, Round)


# Options


PLAYERS = range(2, 3)


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Options: none; Hipparchus has no rule variants."""


OPTIONS: tuple[RuleOption, ...] = ()


# State


Both = tuple[Counts, ...]
"""The cards of each suit, by seat."""
NONE: Counts = (0, 0, 0)
NOTHING: Both = (NONE, NONE)


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
    left: tuple[int, ...] = (HAND, HAND)  # cards left in hand, by seat; an upper limit unless ``known``
    known: bool = True  # whether hand sizes are exact: no trick of this round was entered as a whole
    trick: int = 1  # trick number in this round, from 1
    second: int | None = None  # seat that laid second in the last completed trick of this round
    rounds: tuple[RoundResult, ...] = ()
    sheets: tuple[Both, ...] = ()  # cards captured in the finished rounds
    winners: tuple[int, ...] | None = None
    alerts: ClassVar[tuple[()]] = ()  # nothing that is entered proves an earlier entry wrong

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
        return laid_with(added(*self.captured), self.table)


def laid_with(counts: Counts, table: tuple[LaidCards, ...]) -> Counts:
    """Return the cards of each suit with those of some plays."""
    for laid in table:
        counts = changed(counts, PLACE[laid.suit], laid.count)
    return counts


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
    )


# What events do


def _apply_start(state: State, event: Start) -> State:
    check_seat(event.player, 2)
    return replace(state, phase="play", leader=event.player, may_start=None)


def _apply_play(state: State, event: Play) -> State:
    leader = _leader(state)
    check_turn(event.player, state.turn, 2)
    suit, count = SUITS[PLACE[event.suit]], event.count
    if not 1 <= count <= MOST:
        raise IllegalEventError("count", N_("a play is 1 to 3 cards"))
    if state.table and (state.table[0].suit, state.table[0].count) == (event.suit, count):
        raise IllegalEventError(
            "same", N_("not {cards} again: another suit or number"), cards=cards_text(count, suit.name)
        )
    if count > state.left[event.player]:
        raise _hand_too_small(state, event.player)
    play = LaidCards(event.player, event.suit, count)
    _check_available(state.shown, laid_with(NONE, (play,)))
    left = changed(state.left, event.player, -count)
    table = (*state.table, play)
    if len(table) == 1:
        return replace(state, table=table, left=left)
    winner = taker(table, state.captured)
    captured = put(state.captured, winner, laid_with(state.captured[winner], table))
    state = replace(
        state,
        leader=winner,
        table=(),
        last_trick=LastTrick(table, winner),
        captured=captured,
        left=left,
        trick=state.trick + 1,
        second=1 - leader,
    )
    return ended(state, 1 - leader) if state.known and 0 in left else state


def _apply_stuck(state: State, event: Stuck) -> State:
    leader = _leader(state)
    if state.table:
        check_turn(event.player, state.turn, 2)
    elif state.known:
        raise IllegalEventError("lead", N_("nobody is stuck before something is led"))
    else:  # neither the lead nor the tricks before it were entered play by play
        check_seat(event.player, 2)
        if event.player == leader:
            raise IllegalEventError("turn", N_("{player} leads, and can always lay"), player=Seat(leader))
    return ended(replace(state, table=()), event.player if state.second is None else state.second)


def _apply_trick(state: State, event: Trick) -> State:
    leader = _leader(state)
    check_trick_begins(state.table)
    check_seat(event.winner, 2)
    counts = event.captured.counts
    _check_available(state.shown, counts)
    plays_of(state, event)
    return replace(
        state,
        leader=event.winner,
        last_trick=None,
        captured=put(state.captured, event.winner, added(state.captured[event.winner], counts)),
        known=False,
        trick=state.trick + 1,
        second=1 - leader,
    )


def _apply_end(state: State, _event: End) -> State:
    if state.known:
        raise IllegalEventError("known", N_("where every play is entered, a round ends by itself"))
    return ended(replace(state, table=()), state.second)


def _apply_round(state: State, event: Round) -> State:
    piles = event.captured[0].counts, event.captured[1].counts
    check_no_negative(*piles)
    for suit, ours, theirs in zip(SUITS, *piles, strict=True):
        if ours + theirs > IN_SUIT:
            raise IllegalEventError(
                "suit-sum", N_("{sum} {suit} in all, but there are 10"), sum=ours + theirs, suit=suit
            )
    if sum(piles[0]) + sum(piles[1]) > DEALT:
        raise IllegalEventError("sum", N_("{sum} cards in all, but 28 were dealt"), sum=sum(piles[0]) + sum(piles[1]))
    second = None if isinstance(event.second, UnsetType) else event.second
    if second is not None:
        check_seat(second, 2)
    elif tied(piles):
        raise IllegalEventError("second", N_("the points tie: say who laid second in the last trick"))
    return ended(replace(fresh(state), captured=piles), second)


apply: Callable[[State, Event], State] = applier(
    {
        Start: (["start"], _apply_start),
        Play: (["play"], _apply_play),
        Stuck: (["play"], _apply_stuck),
        Trick: (["play"], _apply_trick),
        End: (["play"], _apply_end),
        Round: ([], _apply_round),
    },
    {"start": N_("first say who starts"), "play": N_("who leads is known already")},
)


# Checks


def _leader(state: State) -> int:
    """Return the seat that leads; somebody has started."""
    assert state.leader is not None
    return state.leader


def _hand_too_small(state: State, player: int) -> IllegalEventError:
    left = state.left[player]
    if state.known:
        return IllegalEventError("hand", N_("{player} has only {left} left"), player=Seat(player), left=left)
    return IllegalEventError("hand", N_("{player} has at most {left} left"), player=Seat(player), left=left)


def _check_available(shown: Counts, more: Counts) -> None:
    for suit, before, count in zip(SUITS, shown, more, strict=True):
        if before + count > IN_SUIT:
            few = N_("only {left} {suit} left") if before < IN_SUIT else N_("no {suit} left")
            raise IllegalEventError("suit", few, left=IN_SUIT - before, suit=suit)
    if sum(shown) + sum(more) > DEALT:
        raise IllegalEventError("dealt", N_("cards left of the 28: {left}"), left=DEALT - sum(shown))


# A trick


def taker(table: tuple[LaidCards, ...], captured: Both) -> int:
    """Return the seat that takes a trick, by the cards captured before it (Hipparchus, a trick)."""
    lead, reply = table
    if lead.suit == reply.suit:
        return lead.player if lead.count > reply.count else reply.player
    leads = captured[lead.player][PLACE[lead.suit]] < captured[reply.player][PLACE[reply.suit]]
    return lead.player if leads else reply.player


def plays_of(state: State, trick: Trick) -> tuple[LaidCards, LaidCards]:
    """Return a lead and a reply that explain a whole trick, in an order that hands and captured cards allow.

    Raises:
        IllegalEventError: No two legal plays give this trick with this winner.
    """
    leader = _leader(state)
    one, other = _two_plays(trick.captured.counts)
    orders = ((one, other), (other, one))
    tables = tuple((LaidCards(leader, *lead), LaidCards(1 - leader, *reply)) for lead, reply in orders)
    won = tuple(table for table in tables if taker(table, state.captured) == trick.winner)
    if not won:
        text = N_("by what both have captured, {player} did not win this trick")
        raise IllegalEventError("winner", text, player=Seat(trick.winner))
    for table in won:
        if all(laid.count <= state.left[laid.player] for laid in table):
            return table
    raise IllegalEventError("hand", N_("the hands do not hold so many cards"))


def _two_plays(cards: Counts) -> tuple[tuple[SuitName, int], tuple[SuitName, int]]:
    laid = [(suit, count) for suit, count in zip(SUIT_NAMES, cards, strict=True) if count]
    if len(laid) == 1 and MOST <= laid[0][1] < 2 * MOST:  # 1 and 2, 1 and 3, or 2 and 3 cards
        suit, count = laid[0]
        less = (count - 1) // 2
        return (suit, less), (suit, count - less)
    if len(laid) == 2 and all(1 <= count <= MOST for _suit, count in laid):
        return laid[0], laid[1]
    raise IllegalEventError("captured", N_("a trick is 3 to 5 cards of one suit, or 1 to 3 of each of two"))


# The end of a round


def points(captured: Both) -> tuple[int, int]:
    """Return the points of each seat in a round (Hipparchus, round score)."""
    pairs = tuple(zip(*captured, strict=True))
    return (
        sum(theirs for ours, theirs in pairs if ours > theirs),
        sum(ours for ours, theirs in pairs if theirs > ours),
    )


def tied(captured: Both) -> bool:
    ours, theirs = points(captured)
    return ours == theirs


def ended(state: State, second: int | None) -> State:
    """Return the state after a round: result recorded, next round opened or game over.

    Args:
        second: Seat that laid second in the last completed trick, or is stuck in the first; it wins a tie.
    """
    earned = points(state.captured)
    if earned[0] == earned[1]:
        assert second is not None  # every event that ends a round in a tie says so
        winner = second
    else:
        winner = int(earned[1] > earned[0])
    rounds, sheets = (*state.rounds, RoundResult(earned, winner)), (*state.sheets, state.captured)
    state = replace(state, rounds=rounds, sheets=sheets, may_start=None)
    if state.wins[winner] == WINS:
        return replace(state, phase="over", leader=None, winners=(winner,))
    return replace(fresh(state), phase="play", round=state.round + 1, leader=winner)
