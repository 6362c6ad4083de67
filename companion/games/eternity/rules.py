"""Eternity: its cards, events, options and state, and `apply`, the state after an event.

Section names in parentheses refer to the written rules, e.g. "Eternity, round score".
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from typing import Any, Literal, get_args

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from companion.core.cards import Card, Deck, Suit
from companion.core.game import Best, Event, RuleOption, RuleValue, Start, check_seat, check_turn
from companion.core.text import N_, NN_, IllegalEventError, Seat, Text, joined
from companion.games.kit import (
    Ending,
    added,
    applier,
    changed,
    check_last,
    check_sheet,
    check_sum,
    check_trick_begins,
    option,
    put,
    snapshot_of,
    to_a_total,
)
from companion.games.kit.tricks import Doubts, LastTrick, OffSuitPlay, Revoke, proved

SEA = Suit("sea", N_("Sea"), (0, 70, 255))
SKY = Suit("sky", N_("Sky"), (255, 30, 0))
EARTH = Suit("earth", N_("Earth"), (0, 200, 40))
SUITS = (SEA, SKY, EARTH)
DECK = Deck.ranked(SUITS, range(1, 15))
TOKENS = 18

SuitName = Literal["sea", "sky", "earth"]


def trees_on(card: Card) -> int:
    """Return a card's pledge value in trees: 0, 1 or 2."""
    return (card.rank >= 5) + (card.rank >= 10)


def tricks_in_round(seats: int) -> int:
    return {2: 7, 5: 8}.get(seats, 10)


def pledges_in_trick(seats: int) -> int:
    """Return the number of pledges allowed in one trick (Eternity, a trick)."""
    return 2 if seats == 5 else 1


def most_trees(seats: int, limited: bool) -> int:
    """Return the most trees that all pledges of a round can be worth.

    All could be made with the most valuable cards: 15 cards are worth two trees, 15 one.
    """
    pledges = tricks_in_round(seats) * pledges_in_trick(seats)
    worth = min(pledges, 15) * 2 + max(pledges - 15, 0)
    return min(worth, TOKENS) if limited else worth


def most_trees_of_seat(seats: int, won: int) -> int:
    """Return the most trees a seat can have that won some tricks.

    With more than 2 players, nobody can win a trick in which they pledge.
    """
    return 2 * (tricks_in_round(seats) - (0 if seats == 2 else won))


# Events


class Deal(Event, frozen=True, tag="deal"):
    """Event: the two cards that start the columns; with 3 players optionally the ten open cards."""

    board: tuple[Card, Card]
    shown: tuple[Card, ...] = ()


class Reveal(Event, frozen=True, tag="reveal"):
    """Event: the neutral pair is turned up (2 players)."""

    cards: tuple[Card, Card]


class Play(Event, frozen=True, tag="play"):
    """Event: a player lays a card in the trick."""

    player: int
    card: Card


class Pledge(Event, frozen=True, tag="pledge"):
    """Event: a player lays a card sideways, as a pledge."""

    player: int
    card: Card


class PledgeInTrick(Struct, frozen=True, forbid_unknown_fields=True):
    """One pledge, when a whole trick is entered at once."""

    player: int
    card: Card


class Trick(Event, frozen=True, tag="trick"):
    """Event: a whole trick: its winner, and its pledges in the order made."""

    winner: int
    pledges: tuple[PledgeInTrick, ...]


class Round(Event, frozen=True, tag="round"):
    """Event: a whole round; tricks and trees by seat, optionally who won the last trick."""

    tricks: tuple[int, ...]
    trees: tuple[int, ...]
    last: int | UnsetType = UNSET


EVENTS = (Deal, Reveal, Play, Pledge, Trick, Round)


# Options


