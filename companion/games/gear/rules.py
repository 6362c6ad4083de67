"""Gear: its cards, events, options and state, and `apply`, the state after an event.

Section names in parentheses refer to the written rules, e.g. "Gear, round score".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from companion.core.cards import Card, Deck, Suit
from companion.core.game import Best, Event, RuleOption, RuleValue, Start, check_seat, check_turn
from companion.core.text import N_, NN_, IllegalEventError, Seat, Text
from companion.games.kit import (
    Ending,
    added,
    applier,
    changed,
    check_last,
    check_sheet,
    check_trick_begins,
    option,
    put,
    snapshot_of,
    to_a_total,
)
from companion.games.kit.tricks import LastTrick

RED = Suit("red", N_("Red"), (255, 20, 0))
BLACK = Suit("black", N_("Black"), (255, 255, 255))
SUITS = (RED, BLACK)
COPIES = 2
ACE, TEN = 1, 10
ACES = 4
HAND = 8
OPEN = 6
POINTS = 5
"""Points of each player at the start of the game."""
MANY = 3
"""For so many tricks there is a point more."""
LAST = ALL = 3
"""Points of the last trick, and of winning all tricks."""
HIGH_ACE = TEN + 1
"""Rank of an ace if a 10 follows, too."""


def rank_sign(rank: int) -> str:
    return "A" if rank == ACE else str(rank)


def _card(suit: Suit, rank: int, place: int) -> Card:
    # Two bits per card hold its number of copies, 0 to 2, in a bag of cards (see `hands`).
    sign = rank_sign(rank)
    return Card(f"{suit.name}-{sign}", suit, rank, 1 << 2 * place, (str(rank % 10),), figure=sign)


DECK = Deck(_card(suit, rank, 10 * number + rank - 1) for number, suit in enumerate(SUITS) for rank in range(1, 11))
"""Every card once; the game has two copies of each."""


# Events


Lot = tuple[Card, Card, Card, Card, Card, Card]


class Lots(Event, frozen=True, tag="lots"):
    """Event: the cards of each lot; in the easy game, each seat's open hand."""

    lots: tuple[Lot, ...]


class Bid(Event, frozen=True, tag="bid"):
    """Event: a player bids on a lot (lots are numbered from 0)."""

    player: int
    lot: int
    price: int


class Prices(Event, frozen=True, tag="prices"):
    """Event: a whole auction; each seat's price, and each seat's lot if lots were entered."""

    prices: tuple[int, ...]
    lots: tuple[int, ...] | UnsetType = UNSET


class Play(Event, frozen=True, tag="play"):
    """Event: one card, or a pair, is played to the trick."""

    player: int
    cards: tuple[Card, ...]


class Trick(Event, frozen=True, tag="trick"):
    """Event: a whole trick: its winner, the number of cards each player laid, and the aces in it."""

    winner: int
    cards: int
    aces: int


class Round(Event, frozen=True, tag="round"):
    """Event: a whole round; tricks and aces by seat, optionally last winner and prices."""

    tricks: tuple[int, ...]
    aces: tuple[int, ...]
    last: int
    prices: tuple[int, ...] | UnsetType = UNSET


EVENTS = (Lots, Bid, Prices, Play, Trick, Round)


# Options


