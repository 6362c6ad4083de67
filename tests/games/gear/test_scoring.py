"""Gear: end of a round: points, prices, next starter, winners."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.gear.events import Trick
from companion.games.gear.round_end import points
from companion.games.gear.state import Overbid, snapshot
from tests.games.table import counts

from .tables import THREE_LOTS, Table, easy, lots, open_hands, sold, table, whole

THREE = "0 0 0"


@pytest.mark.parametrize(
    ("tricks", "aces", "last", "earned"),
    [
        (0, 0, False, 0),
        (1, 0, False, 1),
        (2, 1, False, 3),
        (3, 0, False, 4),
        (5, 0, False, 6),
        (6, 0, False, 8),
        (7, 4, True, 16),
        (8, 0, True, 16),
        (8, 4, True, 20),
        (1, 0, True, 4),
    ],
)
def test_points_are_tricks_threes_aces_the_last_trick_and_all_tricks(
    tricks: int, aces: int, last: bool, earned: int
) -> None:
    assert points(tricks, aces, last) == earned


def test_the_price_is_paid() -> None:
    at = table(3).starts(0).pays("3 0 1").tricks(0, 0, 0, 1, 1, 1, 2).trick(2, aces=2)
    assert at.state.rounds == ((4 - 3, 4, 2 + 2 + 3 - 1),)
    assert at.state.totals == (6, 9, 11)


# Totals


BIDDING = table(3).starts(2).bids("0=2 0=3 1=0")
"""Seats 0, 1 and 2 have bid; seat 0 was pushed off and bids again."""


@pytest.mark.parametrize(
    ("at", "totals"),
    [
        (table(3).starts(0), (5, 5, 5)),
        (BIDDING, (5, 5, 5)),
        (BIDDING.bids("2=1"), (4, 2, 5)),
        (table(3).starts(0).pays("1 0 7"), (4, 5, -2)),
        (table(3).starts(0).enters(lots(*THREE_LOTS)).pays("1 0 7", "2 1 0"), (4, 5, -2)),
        (table(3).starts(0).pays("1 0 7").lays("r2 r3 r4").trick(0, 2), (4, 5, -2)),
        (easy(3), (5, 5, 5)),
        (easy(3).enters(lots(*THREE_LOTS)).lays("r2"), (5, 5, 5)),
    ],
)
def test_the_prices_lie_no_more_before_the_players_once_the_auction_is_over(at: Table, totals: tuple[int, ...]) -> None:
    assert at.state.totals == totals


def test_what_is_paid_counts_for_the_pairs_as_well() -> None:
    at = table(4, teams=True).starts(0)
    assert at.state.teams == (10, 10)
    assert at.pays("1 0 2 6").state.teams == (10 - 3, 10 - 6)


@pytest.mark.parametrize("prices", ["1 0 7", "0 0 0"])
def test_a_price_is_paid_once_however_the_round_is_entered(prices: str) -> None:
    bought = table(3).starts(0).pays(prices)
    ways = (
        bought.tricks(0, 0, 0, 1, 1, 1, 2, 2),
        bought.tricks(0, 0).round("3 3 2", "0 0 0", 2),
        table(3).starts(0).round("3 3 2", "0 0 0", 2, prices),
        table(3).round("3 3 2", "0 0 0", 2, prices),
    )
    earned = (4, 4, 5)
    for at in ways:
        assert at.state.rounds == (tuple(point - price for point, price in zip(earned, counts(prices), strict=True)),)
        assert at.state.totals == tuple(5 + point for point in at.state.rounds[0])
    assert ways[0].overbids == ways[1].overbids == ways[2].overbids == ways[3].overbids


@pytest.mark.parametrize(("target", "over"), [(13, False), (12, True)])
def test_a_target_is_reached_by_what_is_left_at_the_end_of_a_round(target: int, over: bool) -> None:
    for at in (table(2, target=target).starts(0).pays("1 3"), table(2, target=target)):
        done = at.round("4 4", "0 0", 0, "" if at.state.phase == "play" else "1 3")
        assert done.state.totals == (12, 7)
        assert (done.state.phase == "over") == over


def test_points_may_go_below_zero() -> None:
    assert table(2).round("8 0", "0 0", 0, "0 9").state.totals == (21, -4)


def test_a_round_ends_with_the_eighth_card_and_the_next_opens_at_once() -> None:
    at = sold(3).tricks(0, 0, 0, 0, 0, 0).lays("r2+r2 r3+r3 r4+r5")
    state = at.state
    assert (state.round, state.phase, state.starter, state.turn, state.leader) == (2, "auction", 1, 2, None)
    assert (state.tricks, state.aces, state.left) == ((0, 0, 0), (0, 0, 0), (8, 8, 8))
    assert (state.lots, state.prices, state.last_trick) == ((None,) * 3, (None,) * 3, None)
    assert state.rounds == ((8, 5, 0),)


def test_in_the_easy_game_the_winner_of_the_last_trick_leads_at_once() -> None:
    at = easy(3).tricks(0, 0, 0, 0, 0, 0, 0, 2)
    assert (at.state.phase, at.state.turn, at.state.leader, at.state.starter) == ("play", 2, 2, 2)


# The end of the game


def test_a_game_by_rounds_ends_with_its_last() -> None:
    at = sold(3, rounds=1).tricks(0, 0, 0, 0, 0, 0, 0).lays("r2 r3 rA")
    state = at.state
    assert (state.phase, state.round, state.turn, state.leader, state.starter) == ("over", 1, None, None, 0)
    assert state.last_trick is not None
    assert (state.tricks, state.aces, state.left, state.table) == ((7, 1, 0), (0, 1, 0), (0, 0, 0), ())
    assert state.prices == (0, 0, 0)
    assert state.winners == (0,)


@pytest.mark.parametrize(
    ("rounds", "phase", "winners"),
    [
        (["8 0 0", "0 8 0"], "start", None),
        (["8 0 0", "8 0 0"], "over", (0,)),
        (["5 0 3", "5 0 3", "5 0 3"], "over", (0,)),
    ],
)
def test_a_game_to_a_total_ends_with_the_round_in_which_somebody_has_it(
    rounds: list[str], phase: str, winners: tuple[int, ...] | None
) -> None:
    at = table(3, auction=False, target=30)
    for tricks in rounds:
        at = at.round(tricks, THREE, counts(tricks).index(max(counts(tricks))))
    assert (at.state.phase == "over") == (phase == "over")
    assert at.state.winners == winners


def test_the_five_points_of_the_beginning_end_no_game_by_themselves() -> None:
    at = table(3, target=3)
    assert at.state.phase == "start"
    assert at.round("8 0 0", THREE, 0, "99 99 99").state.phase == "auction"
    assert at.round("8 0 0", THREE, 0, THREE).state.phase == "over"


def test_two_who_reach_it_together_compare_and_equal_ones_share() -> None:
    at = table(2, auction=False, target=9)
    assert at.round("4 4", "0 3", 0).state.winners == (0, 1)
    assert at.round("4 4", "1 3", 0).state.winners == (0,)


# Pairs


def pair_game(**rules: Any) -> Table:
    """Return an easy game with teams."""
    return table(4, auction=False, teams=True, **rules)


def test_a_pair_has_the_sum_of_its_totals() -> None:
    at = pair_game()
    assert at.state.teams == (10, 10)
    assert at.round("4 0 1 3", "0 0 2 0", 3).state.teams == (10 + 5 + 3, 10 + 7)
    assert table().state.teams is None


@pytest.mark.parametrize(
    ("tricks", "aces", "last", "winners"),
    [
        ("4 4 0 0", "0 0 0 0", 0, (0, 2)),
        ("4 4 0 0", "0 4 0 0", 0, (1, 3)),
        ("4 4 0 0", "0 3 0 0", 0, (0, 1, 2, 3)),
        ("8 0 0 0", "0 0 0 0", 0, (0, 2)),
    ],
)
def test_the_better_pair_wins_together(tricks: str, aces: str, last: int, winners: tuple[int, ...]) -> None:
    assert pair_game(rounds=1).round(tricks, aces, last).state.winners == winners


def test_a_total_is_reached_by_a_player_not_by_a_pair() -> None:
    at = pair_game(target=15).round("3 2 3 0", "0 0 0 0", 0)
    assert at.state.teams == (21, 12)
    assert at.state.winners is None


# A whole round


def test_a_whole_round_needs_nobody_named() -> None:
    at = table(3).round("3 0 5", "1 0 2", 2, "1 2 0")
    assert at.state.rounds == ((3 + 1 + 1 - 1, -2, 5 + 1 + 2 + 3),)
    assert (at.state.phase, at.state.starter, at.state.turn) == ("auction", 2, 0)


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


def test_an_unfinished_one_goes() -> None:
    at = table(3, rounds=1).starts(0).bids("0=9 2=7").round("8 0 0", THREE, 0, "6 0 0")
    assert (at.state.lots, at.state.prices) == ((None, None, None), (6, 0, 0))
    assert at.state.alerts == (Overbid(1, 0),)


def test_the_revokes_of_the_round_go_with_its_cards_and_those_of_others_stay() -> None:
    at = open_hands().lays("r2 b3 b9")
    assert len(at.revokes) == 2
    assert at.round("8 0 0", THREE, 0).revokes == []
    second = at.tricks(0, 0, 0, 0, 0, 0, 0).enters(lots(*THREE_LOTS))
    assert second.lays("r2 b3").round("8 0 0", THREE, 0).revokes == [(1, 1), (2, 1)] == at.revokes


def test_of_the_easy_game_even_the_open_hands_go() -> None:
    assert open_hands().state.lots == (0, 1, 2)
    done = easy(3, rounds=1).enters(lots(*THREE_LOTS))
    assert done.round("8 0 0", THREE, 0).state.lots == (None, None, None)


# Whole tricks


def test_a_whole_trick_counts_for_its_winner_who_leads_next() -> None:
    at = sold().trick(2, 2, 3)
    assert (at.state.tricks, at.state.aces) == ((0, 0, 2, 0), (0, 0, 3, 0))
    assert (at.state.turn, at.state.left, at.state.last_trick) == (2, (6, 6, 6, 6), None)


def test_the_trick_before_it_is_not_shown_any_more() -> None:
    assert easy(2).lays("r2 r3").trick(0).state.last_trick is None


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
