"""Hipparchus: end of a round, score, end of the game."""

from __future__ import annotations

import pytest

from companion.core.events import Event, Start
from companion.games.hipparchus.cards import Counts
from companion.games.hipparchus.events import EndRound, Stuck
from companion.games.hipparchus.rules import points, tied
from companion.games.hipparchus.state import NOTHING, Laid, RoundResult, snapshot
from companion.games.kit.trick_report import LastTrick

from .tables import Table, led, play, table, trick, whole

FOUR = "sun3 sun2 moon3 moon2 earth3 earth2 sun3 sun1"
"""Four tricks to seat 0, which has two cards left; seat 1 has seven."""


@pytest.mark.parametrize(
    ("ours", "theirs", "earned"),
    [
        ((2, 1, 6), (7, 5, 4), (4, 3)),  # the example of the rules
        ((0, 0, 0), (0, 0, 0), (0, 0)),
        ((5, 5, 5), (5, 5, 3), (3, 0)),  # equal numbers: nobody
        ((10, 0, 0), (0, 10, 0), (0, 0)),  # nothing shared, nothing earned
        ((1, 1, 1), (2, 2, 2), (0, 3)),
    ],
)
def test_who_has_more_of_a_suit_scores_what_the_other_has(
    ours: Counts, theirs: Counts, earned: tuple[int, int]
) -> None:
    assert points((ours, theirs)) == earned
    assert points((theirs, ours)) == earned[::-1]
    assert tied((ours, theirs)) == (earned[0] == earned[1])


def test_the_trick_in_which_a_hand_runs_out_is_finished() -> None:
    at = led().lays(FOUR).lays("earth2")
    assert (at.state.round, at.state.left, at.state.turn) == (1, (0, 7), 1)
    done = at.lays("sun1").state
    assert (done.round, done.phase, done.leader, done.may_start) == (2, "play", 0, None)
    assert done.sheets == (((9, 5, 5), (1, 0, 2)),)
    assert done.rounds == (RoundResult((3, 0), 0),)


def test_the_hand_of_the_second_player_can_run_out_too() -> None:
    at = led().lays("sun2 moon3 earth3 earth2 sun3 sun1 moon3 moon2 earth1 earth2 sun1")
    assert (at.state.round, at.state.left, at.state.turn) == (1, (4, 1), 1)
    assert at.lays("moon1").state.rounds == (RoundResult((0, 5), 1),)


def test_the_next_round_begins_from_the_beginning() -> None:
    done = led().lays(FOUR).lays("earth2 sun1").state
    assert done.table == ()
    assert done.last_trick is None
    assert done.captured == NOTHING
    assert (done.left, done.known, done.second) == ((14, 14), True, None)


def test_the_winner_of_a_round_leads_the_next() -> None:
    assert table().round("3 3 3", "2 2 2").state.leader == 0
    assert table().round("2 2 2", "3 3 3").state.leader == 1
    assert led(0).round("2 2 2", "3 3 3").state.turn == 1


# Stuck


def test_a_stuck_player_ends_the_round_and_nobody_gets_the_lead() -> None:
    done = led().lays("moon3 moon1 sun2").stuck().state
    assert done.rounds == (RoundResult((0, 0), 1),)
    assert done.sheets == (((0, 4, 0), (0, 0, 0)),)
    assert (done.round, done.table, done.leader) == (2, (), 1)


def test_stuck_at_the_very_first_trick_wins_the_tie() -> None:
    for leader in (0, 1):
        done = led(leader).lays("moon3").stuck().state
        assert done.rounds == (RoundResult((0, 0), 1 - leader),)
        assert done.leader == 1 - leader


def test_a_tie_goes_to_who_laid_second_in_the_last_completed_trick() -> None:
    at = led().lays("sun2 sun3")  # seat 1 laid second, won, and leads
    done = at.lays("moon1").enters(Stuck(0)).state
    assert done.rounds == (RoundResult((0, 0), 1),)


# The whole round


def test_a_whole_round_needs_the_second_where_the_points_tie() -> None:
    assert table().refuses(whole("3 0 0", "0 3 0")) == "second"
    assert table().round("3 0 0", "0 3 0", 1).state.rounds == (RoundResult((0, 0), 1),)
    assert table().round("3 0 0", "0 3 0", 0).state.leader == 0


def test_and_does_not_mind_it_elsewhere() -> None:
    assert table().round("3 3 3", "2 2 2", 1) == table().round("3 3 3", "2 2 2")


