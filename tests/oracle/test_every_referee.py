"""Every referee agrees with the games worked out by hand; tests/games compares it with the rules."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "transcripts"


def referee(name: str) -> Any:
    return import_module(f"tests.oracle.{name.replace('-', '_')}")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*.jsonl")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_referee_agrees_with_the_transcript(path: Path) -> None:
    header, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert referee(path.parent.name).snapshot(header, lines) == expected