PLAYERS = range(2, 6)
SUIT_NAMES = tuple(suit.name for suit in SUITS)


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Options: Eternity rule variants chosen at set-up."""

    edition: Literal["jp", "fr"] = "jp"
    tiles: tuple[SuitName, SuitName, SuitName] = ("sea", "sky", "earth")  # the trump tiles from left to right
    ending: Ending = Ending(rounds=3)
    # where all neutral pairs but the first go: aside or to the columns (2 players)
    neutral: Literal["aside", "columns"] = "aside"
    # whether substitutes are used once the 18 tree tokens run out, or trees are limited to 18
    tokens: Literal["substitute", "limited"] = "substitute"

    def check(self, seats: int) -> None:
        """Raise if the rules do not fit the number of players."""
        if len(set(self.tiles)) < len(self.tiles):
            raise IllegalEventError("tiles", N_("the tiles are sea, sky and earth, each once"))
        self.ending.check()
        if self.ending.rounds not in (UNSET, 3):
            raise IllegalEventError("ending", N_("a game by rounds has 3 rounds"))
        if self.neutral != "aside" and seats != 2:
            raise IllegalEventError("neutral", N_("the neutral pairs are for 2 players"))

    @property
    def target(self) -> int | None:
        """Return the total to reach, or None in a game by rounds."""
        return None if isinstance(self.ending.target, UnsetType) else self.ending.target

    def left_to_right(self) -> tuple[int, ...]:
        """Return the suits' indices in the order of their tiles."""
        return tuple([SUIT_NAMES.index(name) for name in self.tiles])


def _order(names: tuple[SuitName, ...]) -> RuleValue:
    return RuleValue(joined(next(suit for suit in SUITS if suit.name == name) for name in names), names)


OPTIONS = (
    option(
        "edition",
        N_("Edition"),
        PLAYERS,
        {"jp": N_("Japanese"), "fr": N_("French")},
        lambda language, _rules: "fr" if language == "fr" else "jp",
    ),
    RuleOption("ending", Text(N_("Ending")), (RuleValue(Text(N_("3 rounds")), {"rounds": 3}), to_a_total(20)), PLAYERS),
    RuleOption("tiles", Text(N_("Tiles")), tuple(map(_order, permutations(get_args(SuitName)))), PLAYERS),
    option("tokens", N_("Trees"), PLAYERS, {"substitute": N_("unlimited"), "limited": N_("18 at most")}),
    option(
        "neutral",
        N_("Neutral pairs"),
        range(2, 3),
        {"aside": N_("aside"), "columns": N_("columns")},
        lambda _language, rules: "columns" if rules["edition"] == "fr" else "aside",
    ),
)


# State


Columns = tuple[tuple[Card, ...], ...]
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

    def words(self) -> Text:
        return Text(N_("Round {round}: {out} trees are out, of 18"), round=self.round, out=self.out)


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


KEPT = ("rules", "seats", "phase", "round", "rounds", "sheets", "totals", "winners", "alerts")
"""The fields of a state that a new round keeps; all others get their defaults."""


def fresh(state: State, starter: int | None) -> State:
    """Return the state with all fields of the round reset."""
    nobody = (0,) * state.seats
    kept: dict[str, Any] = {name: getattr(state, name) for name in KEPT}
    return State(**kept, leader=starter, dealer=starter, tricks=nobody, trees=nobody, doubts=((),) * state.seats)


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


def columns_with(columns: Columns, cards: tuple[Card, ...]) -> Columns:
    if not cards:
        return columns
    return tuple(
        column + tuple(card for card in cards if card.suit is suit) for column, suit in zip(columns, SUITS, strict=True)
    )


def trump_of(rules: Rules, columns: Columns) -> Suit | None:
    """Return the trump, with the tiles as the rules place them."""
    return trump_by(columns, rules.left_to_right())


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
    return dict(zip(SUIT_NAMES, values, strict=True))


# The end of a round


def opened(state: State, starter: int) -> State:
    """Return the state at the start of a round whose starter is known."""
    return replace(fresh(state, starter), phase="reveal" if state.seats == 2 else "deal")


def bonus(rules: Rules, number: int) -> int:
    """Return the harmony bonus of a round: the extra points for as many tricks as trees (Eternity, round score)."""
    return 3 if rules.target is not None else (2, 4, 7)[number - 1]


