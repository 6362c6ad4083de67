"""Gear: auction: bids, prices and lots that cannot be."""

from __future__ import annotations

import pytest

from companion.core.events import Event, Start
from companion.games.gear.events import Bid, Trick

from .tables import THREE_LOTS, Table, easy, lots, paid, sold, table, whole


@pytest.mark.parametrize(
    ("bid", "reason"),
    [
        (Bid(2, 1, 2), "too-low"),
        (Bid(2, 1, 0), "too-low"),
        (Bid(2, 1, 3), None),
        (Bid(2, 1, 1000), None),
        (Bid(2, 0, 0), None),
        (Bid(2, 0, -1), "price"),
        (Bid(2, -1, 0), "lot"),
        (Bid(2, 3, 0), "lot"),
        (Bid(0, 0, 0), "turn"),
        (Bid(1, 0, 0), "turn"),
        (Bid(3, 0, 0), "seat"),
        (Bid(-1, 0, 0), "seat"),
    ],
)
def test_a_bid_is_by_the_seat_to_act_on_a_lot_there_is_and_higher(bid: Bid, reason: str | None) -> None:
    at = table(3).starts(0).bids("1=2")
    if reason is None:
        assert at.enters(bid).state.prices[2] == bid.price
    else:
        assert at.refuses(bid) == reason


# A whole auction


def test_with_the_lots_entered_it_is_said_who_gets_which() -> None:
    at = table(3).starts(0).enters(lots(*THREE_LOTS))
    assert at.state.lots == (None, None, None)
    done = at.pays("0 1 2", "1 2 0")
    assert done.state.lots == (1, 2, 0)
    assert done.refuses_cards("b5") == "not-theirs"  # both lie in front of seat 1
    assert done.lays("r5").lays("b5").revokes == [(1, 1)]


@pytest.mark.parametrize(
    ("prices", "who", "known", "reason"),
    [
        ("0 0", "", False, "prices"),
        ("0 0 0 0", "", False, "prices"),
        ("0 -1 0", "", False, "prices"),
        ("0 0 0", "0 1 2", False, "lots"),
        ("0 0 0", "", True, "lots"),
        ("0 0 0", "0 1 1", True, "lots"),
        ("0 0 0", "0 1 3", True, "lots"),
        ("0 0 0", "0 1", True, "lots"),
    ],
)
def test_a_whole_auction_that_cannot_be_is_refused(prices: str, who: str, known: bool, reason: str) -> None:
    at = table(3).starts(0)
    at = at.enters(lots(*THREE_LOTS)) if known else at
    assert at.refuses(paid(prices, who)) == reason


def test_a_whole_auction_comes_before_its_first_bid() -> None:
    assert table(3).starts(0).bids("0=0").refuses(paid("0 0 0")) == "bids"


# The lots


def test_the_lots_are_entered_once_and_before_the_first_bid() -> None:
    at = table(3).starts(0)
    entered = at.enters(lots(*THREE_LOTS))
    assert entered.refuses(lots(*THREE_LOTS)) == "lots-twice"
    assert entered.bids("0=0 1=0 2=0").refuses(lots(*THREE_LOTS)) == "lots-twice"
    assert at.bids("0=0").refuses(lots(*THREE_LOTS)) == "phase"
    assert at.pays("0 0 0").refuses(lots(*THREE_LOTS)) == "phase"
    assert table(3).refuses(lots(*THREE_LOTS)) == "phase"


def test_in_the_easy_game_they_lie_in_front_of_the_seats_before_the_first_card() -> None:
    at = easy(3)
    assert at.state.lots == (None, None, None)
    entered = at.enters(lots(*THREE_LOTS))
    assert (entered.state.lots, entered.state.prices) == ((0, 1, 2), (None, None, None))
    assert entered.refuses(lots(*THREE_LOTS)) == "lots-twice"
    assert at.lays("r2").refuses(lots(*THREE_LOTS)) == "phase"
    assert at.trick(0).refuses(lots(*THREE_LOTS)) == "phase"
    assert table(3, auction=False).refuses(lots(*THREE_LOTS)) == "phase"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (THREE_LOTS[:2], "lots"),
        ((*THREE_LOTS, "r10 r10 bA bA b2 b2"), "lots"),
        (("r2 r2 r3 r4 r5 r6", "r2 b3 b4 b7 b8 r9", "b2 b3 b4 b7 b8 b9"), "seen"),
    ],
)
def test_lots_that_cannot_lie_there_are_refused(words: tuple[str, ...], reason: str) -> None:
    assert table(3).starts(0).refuses(lots(*words)) == reason


# Phases


@pytest.mark.parametrize(
    ("at", "event"),
    [
        (table(3), Bid(0, 0, 0)),
        (table(3), paid("0 0 0")),
        (table(3), Trick(0, 1, 0)),
        (table(3).starts(0), Start(0)),
        (table(3).starts(0), Trick(0, 1, 0)),
        (sold(3), Bid(0, 0, 0)),
        (sold(3), paid("0 0 0")),
        (sold(3), Start(0)),
        (easy(3), Bid(0, 0, 0)),
        (easy(3), paid("0 0 0")),
    ],
)
def test_what_belongs_to_another_phase_is_refused(at: Table, event: Event) -> None:
    assert at.refuses(event) == "phase"


def test_nobody_plays_before_the_auction_is_over() -> None:
    assert table(3).starts(0).refuses_cards("r7") == "phase"
    assert table(3).refuses(Start(3)) == "seat"


def test_after_the_end_nothing_is_entered() -> None:
    at = table(2, rounds=1).round("8 0", "0 0", 0, "0 0")
    assert at.refuses(Start(0)) == "over"
    assert at.refuses(whole("8 0", "0 0", 0, "0 0")) == "over"
