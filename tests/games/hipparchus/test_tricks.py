"""Hipparchus: a trick: legal plays, winner, next leader."""

from __future__ import annotations

import pytest

from companion.core.events import Event, Start
from companion.games.hipparchus.events import EndRound, Stuck
from companion.games.hipparchus.state import Laid
from companion.games.kit.trick_report import LastTrick

from .tables import led, play, table, trick


def test_the_table_agrees_on_the_first_leader() -> None:
    opened = table().state
    assert (opened.phase, opened.turn, opened.leader, opened.may_start) == ("start", None, None, (0, 1))
    named = led(1).state
    assert (named.phase, named.turn, named.leader, named.may_start) == ("play", 1, 1, None)


def test_the_second_player_has_the_turn_after_the_lead() -> None:
    laid = led(1).lays("moon2").state
    assert (laid.turn, laid.leader, laid.table) == (0, 1, (Laid(1, "moon", 2),))
    assert laid.left == (14, 12)


@pytest.mark.parametrize(
    ("laid", "winner"),
    [
        ("moon3 moon1", 0),  # the same suit: more cards
        ("moon1 moon2", 1),
        ("moon3 sun1", 1),  # nobody has captured any: the second player
        ("sun1 earth3", 1),
        ("moon3 moon1 moon2 sun1", 1),  # seat 0 has captured four moon, seat 1 no sun: fewer wins
        ("sun1 moon1 earth1 moon3", 0),  # level again: the second player, who now is seat 0
        ("sun3 sun1 moon3 moon1 earth2 sun1", 1),  # what the other has captured of it does not count
        ("sun3 sun1 sun1 moon1 sun1 earth1", 0),  # seat 1 leads sun and has one, seat 0 has no earth
    ],
)
def test_who_wins_a_trick(laid: str, winner: int) -> None:
    done = led().lays(laid).state
    assert done.last_trick is not None
    assert done.last_trick.winner == done.leader == done.turn == winner


def test_each_counts_the_suit_he_has_just_played_in_his_own_pile() -> None:
    at = led().lays("moon3 moon1 earth1 earth2")  # seat 0 has four moon, seat 1 three earth and leads
    assert at.state.captured == ((0, 4, 0), (0, 0, 3))
    assert at.lays("earth2 moon3").state.leader == 1  # three against four
    assert at.lays("moon1 earth3").state.leader == 0  # nothing against nothing: the second
    assert at.lays("earth1 sun1").state.leader == 0  # three against nothing
    assert at.lays("sun1 moon3").state.leader == 1


def test_what_counts_was_captured_before_the_trick() -> None:
    at = led().lays("sun3 moon1")  # level at nothing; with this trick counted it would not be
    assert at.state.captured == ((0, 0, 0), (3, 1, 0))
    assert at.state.leader == 1


def test_the_number_of_cards_does_not_matter_between_suits() -> None:
    at = led().lays("moon3 moon1 moon3 sun1")
    assert at.state.leader == 1
    assert at.state.captured == ((0, 4, 0), (1, 3, 0))


def test_a_trick_leaves_the_table_at_once() -> None:
    done = led().lays("moon3 moon1").state
    assert done.table == ()
    assert done.last_trick == LastTrick((Laid(0, "moon", 3), Laid(1, "moon", 1)), 0)
    assert done.captured == ((0, 4, 0), (0, 0, 0))
    assert done.left == (11, 13)


@pytest.mark.parametrize(
    ("before", "event", "reason"),
    [
        ("", play(1, "moon1"), "turn"),
        ("moon3", play(0, "moon1"), "turn"),
        ("", play(2, "moon1"), "seat"),
        ("", play(-1, "moon1"), "seat"),
        ("", play(0, "moon0"), "count"),
        ("", play(0, "moon4"), "count"),
        ("", play(0, "moon-1"), "count"),
        ("moon2", play(1, "moon2"), "same"),
        ("moon3 moon2 moon3", play(1, "moon3"), "same"),
        ("moon3 moon2 moon3 sun1", play(1, "moon3"), "suit"),  # eight of ten were seen
        ("moon3 moon2 moon3", play(1, "earth4"), "count"),
        ("", Start(1), "phase"),
        ("", Stuck(0), "lead"),
        ("", Stuck(1), "lead"),
        ("moon1", Stuck(0), "turn"),
        ("moon1", Stuck(2), "seat"),
        ("moon3 moon1", EndRound(), "known"),
        ("moon1", trick(0, "moon3"), "table"),
        ("", trick(2, "moon3"), "seat"),
    ],
)
def test_what_cannot_be_is_refused(before: str, event: Event, reason: str) -> None:
    assert led().lays(before).refuses(event) == reason


@pytest.mark.parametrize("event", [play(0, "moon1"), Stuck(1), EndRound(), trick(0, "moon3")])
def test_first_it_is_said_who_starts(event: Event) -> None:
    assert table().refuses(event) == "phase"


@pytest.mark.parametrize("seat", [-1, 2])
def test_only_those_who_sit_there_can_start(seat: int) -> None:
    assert table().refuses(Start(seat)) == "seat"


def test_a_hand_has_fourteen_cards() -> None:
    at = led().lays("sun3 sun2 moon3 moon2 earth3 earth2 sun3 sun1")  # seat 0 has laid twelve
    assert at.state.left == (2, 7)
    assert at.refuses(play(0, "moon3")) == "hand"
    assert at.lays("moon2").state.left == (0, 7)


def test_the_same_suit_in_another_number_and_the_same_number_of_another_suit_may_follow() -> None:
    at = led().lays("moon2")
    assert at.lays("moon1").state.leader == 0
    assert at.lays("sun2").state.leader == 1
