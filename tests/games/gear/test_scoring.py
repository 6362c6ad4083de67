"""Gear: end of a round: the next starter, sheets and tricks that cannot be, the snapshot."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.gear.events import Trick
from companion.games.gear.state import snapshot

from .tables import Table, easy, sold, table, whole

THREE = "0 0 0"


# A whole round


@pytest.mark.parametrize(
    ("seats", "event", "reason"),
    [
        (3, whole("3 3", THREE, 0, THREE), "sheet"),
        (3, whole("3 3 2", "0 0", 0, THREE), "sheet"),
        (3, whole("9 -1 0", THREE, 0, THREE), "sheet"),
        (3, whole("8 0 0", "1 -1 0", 0, THREE), "sheet"),
        (3, whole("3 3 3", THREE, 0, THREE), "tricks-sum"),
        (3, whole("3 3 1", THREE, 0, THREE), "tricks-sum"),
        (3, whole("4 4 0", "3 2 0", 0, THREE), "aces-sum"),
        (3, whole("4 4 0", "0 0 1", 0, THREE), "aces"),
        (3, whole("7 1 0", "0 4 0", 0, THREE), "aces"),
        (3, whole("7 1 0", "1 3 0", 0, THREE), None),
        (2, whole("7 1", "0 3", 0, "0 0"), "aces"),
        (3, whole("4 4 0", THREE, 2, THREE), "last"),
        (3, whole("4 4 0", THREE, 3, THREE), "seat"),
        (3, whole("4 4 0", THREE, 0), "prices"),
        (3, whole("4 4 0", THREE, 0, "0 0"), "prices"),
        (3, whole("4 4 0", THREE, 0, "0 0 -1"), "prices"),
        (5, whole("8 0 0 0 0", "3 0 0 0 0", 0, "0 0 0 0 0"), "aces-sum"),
        (5, whole("8 0 0 0 0", "4 0 0 0 0", 0, "0 0 0 0 0"), None),
    ],
)
def test_a_sheet_that_cannot_be_is_refused(seats: int, event: Any, reason: str | None) -> None:
    at = table(seats)
    if reason is None:
        assert at.enters(event).state.round == 2
    else:
        assert at.refuses(event) == reason


def test_in_the_easy_game_no_price_is_said() -> None:
    assert easy(3).refuses(whole("8 0 0", THREE, 0, THREE)) == "prices"
    assert easy(3).round("8 0 0", THREE, 0).state.rounds == ((16, 0, 0),)


def test_a_finished_auction_stays_and_its_prices_are_not_said_again() -> None:
    at = table(3, rounds=1).starts(0).bids("0=0 2=7 1=0").lays("r2 r3")
    assert at.refuses(whole("8 0 0", THREE, 0, THREE)) == "prices"
    done = at.round("8 0 0", THREE, 0)
    assert (done.state.lots, done.state.prices) == ((1, 0, 2), (0, 0, 7))
    assert done.state.rounds == ((16, 0, -7),)
    assert done.overbids == [(1, 2)]
    assert (done.state.last_trick, done.state.left) == (None, (0, 0, 0))


# Whole tricks


@pytest.mark.parametrize(
    ("at", "winner", "count", "aces", "reason"),
    [
        (sold(2), 0, 1, 2, None),
        (sold(2), 0, 1, 3, "aces"),
        (sold(2), 0, 2, 4, None),
        (sold(3), 0, 2, 5, "aces"),
        (sold(3), 0, 1, -1, "aces"),
        (sold(3).trick(0, 2, 3), 0, 1, 1, None),
        (sold(3).trick(0, 2, 3), 0, 1, 2, "aces"),
        (sold(3), 0, 0, 0, "count"),
        (sold(3), 0, 3, 0, "count"),
        (sold(3).tricks(0, 0, 0, 0, 0, 0, 0), 0, 2, 0, "count"),
        (sold(3), 3, 1, 0, "seat"),
        (sold(3).lays("r2"), 0, 1, 0, "table"),
        (sold(5).tricks(0, 0, 0, 0, 0, 0, 0), 0, 1, 3, "aces"),
        (sold(5).tricks(0, 0, 0, 0, 0, 0, 0), 0, 1, 4, None),
        (sold(5).tricks(0, 0, 0, 0, 0, 0).trick(0, 1, 1), 0, 1, 3, None),
    ],
)
def test_a_whole_trick_that_cannot_be_is_refused(
    at: Table, winner: int, count: int, aces: int, reason: str | None
) -> None:
    event = Trick(winner, count, aces)
    if reason is None:
        assert at.enters(event).state is not at.state
    else:
        assert at.refuses(event) == reason


# The snapshot


def test_a_snapshot_says_all_the_log_format_asks_for() -> None:
    shown = snapshot(table(4, teams=True).starts(1).state)
    assert shown == {
        "game": "gear",
        "phase": "auction",
        "round": 1,
        "starter": 1,
        "turn": 2,
        "leader": None,
        "may_start": None,
        "lots": (None,) * 4,
        "prices": (None,) * 4,
        "table": (),
        "last_trick": None,
        "left": (8,) * 4,
        "tricks": (0,) * 4,
        "aces": (0,) * 4,
        "rounds": (),
        "totals": (5,) * 4,
        "teams": (10, 10),
        "winners": None,
        "alerts": (),
    }
