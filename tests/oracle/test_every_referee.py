"""Every referee agrees with the games worked out by hand; tests/games compares it with the rules."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from tests.oracle.shared import RefusedError

FOLDER = Path(__file__).parent.parent / "transcripts"
LOGS = sorted(path for game in GAMES for path in (FOLDER / game).glob("*.jsonl"))
REFUSED = sorted(FOLDER.glob("*/refused/*.jsonl"))


def referee(name: str) -> Any:
    return import_module(f"tests.oracle.{name.replace('-', '_')}")


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_referee_agrees_with_the_transcript(path: Path) -> None:
    header, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert referee(path.parent.name).snapshot(header, lines) == expected


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: f"{path.parent.parent.name}/{path.stem}")
def test_the_referee_refuses_the_last_line_and_changes_nothing(path: Path) -> None:
    """Enter all lines but the last, then try the last."""
    header, *lines, wrong = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    book = referee(path.parent.parent.name).Book.of(header, lines)
    before, past, future = book.snapshot(), list(book.past), list(book.future)
    with pytest.raises(RefusedError):
        book.add(wrong)
    assert (book.snapshot(), book.past, book.future) == (before, past, future)
