"""Gear: known open hands: cards a seat cannot hold, and the duty to follow a pair."""

from __future__ import annotations

import pytest

from .tables import Table, easy, lots, open_hands

# Illegal plays


def test_a_card_from_anothers_open_hand_is_refused() -> None:
    at = open_hands(leader=1)
    assert at.refuses_cards("b5") == "not-theirs"
    assert at.lays("r2").refuses_cards("r2") == "not-theirs"
    assert at.lays("r2 r5 r2").lays("r6").refuses_cards("r2") == "seen"


def test_of_a_card_that_lies_open_once_the_other_copy_may_be_hidden_anywhere_but_once() -> None:
    at = open_hands().lays("b10")
    assert at.refuses_cards("b10") == "not-theirs"
    assert at.lays("b3 b10").revokes == []


def test_a_third_card_that_is_not_open_is_refused() -> None:
    at = open_hands().lays("r10 r2 r5").lays("bA b3 b9").lays("b10")
    assert at.refuses_cards("b2") == "not-open"
    assert at.lays("b5").state.table


def test_two_hidden_cards_can_be_a_pair() -> None:
    assert open_hands().lays("r10+r10 r9+b6 b9+r5").refuses_cards("bA") == "not-open"


def test_two_cards_that_are_not_open_take_two_hidden_ones() -> None:
    assert open_hands().lays("r10 r2 r5").refuses_cards("r9+b9") == "not-open"


def test_two_hidden_cards_cannot_be_both_copies_where_one_lies_open() -> None:
    assert open_hands().refuses_cards("r9+r9") == "not-theirs"


def test_of_two_equal_copies_the_open_one_is_laid_first() -> None:
    at = open_hands(leader=1).lays("r9+r9 r5+r6 r2+r3").lays("b3 b9 b5").lays("b10 b5 r10")
    assert at.revokes == [(1, 4)]  # b4 lies open; r10 is the second hidden card
    assert at.lays("r7 r4").refuses_cards("rA") == "not-open"


# The duty to follow a pair

PAIRED = ("r2 r2 b2 b2 r3 b4", "r6 b6 r8 r8 b9 b9", "r5 r7 r9 r10 b7 b8")


def paired() -> Table:
    """Return an easy game of three with pairs in the open hands."""
    return easy(3).enters(lots(*PAIRED))


@pytest.mark.parametrize(
    ("words", "revokes"),
    [
        ("r2+r2 r8+r8 r5+r7", []),
        ("r2+r2 r6+b6 r5+r7", [(1, 2)]),
        ("b2+b2 r8+r8 b7+b8", [(1, 2)]),
        ("b2+b2 b9+b9 b7+b8", []),
        ("r2+b2 b6+r6 b7+r7", []),
        ("b2+r2 r8+r8 r7+r9", [(1, 2), (2, 2)]),
        ("r2+r2 r4+r4 r5+r7", []),  # from the hidden hand
    ],
)
def test_a_whole_pair_that_lies_open_must_follow_a_pair(words: str, revokes: list[tuple[int, int]]) -> None:
    assert paired().lays(words).revokes == revokes


def test_the_copies_are_forgotten_with_the_round() -> None:
    at = open_hands().round("8 0 0", "0 0 0", 0)
    assert at.state.lots == (None, None, None)
    assert at.lays("b10 b10").state.table
