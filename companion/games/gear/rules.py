"""Rules of Gear: `apply` returns the state after an event, or raises if the rules forbid it.

Section names in parentheses refer to the written rules, e.g. "Gear, round score".
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import Event, Start, check_seat, check_turn
from companion.core.text import N_, NN_, IllegalEventError, Seat, Text
from companion.games.kit import applier, changed, check_last, check_sheet, check_trick_begins, put
from companion.games.kit.tricks import LastTrick

from .auction import apply_bid, apply_lots, apply_prices, check_prices, paid
from .cards import ACE, ACES, HAND
from .events import Bid, DealLots, Play, Prices, Round, Trick
from .legal_plays import follows, from_hand, misfit, obliged, winning
from .round_end import ended
from .state import PHASES, LaidCards, Overbid, Revoke, State, fresh, opened


def _apply_start(state: State, event: Start) -> State:
    PHASES.expect(state.phase, "start")
    check_seat(event.player, state.seats)
    return opened(state, event.player)


# The cards


def _apply_play(state: State, event: Play) -> State:
    PHASES.expect(state.phase, "play")
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
    wrong = misfit(state.laid, state.hands, seat, left, cards)
    return None if wrong is None else IllegalEventError(wrong[0], wrong[1].template, **wrong[1].args)


def _apply_trick(state: State, event: Trick) -> State:
    PHASES.expect(state.phase, "play")
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
        Start: _apply_start,
        DealLots: apply_lots,
        Bid: apply_bid,
        Prices: apply_prices,
        Play: _apply_play,
        Trick: _apply_trick,
        Round: _apply_round,
    }
)
