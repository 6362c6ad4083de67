"""Check every referee: hand-made transcripts, illegal events, undo."""

from __future__ import annotations

import json
import random
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "transcripts"
NAMES = ["eternity", "gear", "hipparchus", "east-rune"]


def referee(name: str) -> Any:
    """Return the referee of a game."""
    return import_module(f"tests.oracle.{name.replace('-', '_')}")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*.jsonl")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_referee_agrees_with_the_transcript(path: Path) -> None:
    header, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert referee(path.parent.name).snapshot(header, lines) == expected


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", NAMES)
def test_impossible_events_are_refused_wherever_a_game_stands(name: str, seed: int) -> None:
    rng = random.Random(seed)
    coarse = 0.3 if name == "east-rune" else 0.2
    header, lines = referee(name).random_game(rng, coarse=coarse, misplay=0.1, edits=0.1, splices=0.05)
    for count in [0, rng.randrange(len(lines) + 1), len(lines)]:
        assert referee(name).illegal(header, lines[:count], rng)
