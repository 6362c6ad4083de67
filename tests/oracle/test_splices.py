"""Check every referee on splices: hand-made ones, and random ones replayed without the splice."""

from __future__ import annotations

import json
import random
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.shared import RefusedError, some_splice

FOLDER = Path(__file__).parent.parent / "transcripts"
REFUSED = sorted(FOLDER.glob("*/refused/*.jsonl"))
NAMES = ["eternity", "gear", "hipparchus", "east_rune"]


def referee(name: str) -> Any:
    return import_module(f"tests.oracle.{name.replace('-', '_')}")


@pytest.mark.parametrize("path", REFUSED, ids=lambda path: f"{path.parent.parent.name}/{path.stem}")
def test_the_referee_refuses_the_last_line_and_changes_nothing(path: Path) -> None:
    """Enter all lines but the last, then try the last."""
    header, *lines, wrong = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    book = referee(path.parent.parent.name).Book.of(header, lines)
    before, past, future = book.snapshot(), list(book.past), list(book.future)
    with pytest.raises(RefusedError):
        book.add(wrong)
    assert (book.snapshot(), book.past, book.future) == (before, past, future)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", NAMES)
def test_a_splice_is_the_log_without_it_entered_anew(name: str, seed: int) -> None:
    """Replay the events expected after a splice in a new log; both must agree or both be refused."""
    rng = random.Random(seed)
    header, lines = referee(name).random_game(rng, coarse=0.1)
    book = referee(name).Book.of(header, lines[: rng.randrange(len(lines) + 1)])
    for _ in range(12):
        splice = some_splice(rng, book, lambda event: event)
        first, last = splice["event"] - 1, splice["event"] - 1 + splice["drop"]
        stand = [*book.events[:first], *splice["put"], *book.events[last:]]
        try:
            anew = referee(name).Book.of(header, stand)
        except RefusedError:
            assert book.refuses(splice)
            continue
        snapshot, events = book.snapshot(), book.events
        book.add(splice)
        assert (book.snapshot(), book.events) == (anew.snapshot(), stand)
        book.add({"type": "undo"})
        assert (book.snapshot(), book.events) == (snapshot, events)