PLAYERS = range(2, 6)


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Options: Gear rule variants chosen at set-up."""

    auction: bool = True  # whether players bid for the open hands; if not, it is the easy game
    teams: bool = False  # whether opposite seats play as partners (4 players)
    ending: Ending = Ending(rounds=4)

    def check(self, seats: int) -> None:
        """Raise if the rules do not fit the number of players."""
        if self.teams and seats != 4:
            raise IllegalEventError("teams", N_("the game of pairs is for 4 players"))
        self.ending.check()
        if isinstance(self.ending.rounds, int) and self.ending.rounds < 1:
            raise IllegalEventError("ending", N_("a game has 1 round or more"))


ROUNDS = RuleValue(
    Text(N_("rounds")), {"rounds": 4}, lambda number: {"rounds": number}, NN_("{count} round", "{count} rounds")
)
OPTIONS = (
    option("auction", N_("Auction"), PLAYERS, {True: N_("with bids"), False: N_("easy game")}),
    RuleOption("ending", Text(N_("Ending")), (ROUNDS, to_a_total(30)), PLAYERS),
    option("teams", N_("Teams"), range(4, 5), {False: N_("each alone"), True: N_("in pairs")}),
)


def sides(seats: int, rules: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """Return the seats of each side: opposite seats if they are partners, else each alone."""
    if rules.get("teams") and seats == 4:
        return (0, 2), (1, 3)
    return tuple((seat,) for seat in range(seats))


# State


class LaidCards(Struct, frozen=True, gc=False):
    """The card or two cards that a seat laid in a trick."""

    player: int
    cards: tuple[Card, ...]


class Revoke(Struct, frozen=True, tag_field="kind", tag="revoke", gc=False):
    """A play that does not follow, though the open hand had a card that does."""

    round: int
    player: int
    card_no: int

    def words(self) -> Text:
        return Text(
            N_("R{round}: {player} may have revoked, card {number}"),
            round=self.round,
            player=Seat(self.player),
            number=self.card_no,
        )


class Overbid(Struct, frozen=True, tag_field="kind", tag="overbid", gc=False):
    """Alert: a player bid more than their points."""

    round: int
    player: int

    def words(self) -> Text:
        return Text(N_("R{round}: {player} bid above the points held"), round=self.round, player=Seat(self.player))


PHASES = {
    "start": N_("first say who starts"),
    "auction": N_("first comes the auction"),
    "play": N_("the cards of a trick come next"),
}
"""The refusal of an event that is not accepted in a phase: it says what comes first, or next."""
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
    def trick(self) -> int:
        """Return the number of the trick in this round, from 1; one of two cards each counts as two."""
        return sum(self.tricks) + 1

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


KEPT = ("rules", "seats", "phase", "round", "rounds", "tallies", "totals", "winners", "alerts")
"""The fields of a state that a new round keeps; all others get their defaults."""


def fresh(state: State, starter: int | None) -> State:
    """Return the state with all fields of the round reset."""
    nobody, unknown = (0,) * state.seats, (None,) * state.seats
    kept: dict[str, Any] = {name: getattr(state, name) for name in KEPT}
    left = (HAND,) * state.seats
    return State(**kept, starter=starter, lots=unknown, prices=unknown, left=left, tricks=nobody, aces=nobody)


def opened(state: State, starter: int) -> State:
    """Return the state at the start of a round: the seat after the starter bids first.

    In the easy game there is no auction; the starter leads.
    """
    state = fresh(state, starter)
    if state.rules.auction:
        return replace(state, phase="auction", bidder=(starter + 1) % state.seats)
    return replace(state, phase="play", leader=starter)


def snapshot(state: State) -> dict[str, Any]:
    return snapshot_of(
        "gear",
        state,
        "phase round starter turn leader may_start lots prices table last_trick left tricks aces rounds totals teams"
        " winners alerts",
    )


# What can be laid. A bag is an integer with two bits for each card of the deck: its number of copies, 0 to 2.


_ONCE = sum(card.bit for card in DECK)
_COLOUR = {suit: sum(card.bit for card in DECK if card.suit is suit) * 3 for suit in SUITS}
_TO_BLACK = 2 * len(DECK) // len(SUITS)
"""Bit distance from a red card to the black card of the same number."""

Hands = tuple[int, ...]


def count(bag: int, card: Card) -> int:
    """Return the number of copies of a card in a bag.

    >>> red_ace, red_two, *_ = DECK
    >>> bag = with_cards(0, (red_ace, red_two, red_two))
    >>> count(bag, red_two), size(bag)
    (2, 3)
    """
    return bag // card.bit & 3


def size(bag: int) -> int:
    return (bag & _ONCE).bit_count() + 2 * (bag >> 1 & _ONCE).bit_count()


def with_cards(bag: int, cards: Iterable[Card]) -> int | Card:
    """Return a bag with cards added, or the first card that would be a third copy."""
    for card in cards:
        if bag & card.bit << 1:  # the upper of its two bits: the bag holds both copies
            return card
        bag += card.bit
    return bag


def from_hand(hand: int, cards: tuple[Card, ...]) -> int:
    """Return the rest of an open hand after cards are laid; an open copy is laid before a hidden one."""
    for card in cards:
        if hand & 3 * card.bit:
            hand -= card.bit
    return hand


def _misfit(state: State, seat: int, cards: tuple[Card, ...]) -> IllegalEventError | None:
    """Return why a seat cannot hold these cards; None if it can."""
    over, hands = with_cards(state.laid, cards), state.hands
    if isinstance(over, Card):
        return IllegalEventError("seen", N_("{card} was already seen twice"), card=over)
    if hands is None:
        return None
    hand, seen, hidden = hands[seat], state.laid, 0  # cards among these that were hidden
    for card in cards:
        if hand & 3 * card.bit:
            hand -= card.bit
        elif count(seen + sum(hands), card) == COPIES:  # no copy is left that this seat could hold hidden
            return IllegalEventError("not-theirs", N_("{card} lies in another's open hand"), card=card)
        elif state.left[seat] - size(hands[seat]) == hidden:
            why = N_("{card} is not open there, and both hidden cards are laid")
            return IllegalEventError("not-open", why, card=card)
        else:
            seen += card.bit
            hidden += 1
    return None


def follows(led: tuple[Card, ...], cards: tuple[Card, ...]) -> bool:
    """Return whether a play follows the lead: same colours, and a pair if a pair was led (Gear, tricks)."""
    if len(led) == 1:
        return cards[0].suit is led[0].suit
    (one, other), (first, second) = led, cards
    if first.rank != second.rank:
        return False
    return (first.suit, second.suit) in ((one.suit, other.suit), (other.suit, one.suit))


def obliged(hand: int, led: tuple[Card, ...]) -> bool:
    """Return whether an open hand holds a card, or a pair, that follows the lead."""
    if len(led) == 1:
        return bool(hand & _COLOUR[led[0].suit])
    one, other = led
    if one.suit is other.suit:
        return bool(hand >> 1 & _ONCE & _COLOUR[one.suit])  # the upper bits: both copies of a card
    each = (hand | hand >> 1) & _ONCE
    return bool(each & each >> _TO_BLACK)


def winning(plays: tuple[tuple[Card, ...], ...]) -> tuple[int, int]:
    """Return the index and rank of the play that wins a trick so far.

    An ace has rank `HIGH_ACE` if any play that follows is a 10, otherwise rank 1.
    """
    led = plays[0]
    following = [(place, cards[0].rank) for place, cards in enumerate(plays) if follows(led, cards)]
    ace = HIGH_ACE if any(rank == TEN for _place, rank in following) else ACE
    rank, place = max((ace if rank == ACE else rank, place) for place, rank in following)  # of equals the later
    return place, rank


# Auction


def apply_lots(state: State, event: Lots) -> State:
    """Return the state with the cards of the lots recorded; in the easy game, of the open hands."""
    if not state.awaits_lots:
        raise _no_lots(state)
    if len(event.lots) != state.seats:
        raise IllegalEventError("lots", N_("there are {count} lots, one for each player"), count=state.seats)
    whole = with_cards(0, (card for lot in event.lots for card in lot))
    if isinstance(whole, Card):
        raise IllegalEventError("seen", N_("{card} is there twice, not more often"), card=whole)
    dealt = tuple(sum(card.bit for card in lot) for lot in event.lots)
    state = replace(state, dealt=dealt)
    if state.phase == "auction":
        return state
    return replace(state, hands=dealt, lots=tuple(range(state.seats)))


def _no_lots(state: State) -> IllegalEventError:
    if state.phase == "start":
        return IllegalEventError("phase", PHASES[state.phase])
    if state.dealt is not None:
        return IllegalEventError("lots-twice", N_("the lots of this round were entered already"))
    if state.rules.auction:
        return IllegalEventError("phase", N_("the lots are entered before the first bid"))
    return IllegalEventError("phase", N_("the open hands are entered before the first card"))


def apply_bid(state: State, event: Bid) -> State:
    """Return the state after a bid on a lot; a lower bid on it is pushed off (Gear, a round)."""
    check_turn(event.player, state.turn, state.seats)
    if not 0 <= event.lot < state.seats:
        raise IllegalEventError("lot", N_("there is no lot {lot}"), lot=event.lot + 1)
    least = least_bid(state, event.lot)
    if event.price < least:
        if event.price < 0:
            raise IllegalEventError("price", N_("a bid is 0 or more"))
        raise IllegalEventError("too-low", N_("{price} is not higher than {held}"), price=event.price, held=least - 1)
    held, prices = state.lots[event.lot], state.prices
    if held is not None:
        prices = put(prices, held, None)  # pushed off
    lots, prices = put(state.lots, event.lot, event.player), put(prices, event.player, event.price)
    state = replace(state, bids=state.bids + 1, lots=lots, prices=prices)
    bidder = _next_bidder(state, event.player)
    return replace(state, bidder=bidder) if bidder is not None else _sold(state)


def least_bid(state: State, lot: int) -> int:
    held = state.lots[lot]
    price = None if held is None else state.prices[held]
    return 0 if price is None else price + 1


def _next_bidder(state: State, after: int) -> int | None:
    """Return the next seat in turn without a lot, or None if every seat holds one.

    Seats that have not bid yet come before seats that were pushed off.
    """
    following = ((after + step) % state.seats for step in range(1, state.seats))
    return next((seat for seat in following if state.prices[seat] is None), None)


def apply_prices(state: State, event: Prices) -> State:
    if state.bids:
        raise IllegalEventError("bids", N_("a whole auction is entered before its first bid"))
    check_prices(state, event.prices)
    if isinstance(event.lots, tuple):
        if state.dealt is None:
            raise IllegalEventError("lots", N_("enter the lots before saying who gets which"))
        twice = next((seat for seat in event.lots if event.lots.count(seat) > 1), None)
        if twice is not None:
            raise IllegalEventError("lots", N_("{player} has a lot already"), player=Seat(twice))
        if sorted(event.lots) != list(range(state.seats)):
            raise IllegalEventError("lots", N_("each lot goes to one player, and each player gets one"))
        state = replace(state, lots=event.lots)
    elif state.dealt is not None:
        raise IllegalEventError("lots", N_("the lots were entered: say who gets which"))
    return _sold(replace(state, prices=event.prices))


def _sold(state: State) -> State:
    """Return the state after the auction: every seat has its open hand, and the starter leads."""
    hands: Hands | None = None
    if state.dealt is not None:
        by_seat = dict(zip(state.lots, state.dealt, strict=True))
        hands = tuple(by_seat[seat] for seat in range(state.seats))
    return paid(replace(state, phase="play", bidder=None, leader=state.starter, hands=hands))


def paid(state: State) -> State:
    """Return the state with the prices paid; raise an alert for each price above the payer's total, in seat order."""
    prices = tuple(price or 0 for price in state.prices)
    overbids = tuple(Overbid(state.round, seat) for seat, price in enumerate(prices) if price > state.totals[seat])
    totals = added(state.totals, [-price for price in prices])
    return replace(state, totals=totals, alerts=state.alerts + overbids)


