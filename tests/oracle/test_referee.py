"""Hold the referee against the transcripts worked out by hand, and against tables whose hands are known."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.oracle import eternity

FOLDER = Path(__file__).parent.parent / "transcripts" / "eternity"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_referee_agrees_with_the_transcript(path: Path) -> None:
    """Compare the whole snapshot."""
    header, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert eternity.snapshot(header, lines) == expected


@pytest.mark.parametrize("seed", range(12))
def test_in_games_entered_card_by_card_every_wrong_play_comes_to_light(seed: int) -> None:
    """Compare the alerts with the wrong plays the table knows of."""
    rng = random.Random(seed)
    header = eternity.random_header(rng)
    table = eternity.Table(rng, header, coarse=0.0, misplay=0.15)
    table.play_game(most_rounds=3)
    alerts = table.book.snapshot()["alerts"]
    shown = [(a["round"], a["player"], a["trick"]) for a in alerts if a["kind"] == "revoke"]
    assert sorted(shown) == sorted((m["round"], m["player"], m["trick"]) for m in table.misplays)


@pytest.mark.parametrize("seed", range(12))
def test_impossible_events_are_refused_wherever_a_game_stands(seed: int) -> None:
    """Stop corrected games anywhere and try what cannot be."""
    rng = random.Random(seed)
    header, lines = eternity.random_game(rng, coarse=0.2, misplay=0.1, edits=0.1, splices=0.05)
    for count in [0, rng.randrange(len(lines) + 1), len(lines)]:
        assert eternity.illegal(header, lines[:count], rng)