def points(rules: Rules, number: int, tricks: tuple[int, ...], trees: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of each seat in a round (Eternity, round score).

    In a game to a target, only the highest of them are recorded; see `ended`.
    """
    return tuple(
        0 if won < pledged else pledged + bonus(rules, number) * (won == pledged)
        for won, pledged in zip(tricks, trees, strict=True)
    )


def winners_so_far(state: State) -> tuple[int, ...]:
    """Return who wins with the finished rounds: of equal totals, the better last round counts (Eternity, end)."""
    last = state.rounds[-1] if state.rounds else state.totals
    return Best.HIGHEST.seats(tuple(zip(state.totals, last, strict=True)))


def ended(state: State, last: int | None) -> State:
    """Return the state after a round: points recorded, next round opened or game over.

    Args:
        last: Seat that won the last trick, if known.
    """
    earned = points(state.rules, state.round, state.tricks, state.trees)
    written = earned
    if state.rules.target is not None:
        written = tuple(point if point == max(earned) else 0 for point in earned)
    sheets = (*state.sheets, (state.tricks, state.trees))
    totals = added(state.totals, written)
    state = replace(state, rounds=(*state.rounds, written), sheets=sheets, totals=totals)
    if state.rules.ending.reached(state.round, totals):
        return replace(state, phase="over", leader=None, winners=winners_so_far(state))
    if state.rules.edition == "fr":
        candidates = tuple(seat for seat, point in enumerate(earned) if point == min(earned))
    elif last is not None:
        candidates = (last,)
    else:
        candidates = tuple(seat for seat, won in enumerate(state.tricks) if won)
    state = fresh(replace(state, round=state.round + 1), None)
    if len(candidates) == 1:  # the table has no choice
        return opened(state, candidates[0])
    return replace(state, phase="start", may_start=candidates)


# What events do


PHASES = {
    "start": N_("first say who starts"),
    "deal": N_("first enter the two cards that begin the columns"),
    "reveal": N_("first enter the neutral pair"),
    "play": N_("the cards of a trick come next"),
}
"""The refusal of an event that is not accepted in a phase: it says what comes first, or next."""


def _apply_start(state: State, event: Start) -> State:
    check_seat(event.player, state.seats)
    assert state.may_start is not None  # always set in this phase
    if event.player not in state.may_start:
        fewest, trickless = (
            N_("{player} did not have the fewest points"),
            N_("{player} has no trick, so not the last one"),
        )
        why = fewest if state.rules.edition == "fr" else trickless
        raise IllegalEventError("may-not-start", why, player=Seat(event.player))
    return opened(state, event.player)


def _apply_deal(state: State, event: Deal) -> State:
    if event.shown and state.seats != 3:
        raise IllegalEventError("shown", N_("open cards above the tiles are for 3 players"))
    if len(event.shown) not in (0, 10):
        raise IllegalEventError("shown", N_("either all ten open cards are entered, or none"))
    seen = seen_with(state.seen, event.board + event.shown)
    return _next_trick(replace(state, seen=seen), columns_with(EMPTY, event.board))


def _apply_reveal(state: State, event: Reveal) -> State:
    if state.seats != 2:
        raise IllegalEventError("phase", N_("there is no neutral pile with more than 2 players"))
    if state.phase == "play" and (state.table or state.turned):
        raise IllegalEventError("phase", N_("a neutral pair comes once, at the start of a trick"))
    if state.phase not in ("reveal", "play"):
        raise IllegalEventError("phase", PHASES[state.phase])
    state = replace(state, phase="play", turned=True, seen=seen_with(state.seen, event.cards))
    if state.trick == 1:
        columns = columns_with(state.columns, event.cards)
        return replace(state, columns=columns, trump=trump_of(state.rules, columns))
    return replace(state, pair=event.cards if state.rules.neutral == "columns" else ())


def _apply_play(state: State, event: Play) -> State:
    return _lay(state, event.player, event.card, False)


def _apply_pledge(state: State, event: Pledge) -> State:
    if not state.table:
        raise IllegalEventError("leader-pledges", N_("the leader's first card goes into the trick"))
    if not state.pledges_left:
        raise IllegalEventError("no-pledge-left", N_("no more pledges are allowed in this trick"))
    return _lay(state, event.player, event.card, True)


def _lay(state: State, player: int, card: Card, pledge: bool) -> State:
    check_turn(player, state.turn, state.seats)
    table = (*state.table, LaidCard(player, card, pledge))
    if len(table) < (4 if state.seats == 2 else state.seats):
        return _with_card(state, player, card, pledge, table=table)
    winner = _winner(table, state.trump)
    state = _with_card(state, player, card, pledge, table=(), last_trick=LastTrick(table, winner))
    return _after_trick(state, winner, tuple(laid.card for laid in table if laid.pledge))


def _with_card(state: State, player: int, card: Card, pledge: bool, **changes: Any) -> State:
    """Return the state after a card is shown: seen, with what it proves, the trees it is worth, and other changes."""
    seen = seen_with(state.seen, (card,))
    revokes, doubts = proved(state.doubts, player, state.round, state.trick, card)
    trees, alerts = state.trees, state.alerts + revokes
    if pledge:
        trees, alerts = _with_trees(state, player, card, alerts)
    else:
        doubts = _with_doubt(state, player, card, doubts)
    return replace(state, seen=seen, trees=trees, doubts=doubts, alerts=alerts, **changes)


def _apply_trick(state: State, event: Trick) -> State:
    check_trick_begins(state.table)
    check_seat(event.winner, state.seats)
    if len(event.pledges) > state.pledges_left:
        raise IllegalEventError("no-pledge-left", N_("too many pledges for one trick"))
    pledgers: set[int] = set()
    for pledge in event.pledges:
        check_seat(pledge.player, state.seats)
        if pledge.player in pledgers:
            raise IllegalEventError("pledges-twice", N_("{player} pledges once in a trick"), player=Seat(pledge.player))
        if state.seats > 2 and pledge.player == state.leader:
            raise IllegalEventError(
                "leader-pledges", N_("{player} leads, and cannot pledge"), player=Seat(pledge.player)
            )
        if state.seats > 2 and pledge.player == event.winner:
            raise IllegalEventError(
                "winner-pledges", N_("{player} pledged, and cannot win the trick"), player=Seat(pledge.player)
            )
        pledgers.add(pledge.player)
    for pledge in event.pledges:
        state = _with_card(state, pledge.player, pledge.card, pledge=True)
    return _after_trick(replace(state, last_trick=None), event.winner, tuple(pledge.card for pledge in event.pledges))


def _apply_round(state: State, event: Round) -> State:
    count = tricks_in_round(state.seats)
    needed = N_("tricks and trees are said for each of the {count} seats")
    check_sheet(state.seats, needed, event.tricks, event.trees)
    if sum(event.tricks) != count:
        raise IllegalEventError(
            "tricks-sum", N_("the tricks add up to {sum}, but a round has {count}"), sum=sum(event.tricks), count=count
        )
    most = most_trees(state.seats, state.rules.tokens == "limited")
    check_sum(event.trees, most, "trees-sum", N_("{count} trees in all, but {most} is the most"))
    for seat, (won, pledged) in enumerate(zip(event.tricks, event.trees, strict=True)):
        most = most_trees_of_seat(state.seats, won)
        if pledged > most:
            raise IllegalEventError(
                "trees",
                NN_(
                    "{player} won {tricks} of {whole} tricks, so at most {count} tree",
                    "{player} won {tricks} of {whole} tricks, so at most {count} trees",
                ),
                player=Seat(seat),
                tricks=won,
                whole=count,
                count=most,
            )
    last = event.last if isinstance(event.last, int) else None
    if last is not None:
        check_last(last, event.tricks)
    alerts: Alerts = tuple(alert for alert in state.alerts if alert.round != state.round)
    if sum(event.trees) > TOKENS:  # impossible with limited tokens
        alerts = (*alerts, TokensExceededAlert(state.round, sum(event.trees)))
    blank = fresh(replace(state, alerts=alerts), state.dealer)
    return ended(replace(blank, trick=count, tricks=event.tricks, trees=event.trees), last)


apply: Callable[[State, Event], State] = applier(
    {
        Start: (["start"], _apply_start),
        Deal: (["deal"], _apply_deal),
        Reveal: ([], _apply_reveal),
        Play: (["play"], _apply_play),
        Pledge: (["play"], _apply_pledge),
        Trick: (["play"], _apply_trick),
        Round: ([], _apply_round),
    },
    PHASES,
)


# Checks


def seen_with(seen: int, cards: tuple[Card, ...]) -> int:
    """Return the bit mask of seen cards with more cards added; raise if one was seen before."""
    for card in cards:
        if seen & card.bit:
            raise IllegalEventError("seen", N_("{card} was already seen in this round"), card=card)
        seen |= card.bit
    return seen


# A trick


def _winner(table: tuple[LaidCard, ...], trump: Suit | None) -> int:
    led = table[0].card.suit
    return max(
        (laid for laid in table if not laid.pledge),
        key=lambda laid: (laid.card.suit is trump, laid.card.suit is led, laid.card.rank),
    ).player


def _after_trick(state: State, winner: int, pledged: tuple[Card, ...]) -> State:
    """Return the state after a trick: counted for its winner, pledges moved to the columns, next trick or round."""
    columns = columns_with(columns_with(state.columns, pledged), state.pair)
    tricks = changed(state.tricks, winner, 1)
    if state.trick == tricks_in_round(state.seats):
        state = replace(state, tricks=tricks, columns=columns, trump=trump_of(state.rules, columns), pair=())
        return ended(state, winner)
    return _next_trick(replace(state, tricks=tricks, trick=state.trick + 1, leader=winner), columns)


def _next_trick(state: State, columns: Columns) -> State:
    turns_up = state.seats == 2 and (state.trick == 1 or state.rules.neutral == "columns")
    return replace(
        state,
        phase="reveal" if turns_up else "play",
        columns=columns,
        trump=trump_of(state.rules, columns),
        pair=(),
        turned=False,
    )


# Revokes: plays off suit, and the later cards that prove them wrong


def _with_doubt(state: State, player: int, card: Card, doubts: Doubts) -> Doubts:
    """Return the doubts with a play off suit added: the suits that the hand must be out of if it was legal."""
    if not state.table or card.suit is state.table[0].card.suit:
        return doubts
    led = state.table[0].card.suit
    out_of = (led,) if card.suit is state.trump or state.trump in (led, None) else (led, state.trump)
    return put(doubts, player, (*doubts[player], OffSuitPlay(state.trick, out_of)))


# Trees


def _with_trees(state: State, player: int, card: Card, alerts: Alerts) -> tuple[tuple[int, ...], Alerts]:
    """Return trees by seat and alerts after a pledge; an alert is raised once, when trees exceed the tokens."""
    out = sum(state.trees)
    worth = trees_on(card)
    if state.rules.tokens == "limited":
        worth = min(worth, TOKENS - out)
    elif out <= TOKENS < out + worth:
        alerts = (*alerts, TokensExceededAlert(state.round, out + worth))
    return changed(state.trees, player, worth), alerts


# Other rules


BEGINS = ("start", "deal", "reveal")
"""Phases in which a round can begin."""


def refit(recorded: State, event: Event, other: State) -> State:
    """Return the state under other rules to which an event of the recorded game is applied.

    A round is started by who started it at the table, even if the other rules name somebody else.

    Raises:
        IllegalEventError: Another trump would have led to other play, or a sheet does not tell all trees.
    """
    begins = other.phase in BEGINS and other.trick == 1
    if recorded.dealer is not None and begins and other.dealer != recorded.dealer:
        other = opened(other, recorded.dealer)
    if isinstance(event, Round):
        if recorded.rules.tokens == "limited" != other.rules.tokens and sum(event.trees) == TOKENS:
            raise IllegalEventError("tokens", N_("all trees were out; further pledges were not written down"))
    elif other.trump is not recorded.trump:
        raise IllegalEventError("trump", N_("another suit would have been trump"))
    return other