@pytest.mark.parametrize(
    "at",
    [
        led(1),
        led(1).lays("moon3"),
        led(1).lays("moon3 moon1 sun1"),
        led(1).trick(1, "moon3"),
        led(1).trick(1, "moon3").lays("sun1"),
    ],
    ids=["new", "led", "second trick", "whole trick", "mixed"],
)
def test_a_whole_round_replaces_all_that_was_entered_in_it(at: Table) -> None:
    assert at.round("3 3 3", "2 2 2") == led(1).round("3 3 3", "2 2 2") == table().round("3 3 3", "2 2 2")


@pytest.mark.parametrize(
    ("ours", "theirs", "second", "reason"),
    [
        ("-1 0 0", "3 0 0", None, "sheet"),
        ("3 0 0", "0 0 -1", None, "sheet"),
        ("6 0 0", "5 0 0", None, "suit-sum"),
        ("0 0 11", "0 0 0", None, "suit-sum"),
        ("5 5 5", "5 5 4", None, "sum"),
        ("3 0 0", "2 0 0", 2, "seat"),
        ("3 0 0", "2 0 0", -1, "seat"),
        ("5 5 5", "5 5 5", 0, "sum"),
        ("5 5 4", "5 5 4", None, "second"),
    ],
)
def test_sums_that_do_not_add_up_are_refused(ours: str, theirs: str, second: int | None, reason: str) -> None:
    for at in (table(), led().lays("moon3")):
        assert at.refuses(whole(ours, theirs, second)) == reason


def test_all_that_was_dealt_may_have_been_captured() -> None:
    assert table().round("10 8 0", "0 0 10", 0).state.round == 2


# The end


def test_two_rounds_win_the_game() -> None:
    two = table().round("3 3 3", "2 2 2").round("2 2 2", "3 3 3")
    assert (two.state.wins, two.state.phase, two.state.round, two.state.winners) == ((1, 1), "play", 3, None)
    over = two.round("2 2 2", "3 3 3").state
    assert (over.phase, over.wins, over.winners, over.round) == ("over", (1, 2), (1,), 3)
    assert (over.leader, over.turn, over.may_start) == (None, None, None)
    assert over.captured == ((2, 2, 2), (3, 3, 3))


def test_at_the_end_all_is_as_the_last_round_left_it() -> None:
    second = table().round("3 3 3", "2 2 2")
    over = second.lays("sun3 sun1 moon2 earth1 sun2 sun1 earth2").enters(Stuck(0)).state
    assert (over.phase, over.winners, over.table, over.round) == ("over", (0,), (), 2)
    assert over.captured == ((4, 0, 0), (3, 2, 1))
    assert over.left == (8, 8)
    assert over.last_trick == LastTrick((Laid(1, "sun", 2), Laid(0, "sun", 1)), 1)


def test_played_to_its_end_the_last_trick_stays() -> None:
    over = table().round("3 3 3", "2 2 2").lays(f"{FOUR} earth2 sun1").state
    assert (over.phase, over.left) == ("over", (0, 6))
    assert over.last_trick == LastTrick((Laid(0, "earth", 2), Laid(1, "sun", 1)), 1)


def test_entered_whole_the_last_round_leaves_no_trick_and_whole_hands() -> None:
    over = table().round("3 3 3", "2 2 2").lays("sun2 sun1 moon1").round("3 3 3", "2 2 2").state
    assert (over.phase, over.last_trick, over.left, over.table) == ("over", None, (14, 14), ())


@pytest.mark.parametrize(
    "event", [Start(0), play(0, "moon1"), Stuck(1), EndRound(), trick(0, "moon3"), whole("3 0 0", "0 0 0", 0)]
)
def test_nothing_comes_after_the_end(event: Event) -> None:
    over = table().round("3 3 3", "2 2 2").round("3 3 3", "2 2 2")
    assert over.refuses(event) == "over"


def test_the_snapshot_shows_it_as_the_log_format_says() -> None:
    at = led(1).lays("moon3 moon1 sun2")
    assert snapshot(at.state) == {
        "game": "hipparchus",
        "phase": "play",
        "round": 1,
        "turn": 0,
        "leader": 1,
        "may_start": None,
        "table": at.state.table,
        "last_trick": at.state.last_trick,
        "captured": [{"sun": 0, "moon": 0, "earth": 0}, {"sun": 0, "moon": 4, "earth": 0}],
        "left": (13, 9),
        "rounds": (),
        "wins": (0, 0),
        "totals": (0, 0),
        "winners": None,
        "alerts": (),
    }
    assert snapshot(led().trick(0, "moon3").state)["left"] == (None, None)
