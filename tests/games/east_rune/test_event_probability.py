"""Probabilities of what people do at a turn, worked out by hand for small tables."""

from __future__ import annotations

from math import comb, exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core.cards import Suit
from companion.games.east_rune.rules import (
    ATTRIBUTES,
    DAWN,
    DOMAINS,
    NOON,
    VASSALS_IN_ALL,
    Claim,
    EndTurn,
    Pass,
    Rules,
    State,
    start,
)
from companion.games.east_rune.shown import log_likelihood

from .tables import card, cards, play

PASSED = 0.25  # the share of passes where something could be laid


def turn(follows: Suit | None = None, hand: int = 4, front: str = "", seen: int = 0) -> State:
    """Return a turn of seat 0, with so many cards in its hand and these in front of it, each a column."""
    begun = start(3, Rules())
    columns = tuple((each,) for each in cards(front)) if front else ()
    return replace(
        begun,
        phase="play",
        turn=0,
        follows=follows,
        hand=(hand, 5, 5),
        front=(columns, (), ()),
        vassals_seen=seen,
    )


def chance(state: State, word: str) -> float:
    """Return the probability that seat 0 lays a card from its hand, or from in front of it (``+noon3``)."""
    return exp(log_likelihood(state, play(0, word)))


def lacking(left: int, wanted: int, hand: int) -> float:
    """Return the probability that a hand has none of the wanted cards that are left."""
    return comb(left - wanted, hand) / comb(left, hand)


def test_whatever_may_follow_is_laid_in_three_of_four_turns() -> None:
    state = turn()
    assert chance(state, "noon1") == pytest.approx((1 - PASSED) / (len(DOMAINS) * len(ATTRIBUTES)))
    assert exp(log_likelihood(state, Pass(0))) == exp(log_likelihood(state, EndTurn(0))) == pytest.approx(PASSED)


@pytest.mark.parametrize(
    ("seen", "hand", "left", "wanted"),
    [
        (0, 4, VASSALS_IN_ALL, 4),  # 18 vassals left, four of them of the domain
        (10, 4, 8, 2),
        (VASSALS_IN_ALL - 1, 4, 4, 1),  # never fewer than one of each domain
        (10, 12, 8, 2),  # more in hand than vassals are left: the others are monarchs
    ],
)
def test_a_domain_that_nobody_is_seen_to_hold_is_laid_as_likely_as_the_hand_holds_it(
    seen: int, hand: int, left: int, wanted: int
) -> None:
    state, lacks = turn(NOON, hand, seen=seen), lacking(left, wanted, min(hand, left))
    passed = PASSED + (1 - PASSED) * lacks
    assert exp(log_likelihood(state, Pass(0))) == pytest.approx(passed)
    assert chance(state, "noon1") == pytest.approx((1 - passed) / len(ATTRIBUTES))


def test_a_card_in_front_that_fits_is_laid_as_often_as_one_of_the_hand() -> None:
    state = turn(NOON, front="noon1 noon2 dawn1")
    lacks = lacking(VASSALS_IN_ALL, 4, 4)
    from_hand = (1 - lacks) / 2
    assert exp(log_likelihood(state, Pass(0))) == pytest.approx(PASSED)  # it can always lay one
    assert chance(state, "+noon1") == pytest.approx((1 - PASSED) * (1 - from_hand) / 2)
    assert chance(state, "noon1") == pytest.approx((1 - PASSED) * from_hand / len(ATTRIBUTES))


def test_without_a_hand_only_what_lies_in_front_can_be_laid() -> None:
    state = turn(hand=0, front="noon1 dawn1")
    assert chance(state, "+noon1") == pytest.approx((1 - PASSED) / 2)
    assert log_likelihood(state, play(0, "noon1")) == pytest.approx(log(1e-4))  # it cannot be; people do it
    assert exp(log_likelihood(turn(hand=0), Pass(0))) == pytest.approx(1.0)


def test_what_is_no_choice_of_a_player_to_act_is_as_likely_as_anything() -> None:
    assert log_likelihood(turn(), Claim(0, card("noon36"))) == 0.0


@given(
    follows=st.sampled_from((None, NOON, DAWN)),
    hand=st.integers(0, 8),
    front=st.sampled_from(("", "noon1", "noon1 noon2", "dawn1 noon4", "dawn1 dawn2 dusk3")),
    seen=st.integers(0, VASSALS_IN_ALL),
)
def test_one_of_all_that_can_be_done_is_done(follows: Suit | None, hand: int, front: str, seen: int) -> None:
    state = turn(follows, hand, front, seen)
    fitting = [word for word in front.split() if follows in (None, card(word).suit)]
    kinds = len(ATTRIBUTES) * (len(DOMAINS) if follows is None else 1)
    first = "noon1" if follows is None else f"{follows.name}1"
    laid = kinds * chance(state, first) if hand else 0.0
    laid += sum(chance(state, f"+{word}") for word in fitting)
    assert laid + exp(log_likelihood(state, Pass(0))) == pytest.approx(1.0, abs=0.01)
