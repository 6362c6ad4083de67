"""Gear: auction: turn order, bids pushed off, end of the auction, and alerts."""

from __future__ import annotations

import pytest

from companion.core.events import Event, Start
from companion.games.gear.events import Bid, Trick
from companion.games.gear.state import Overbid

from .tables import THREE_LOTS, Table, easy, lots, paid, sold, table, whole


def turns(at: Table, bids: str) -> list[int | None]:
    """Return the seat that made each bid."""
    found = []
    for bid in bids.split():
        found.append(at.state.turn)
        at = at.bids(bid)
    return found


@pytest.mark.parametrize(
    ("starter", "bids", "expected"),
    [
        (0, "0=0 1=0 2=0 3=0", [1, 2, 3, 0]),
        (2, "0=0 1=0 2=0 3=0", [3, 0, 1, 2]),
        # A seat that is pushed off waits until everybody has bid once.
        (2, "1=0 1=1 0=0 2=0 3=0", [3, 0, 1, 2, 3]),
        # Then the next seat without a lot, after the last bidder, bids.
        (2, "1=0 1=1 0=0 0=1 1=2 0=2 2=0 3=0", [3, 0, 1, 2, 3, 0, 1, 2]),
        (0, "0=0 0=1 0=2 0=3 0=4 1=0 1=1 3=0 2=0", [1, 2, 3, 0, 1, 2, 3, 0, 2]),
    ],
)
def test_everybody_bids_once_and_then_whoever_was_pushed_off(
    starter: int, bids: str, expected: list[int | None]
) -> None:
    at = table().starts(starter)
    assert turns(at, bids) == expected
    done = at.bids(bids)
    assert (done.state.phase, done.state.turn, done.state.leader) == ("play", starter, starter)


def test_who_is_pushed_off_takes_the_bid_back() -> None:
    at = table(3).starts(0).bids("1=2")
    assert (at.state.lots, at.state.prices) == ((None, 1, None), (None, 2, None))
    at = at.bids("1=3")
    assert (at.state.lots, at.state.prices) == ((None, 2, None), (None, None, 3))
    assert at.state.leader is None


def test_two_bid_against_each_other_until_one_gives_way() -> None:
    at = table(2).starts(0).bids("0=0 0=1 0=2 0=3 1=0")
    assert (at.state.phase, at.state.lots, at.state.prices) == ("play", (0, 1), (3, 0))


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


# Overbids


def test_prices_above_ones_points_are_remarked_when_the_auction_ends_in_the_order_of_the_seats() -> None:
    at = table(3).starts(0).bids("0=6 1=5")
    assert at.overbids == []
    assert at.bids("2=7").state.alerts == (Overbid(1, 0), Overbid(1, 1))


def test_a_bid_that_was_pushed_off_is_not_remarked() -> None:
    assert table(2).starts(0).bids("0=6 0=7 1=0").overbids == [(1, 0)]


def test_it_is_the_points_of_now_that_count() -> None:
    at = table(2).round("8 0", "0 0", 0, "0 7")
    assert at.state.totals == (21, -2)
    assert at.pays("21 0").overbids == [(1, 1), (2, 1)]


# A whole auction


def test_a_whole_auction_is_its_prices() -> None:
    at = table(3).starts(1).pays("0 6 2")
    assert (at.state.phase, at.state.turn, at.state.lots) == ("play", 1, (None, None, None))
    assert at.state.prices == (0, 6, 2)
    assert at.overbids == [(1, 1)]


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


def test_the_lots_of_the_next_round_can_be_entered_again() -> None:
    at = table(3).starts(0).enters(lots(*THREE_LOTS)).round("8 0 0", "0 0 0", 0, "0 0 0")
    assert at.enters(lots(*THREE_LOTS)).state.dealt is not None


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
