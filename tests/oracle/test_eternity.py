"""Compare the referee of Eternity with games dealt from real cards."""

from __future__ import annotations

import random

import pytest

from tests.oracle import eternity


@pytest.mark.parametrize("seed", range(5))
def test_in_games_entered_card_by_card_every_wrong_play_comes_to_light(seed: int) -> None:
    """Compare the alerts with the illegal plays made at the table."""
    rng = random.Random(seed)
    header = eternity.random_header(rng)
    table = eternity.Table(rng, header, coarse=0.0, misplay=0.15)
    table.play_game(most_rounds=3)
    alerts = table.book.snapshot()["alerts"]
    shown = [(a["round"], a["player"], a["trick"]) for a in alerts if a["kind"] == "revoke"]
    assert sorted(shown) == sorted((m["round"], m["player"], m["trick"]) for m in table.misplays)
