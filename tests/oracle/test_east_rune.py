"""Compare the referee of East Rune with games dealt from real cards."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.oracle import east_rune


@pytest.mark.parametrize("seed", range(12))
def test_the_snapshot_shows_what_lies_on_a_table_of_real_cards(seed: int) -> None:
    """Play with real cards, stop at a random point, and compare the snapshot."""
    rng = random.Random(seed)
    header = east_rune.random_header(rng)
    table = east_rune.Table(rng, header, coarse=0.0, misplay=0.2, stop=rng.choice([0.0, 0.03]))
    table.play_game()
    shown = table.book.snapshot()
    assert shown["hand"] == [len(hand) for hand in table.hands]
    assert shown["front"] == table.columns
    assert shown["chairs"] == table.chairs
    assert shown["monarchs"] == table.monarchs
    assert shown["field"] == {"chairs": table.field_chairs, "cards": [card for card, _ in table.field]}
    assert shown["passed"] == (sorted(table.out) if shown["phase"] != "reveal" else [])
    if shown["needs"] is not None:
        assert shown["needs"] == table.wanted()
    assert (shown["winners"] is not None) == (shown["phase"] == "over")


def test_the_blank_character_is_dealt_into_any_hand_and_a_card_more_to_the_first_dealer() -> None:
    """Check the hands of many deals."""
    holders = set()
    for seed in range(40):
        rng = random.Random(seed)
        table = east_rune.Table(rng, east_rune.random_header(rng, 3, blank_character=True))
        assert [len(hand) for hand in table.hands] == [8, 8, 8]
        assert len(table.left_over) == 1
        holders.add(next((seat for seat, hand in enumerate(table.hands) if east_rune.BLANK_CARD in hand), None))
    assert holders == {0, 1, 2, None}


def cards_in(shown: dict[str, Any]) -> int:
    """Return the number of characters that a snapshot accounts for."""
    lying = [card for columns in shown["front"] for column in columns for card in column]
    hidden: int = sum(shown["hand"]) + sum(shown["monarchs"])
    return hidden + len(shown["field"]["cards"]) + len(lying)


@pytest.mark.parametrize("seed", range(6))
def test_no_card_is_lost_after_any_line(seed: int) -> None:
    """Count characters and chairs after every line, corrections included."""
    rng = random.Random(seed)
    header, lines = east_rune.random_game(rng, coarse=0.0, misplay=0.1, edits=0.1, splices=0.05)
    seats = len(header["players"])
    for shown in east_rune.snapshots(header, lines):
        turned = shown["round"] - (1 if shown["phase"] in ("start", "reveal") else 0)
        if seats == 2:
            assert cards_in(shown) == 12 + 2 * turned
            assert shown["field"]["chairs"] == []
        else:
            given = shown["phase"] != "start" and east_rune.rule(header, "blank_character")
            assert cards_in(shown) == 24 + (1 if given else 0)
            assert sum(shown["chairs"]) + len(shown["field"]["chairs"]) == turned


@pytest.mark.parametrize("seed", range(6))
def test_the_end_in_full_scores_the_same_as_the_cards_did(seed: int) -> None:
    """Enter the result of a dealt game right after its start."""
    rng = random.Random(seed)
    header = east_rune.random_header(rng)
    table = east_rune.Table(rng, header, coarse=0.0)
    table.play_game()
    shown = table.book.snapshot()
    result = {"type": "result", **{key: shown[key] for key in ("chairs", "monarchs", "hand")}}
    result["last_chair"] = table.last_chair
    entered = east_rune.snapshot(header, [table.lines[0], result])
    assert [entered[key] for key in ("totals", "winners")] == [shown[key] for key in ("totals", "winners")]
