"""Writes games into a journal's folder quickly: files only, without syncing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from companion.journal import StoredGame
from companion.journal.chain import chained, check


def write_game(folder: Path, number: int, header: str, lines: Iterable[str]) -> StoredGame:
    """Write both copies of a game, and return it as the list has it."""
    seed = f"{number:08x}"
    name = f"{number:06d}-gear-{seed}"
    rows = [chained(seed.encode(), header, {"at": 0, "tracking": "full"})]
    note = {"at": 0, "tracking": "full", "keys": "12"}
    for line in lines:
        rows.append(chained(check(rows[-1]), line, note))
    content = b"".join(rows)
    for copy in ("games", "copies"):
        (folder / copy).mkdir(exist_ok=True)
        (folder / copy / f"{name}.jsonl").write_bytes(content)
    return StoredGame(name, number, header, "full", False, len(rows) - 1, 0)
