"""Gear: cards and set-up options."""

from __future__ import annotations

import pytest

from companion.core.text import tell
from companion.games.gear.rules import DECK, Rules, count, from_hand, size, start, with_cards

from .tables import card, cards


def test_there_are_twenty_different_cards() -> None:
    assert [each.name for each in DECK][:2] == ["red-A", "red-2"]
    assert [each.name for each in DECK][-1] == "black-10"
    assert len(DECK) == len(DECK.by_name) == 20
    assert tell(card("bA")) == "Black A"
    assert tell(card("r10")) == "Red 10"


def test_every_rank_is_one_key() -> None:
    assert [each.keys for each in DECK][:10] == [(key,) for key in "1234567890"]


def test_a_bag_holds_two_of_each_card_and_no_third() -> None:
    bag = with_cards(0, cards("r7 b7 r7 bA"))
    assert isinstance(bag, int)
    assert [count(bag, card(word)) for word in ("r7", "b7", "bA", "r8")] == [2, 1, 1, 0]
    assert size(bag) == 4
    assert with_cards(bag, cards("b7 r7")) is card("r7")
    assert size(with_cards(0, (*DECK, *DECK)) or 0) == 40  # type: ignore[arg-type]  # all of them fit


def test_the_open_copy_is_laid_first() -> None:
    hand = with_cards(0, cards("r7 b7"))
    assert isinstance(hand, int)
    assert from_hand(hand, cards("r7 r7")) == card("b7").bit
    assert from_hand(hand, cards("r8")) == hand


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_begins_with_five_points_and_may_start(seats: int) -> None:
    state = start(seats, Rules())
    assert state.totals == (5,) * seats
    assert state.may_start == tuple(range(seats))
    assert (state.phase, state.turn, state.leader, state.starter) == ("start", None, None, None)
    assert state.teams is None