def check_prices(state: State, prices: tuple[int, ...]) -> None:
    """Raise unless there is one price of 0 or more for each seat, and the game has an auction."""
    if not state.rules.auction:
        raise IllegalEventError("prices", N_("in the easy game nobody pays"))
    if len(prices) != state.seats:
        raise IllegalEventError("prices", N_("a price is said for each of the {count} seats"), count=state.seats)
    if min(prices) < 0:
        raise IllegalEventError("prices", N_("a price is 0 or more"))


# The end of a round


def points(tricks: int, aces: int, last: bool) -> int:
    """Return a seat's points in a round, before its price is deducted (Gear, round score)."""
    return tricks + tricks // MANY + aces + LAST * last + ALL * (tricks == HAND)


def winners_so_far(state: State) -> tuple[int, ...]:
    """Return who has the most points: players, or both of a team."""
    return Best.HIGHEST.seats(state.teams * 2 if state.teams else state.totals)


def ended(state: State, last: int) -> State:
    """Return the state after a round: points recorded, next round opened or game over.

    Args:
        state: State with the round's tricks and aces complete and its prices paid.
    """
    earned = tuple(points(state.tricks[seat], state.aces[seat], seat == last) for seat in range(state.seats))
    tally = RoundFigures(state.tricks, state.aces, state.prices)
    state = replace(
        state,
        rounds=(*state.rounds, added(earned, [-(price or 0) for price in state.prices])),
        tallies=(*state.tallies, tally),
        totals=added(state.totals, earned),
    )
    if state.rules.ending.reached(state.round, state.totals):
        return replace(state, phase="over", leader=None, winners=winners_so_far(state))
    return opened(replace(state, round=state.round + 1), last)


