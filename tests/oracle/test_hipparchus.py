"""Compare the referee of Hipparchus with games dealt from real cards."""

from __future__ import annotations

import random

import pytest

from tests.oracle import hipparchus

SEEDS = range(5)


@pytest.mark.parametrize("seed", SEEDS)
def test_however_a_round_is_entered_its_result_is_that_of_the_real_cards(seed: int) -> None:
    """Compare points, winners and piles with those at the table of known hands."""
    rng = random.Random(seed)
    for coarse in (0.0, 0.1, 0.5, 1.0):
        table = hipparchus.Table(rng, hipparchus.random_header(rng), coarse=coarse, misplay=0.1)
        table.play_game()
        shown = table.book.snapshot()
        assert shown["phase"] == "over"
        assert shown["rounds"] == table.results
        assert shown["captured"] == table.piles
        assert shown["winners"] == [table.results[-1]["winner"]]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_laid_is_in_a_hand_on_the_table_or_in_a_pile(seed: int) -> None:
    """Check that 28 cards are accounted for wherever the hands are known."""
    rng = random.Random(seed)
    header, lines = hipparchus.random_game(rng, coarse=0.05, misplay=0.1, edits=0.1, splices=0.05)
    for shown in hipparchus.snapshots(header, lines):
        piles = sum(sum(pile.values()) for pile in shown["captured"])
        if shown["phase"] == "play" and shown["left"] != [None, None]:
            assert sum(shown["left"]) + sum(laid["count"] for laid in shown["table"]) + piles == 28
        assert piles <= 28
        assert sum(shown["wins"]) == len(shown["rounds"]) <= shown["round"] <= 3
        assert (shown["phase"] == "over") == (max(shown["totals"]) == 2) == (shown["winners"] is not None)
        assert shown["alerts"] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_blocks_laid_by_the_rules_lie_side_by_side_in_the_hand(seed: int) -> None:
    """Compare the offered plays with the hand."""
    rng = random.Random(seed)
    for _ in range(50):
        hand = [rng.choice(hipparchus.SUITS) for _ in range(rng.randint(1, 14))]
        lead: hipparchus.Event = {"player": 0, "suit": rng.choice(hipparchus.SUITS), "count": rng.randint(1, 3)}
        follows = hipparchus.choices(hand, lead)
        for suit, count, places in hipparchus.choices(hand, None) + follows:
            assert [hand[place] for place in places] == [suit] * count
            assert places == list(range(places[0], places[0] + count))
        assert not any((suit, count) == (lead["suit"], lead["count"]) for suit, count, _ in follows)
        assert follows or hand == [lead["suit"]] * lead["count"]
