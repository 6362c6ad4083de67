"""Compare the referee of Gear with games dealt from real cards."""

from __future__ import annotations

import random

import pytest

from tests.oracle import gear


@pytest.mark.parametrize("seed", range(5))
def test_with_the_lots_entered_every_wrong_play_comes_to_light_at_once(seed: int) -> None:
    """Compare the alerts with the illegal plays made at the table."""
    rng = random.Random(seed)
    table = gear.Table(rng, gear.random_header(rng), coarse=0.0, misplay=0.2)
    table.show_lots = 1.0
    table.play_game(most_rounds=3)
    alerts = table.book.snapshot()["alerts"]
    shown = [(a["round"], a["player"], a["card_no"]) for a in alerts if a["kind"] == "revoke"]
    assert shown == [(m["round"], m["player"], m["card_no"]) for m in table.misplays]


@pytest.mark.parametrize("seed", range(5))
def test_however_coarsely_a_game_is_entered_the_scores_are_those_of_the_table(seed: int) -> None:
    """Compare the scores with those of the hands that were dealt."""
    rng = random.Random(seed)
    table = gear.Table(rng, gear.random_header(rng), coarse=rng.choice([0.0, 0.2, 0.8]), misplay=0.1)
    table.play_game(most_rounds=5)
    assert table.book.snapshot()["rounds"] == table.rounds


@pytest.mark.parametrize("seed", range(5))
def test_every_snapshot_of_a_corrected_game_adds_up(seed: int) -> None:
    """Check invariants at every point."""
    rng = random.Random(seed)
    header, lines = gear.random_game(rng, coarse=0.2, misplay=0.1, edits=0.1, splices=0.05)
    for found in gear.snapshots(header, lines):
        left = found["left"]
        laid = sum(len(play["cards"]) for play in found["table"])
        assert sum(left) + laid + len(left) * sum(found["tricks"]) == gear.HAND * len(left)
        assert sum(found["aces"]) <= gear.ACES
        assert all(aces <= tricks * len(left) for aces, tricks in zip(found["aces"], found["tricks"], strict=True))
        columns = zip(*found["rounds"], [gear.POINTS_AT_FIRST] * len(left), strict=True)
        paid = [price or 0 for price in found["prices"]] if found["phase"] == "play" else [0] * len(left)
        assert found["totals"] == [sum(column) - price for column, price in zip(columns, paid, strict=True)]
        assert (found["turn"] is None) == (found["phase"] in ("start", "over"))
        assert (found["leader"] is None) == (found["phase"] != "play")
        assert (found["winners"] is None) == (found["phase"] != "over")
        assert len(found["rounds"]) == found["round"] - (found["phase"] != "over")