# What events do


def _apply_start(state: State, event: Start) -> State:
    check_seat(event.player, state.seats)
    return opened(state, event.player)


# The cards


def _apply_play(state: State, event: Play) -> State:
    check_turn(event.player, state.turn, state.seats)
    wrong = why_not(state, event.player, event.cards)
    if wrong is not None:
        raise wrong
    seat, cards = event.player, event.cards
    table = (*state.table, LaidCards(seat, cards))
    left = changed(state.left, seat, -len(cards))
    laid = state.laid + sum([card.bit for card in cards])
    hands, alerts = state.hands, state.alerts
    if hands is not None:
        led = table[0].cards
        if not follows(led, cards) and obliged(hands[seat], led):
            alerts = (*alerts, Revoke(state.round, seat, HAND - left[seat]))
        hands = put(hands, seat, from_hand(hands[seat], cards))
    if len(table) < state.seats:
        return replace(state, table=table, left=left, laid=laid, hands=hands, alerts=alerts)
    place, _rank = winning(tuple([each.cards for each in table]))
    winner = table[place].player
    last_trick = LastTrick(table, winner)
    state = replace(state, table=(), last_trick=last_trick, left=left, laid=laid, hands=hands, alerts=alerts)
    return _after_trick(state, winner, len(cards), aces_on(table))


