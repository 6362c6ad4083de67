"""Eternity: cards, tiles, hand sizes and set-up options."""

from __future__ import annotations

import pytest
from msgspec import UNSET

from companion.core.text import IllegalEventError, tell
from companion.games.eternity.rules import (
    DECK,
    OPTIONS,
    PLAYERS,
    SUITS,
    TOKENS,
    Rules,
    most_trees,
    pledges_in_trick,
    start,
    trees_on,
    tricks_in_round,
)
from companion.games.kit import Ending

from .tables import tiles


def test_there_are_42_cards_in_three_suits() -> None:
    assert [suit.name for suit in SUITS] == ["sea", "sky", "earth"]
    assert len(DECK) == 42
    assert [(card.suit, card.rank) for card in DECK] == [(suit, rank) for suit in SUITS for rank in range(1, 15)]


def test_suits_are_blue_red_and_green() -> None:
    strongest = [max(range(3), key=suit.colour.__getitem__) for suit in SUITS]
    assert strongest == [2, 0, 1]


@pytest.mark.parametrize("suit", ["sea", "sky", "earth"])
@pytest.mark.parametrize(("ranks", "trees"), [(range(1, 5), 0), (range(5, 10), 1), (range(10, 15), 2)])
def test_a_low_card_is_worth_no_tree_a_middle_one_one_a_high_one_two(suit: str, ranks: range, trees: int) -> None:
    assert {trees_on(DECK.by_name[f"{suit}-{rank}"]) for rank in ranks} == {trees}


@pytest.mark.parametrize(
    ("seats", "tricks", "pledges", "most", "limited"),
    [(2, 7, 1, 14, 14), (3, 10, 1, 20, 18), (4, 10, 1, 20, 18), (5, 8, 2, 31, 18)],
)
def test_a_round_by_the_number_of_players(seats: int, tricks: int, pledges: int, most: int, limited: int) -> None:
    assert tricks_in_round(seats) == tricks
    assert pledges_in_trick(seats) == pledges
    assert most_trees(seats, limited=False) == most
    assert most_trees(seats, limited=True) == limited


def test_two_to_five_play_with_eighteen_tokens() -> None:
    assert list(PLAYERS) == [2, 3, 4, 5]
    assert TOKENS == 18


def test_without_a_word_it_is_the_japanese_game_of_three_rounds() -> None:
    rules = Rules()
    assert (rules.edition, rules.neutral, rules.tokens) == ("jp", "aside", "substitute")
    assert (rules.ending.rounds, rules.ending.target) == (3, UNSET)
    assert rules.tiles == ("sea", "sky", "earth")
    assert rules.target is None
    assert Rules(ending=Ending(target=12)).target == 12


@pytest.mark.parametrize(
    ("order", "places"), [("sea sky earth", (0, 1, 2)), ("earth sea sky", (2, 0, 1)), ("sky earth sea", (1, 2, 0))]
)
def test_tiles_lie_in_any_order(order: str, places: tuple[int, ...]) -> None:
    assert Rules(tiles=tiles(order)).left_to_right() == places


def test_every_order_of_the_tiles_can_be_chosen_by_its_suits_from_left_to_right() -> None:
    orders = next(option.choices for option in OPTIONS if option.name == "tiles")
    assert [tell(choice.label) for choice in orders] == [
        "Sea Sky Earth",
        "Sea Earth Sky",
        "Sky Sea Earth",
        "Sky Earth Sea",
        "Earth Sea Sky",
        "Earth Sky Sea",
    ]
    assert all(tell(choice.label).lower().split() == list(choice.value) for choice in orders)


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (Rules(tiles=("sea", "sea", "earth")), "tiles"),
        (Rules(tiles=("sky", "earth", "earth")), "tiles"),
        (Rules(ending=Ending()), "ending"),
        (Rules(ending=Ending(rounds=3, target=20)), "ending"),
        (Rules(ending=Ending(rounds=2)), "ending"),
        (Rules(ending=Ending(rounds=4)), "ending"),
        (Rules(ending=Ending(target=0)), "ending"),
        (Rules(ending=Ending(target=-20)), "ending"),
        (Rules(neutral="columns"), "neutral"),
    ],
)
def test_rules_that_cannot_be_are_refused(rules: Rules, reason: str) -> None:
    with pytest.raises(IllegalEventError) as caught:
        start(3, rules)
    assert caught.value.reason == reason
    assert str(caught.value)
