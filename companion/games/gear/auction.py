"""Auction of Gear: lots (open hands for sale), bids, and the prices paid.

Section names in parentheses refer to the written rules.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import check_turn
from companion.core.text import N_, IllegalEventError, Seat
from companion.games.kit import added, put

from .events import Bid, DealLots, Prices
from .legal_plays import Hands, with_cards
from .state import PHASES, Overbid, State


def apply_lots(state: State, event: DealLots) -> State:
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
        return PHASES.refused(state.phase)
    if state.dealt is not None:
        return IllegalEventError("lots-twice", N_("the lots of this round were entered already"))
    if state.rules.auction:
        return IllegalEventError("phase", N_("the lots are entered before the first bid"))
    return IllegalEventError("phase", N_("the open hands are entered before the first card"))


def apply_bid(state: State, event: Bid) -> State:
    """Return the state after a bid on a lot; a lower bid on it is pushed off (Gear, a round)."""
    PHASES.expect(state.phase, "auction")
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
    PHASES.expect(state.phase, "auction")
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
