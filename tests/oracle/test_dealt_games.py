"""Every referee agrees with games dealt from real cards, whose hands, slips and scores the dealer knows."""

from __future__ import annotations

import random

import pytest

from tests.oracle import east_rune, eternity, gear, hipparchus

SEEDS = pytest.mark.parametrize("seed", range(6))


@SEEDS
def test_in_eternity_entered_card_by_card_every_wrong_play_comes_to_light(seed: int) -> None:
    rng = random.Random(seed)
    table = eternity.Table(rng, eternity.random_header(rng), coarse=0.0, misplay=0.15)
    table.play_game(most_rounds=3)
    alerts = table.book.snapshot()["alerts"]
    shown = [(a["round"], a["player"], a["trick"]) for a in alerts if a["kind"] == "revoke"]
    assert sorted(shown) == sorted((m["round"], m["player"], m["trick"]) for m in table.misplays)


@SEEDS
def test_in_gear_with_the_lots_entered_every_wrong_play_comes_to_light_at_once(seed: int) -> None:
    rng = random.Random(seed)
    table = gear.Table(rng, gear.random_header(rng), coarse=0.0, misplay=0.2)
    table.show_lots = 1.0
    table.play_game(most_rounds=3)
    alerts = table.book.snapshot()["alerts"]
    shown = [(a["round"], a["player"], a["card_no"]) for a in alerts if a["kind"] == "revoke"]
    assert shown == [(m["round"], m["player"], m["card_no"]) for m in table.misplays]


@SEEDS
def test_however_coarsely_gear_is_entered_the_scores_are_those_of_the_table(seed: int) -> None:
    rng = random.Random(seed)
    table = gear.Table(rng, gear.random_header(rng), coarse=rng.choice([0.0, 0.2, 0.8]), misplay=0.1)
    table.play_game(most_rounds=5)
    assert table.book.snapshot()["rounds"] == table.rounds


@SEEDS
def test_however_hipparchus_is_entered_its_result_is_that_of_the_real_cards(seed: int) -> None:
    rng = random.Random(seed)
    for coarse in (0.0, 0.1, 0.5, 1.0):
        table = hipparchus.Table(rng, hipparchus.random_header(rng), coarse=coarse, misplay=0.1)
        table.play_game()
        shown = table.book.snapshot()
        assert (shown["rounds"], shown["captured"]) == (table.results, table.piles)
        assert shown["winners"] == [table.results[-1]["winner"]]


@SEEDS
def test_in_east_rune_the_snapshot_shows_what_lies_on_a_table_of_real_cards(seed: int) -> None:
    rng = random.Random(seed)
    stop = rng.choice([0.0, 0.03])
    table = east_rune.Table(rng, east_rune.random_header(rng), coarse=0.0, misplay=0.2, stop=stop)
    table.play_game()
    shown = table.book.snapshot()
    assert shown["hand"] == [len(hand) for hand in table.hands]
    assert [shown[key] for key in ("front", "chairs", "monarchs")] == [table.columns, table.chairs, table.monarchs]
    assert shown["field"] == {"chairs": table.field_chairs, "cards": [card for card, _ in table.field]}
    assert shown["needs"] in (None, table.wanted())


@SEEDS
def test_the_end_of_east_rune_in_full_scores_the_same_as_the_cards_did(seed: int) -> None:
    rng = random.Random(seed)
    header = east_rune.random_header(rng)
    table = east_rune.Table(rng, header, coarse=0.0)
    table.play_game()
    shown = table.book.snapshot()
    result = {"type": "result", **{key: shown[key] for key in ("chairs", "monarchs", "hand")}}
    entered = east_rune.snapshot(header, [table.lines[0], {**result, "last_chair": table.last_chair}])
    assert [entered[key] for key in ("totals", "winners")] == [shown[key] for key in ("totals", "winners")]