def aces_on(table: tuple[LaidCards, ...]) -> int:
    return [card.rank for laid in table for card in laid.cards].count(ACE)


def why_not(state: State, seat: int, cards: tuple[Card, ...]) -> IllegalEventError | None:
    """Return the error that forbids a seat to lay these cards now, or None if they are legal."""
    table, left = state.table, state.left[seat]
    if not 1 <= len(cards) <= 2:
        return IllegalEventError("count", N_("one card is laid, or two"))
    if table and len(cards) != len(table[0].cards):
        return IllegalEventError("count", N_("as many cards are laid as were led: {count}"), count=len(table[0].cards))
    if len(cards) > left:
        return IllegalEventError("count", N_("{player} has one card left"), player=Seat(seat))
    if not table and cards[0].rank != cards[-1].rank:
        return IllegalEventError("no-pair", N_("two cards that lead are of one number"))
    aces = [card.rank for card in cards].count(ACE)
    if aces or state.seats == 5:
        missing = ACES - sum(state.aces) - aces_on(table) - aces
        if missing < 0:
            return IllegalEventError("aces", N_("all four aces are gone already"))
        if state.seats == 5 and missing > sum(state.left) - len(cards):
            return IllegalEventError(
                "aces", N_("aces still to come: {missing}, as all forty cards are played"), missing=missing
            )
    return _misfit(state, seat, cards)


def _apply_trick(state: State, event: Trick) -> State:
    check_trick_begins(state.table)
    check_seat(event.winner, state.seats)
    if not 1 <= event.cards <= min(2, state.left[0]):
        raise IllegalEventError("count", N_("a trick is of one card each or two, and of no more than are left"))
    able = aces_in_trick(state, event.cards)
    if event.aces not in able:
        raise IllegalEventError(
            "aces", N_("aces in this trick: {able}, not {aces}"), aces=event.aces, able=_range_text(able)
        )
    left = tuple(count - event.cards for count in state.left)
    state = replace(state, left=left, last_trick=None, hands=None)
    return _after_trick(state, event.winner, event.cards, event.aces)


def aces_in_trick(state: State, cards: int) -> range:
    """Return the possible numbers of aces in a trick of so many cards each."""
    remaining = ACES - sum(state.aces)
    if state.seats == 5 and cards == state.left[0]:  # all forty cards are played
        return range(remaining, remaining + 1)
    return range(min(remaining, cards * state.seats) + 1)


def _range_text(able: range) -> Text:
    if len(able) == 1:
        return Text("{most}", most=able[0])
    return Text(N_("{least} to {most}"), least=able[0], most=able[-1])


def _after_trick(state: State, winner: int, cards: int, aces: int) -> State:
    """Return the state after a trick: it counts for its winner (two, if of two cards each), and play goes on."""
    tricks, taken = changed(state.tricks, winner, cards), changed(state.aces, winner, aces)
    state = replace(state, leader=winner, tricks=tricks, aces=taken)
    return state if any(state.left) else ended(state, winner)


# A whole round


def _apply_round(state: State, event: Round) -> State:
    needed = N_("tricks and aces are said for each of the {count} seats")
    check_sheet(state.seats, needed, event.tricks, event.aces)
    _check_tally(state, event.tricks, event.aces)
    check_last(event.last, event.tricks)
    alerts = tuple(alert for alert in state.alerts if alert.round != state.round or isinstance(alert, Overbid))
    blank = replace(fresh(state, state.starter), alerts=alerts)
    if state.rules.auction and state.phase == "play":
        if event.prices is not UNSET:
            raise IllegalEventError("prices", N_("the prices of this round are known already"))
        blank = replace(blank, lots=state.lots, prices=state.prices)
    elif isinstance(event.prices, tuple):
        check_prices(state, event.prices)
        blank = paid(replace(blank, prices=event.prices))
    elif state.rules.auction:
        raise IllegalEventError("prices", N_("the price of each seat is missing"))
    return ended(replace(blank, left=(0,) * state.seats, tricks=event.tricks, aces=event.aces), event.last)


def _check_tally(state: State, tricks: tuple[int, ...], aces: tuple[int, ...]) -> None:
    """Raise if tricks and aces do not add up (Gear, end-of-round entry)."""
    if sum(tricks) != HAND:
        raise IllegalEventError("tricks-sum", N_("the tricks add up to {sum}, but there are 8"), sum=sum(tricks))
    if sum(aces) > ACES:
        raise IllegalEventError("aces-sum", N_("{sum} aces in all, but there are 4"), sum=sum(aces))
    if state.seats == 5 and sum(aces) != ACES:
        raise IllegalEventError(
            "aces-sum",
            NN_(
                "{count} ace in all, but with 5 players all 4 are played",
                "{count} aces in all, but with 5 players all 4 are played",
            ),
            count=sum(aces),
        )
    for seat, (won, taken) in enumerate(zip(tricks, aces, strict=True)):
        if taken and not won:
            raise IllegalEventError("aces", N_("{player} has no trick, so no ace"), player=Seat(seat))
        if taken > won * state.seats:
            raise IllegalEventError("aces", N_("{player} has not taken so many cards"), player=Seat(seat))


apply: Callable[[State, Event], State] = applier(
    {
        Start: (["start"], _apply_start),
        Lots: ([], apply_lots),
        Bid: (["auction"], apply_bid),
        Prices: (["auction"], apply_prices),
        Play: (["play"], _apply_play),
        Trick: (["play"], _apply_trick),
        Round: ([], _apply_round),
    },
    PHASES,
)
