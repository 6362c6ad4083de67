"""Measures the start of the box and the list of games with thousands of games, with and without the index."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import astuple
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from companion.journal import Journal, StoredGame

from .keeping import write_game
from .length import growing
from .process import Children
from .table import Limit, Row
from .timing import beside

GAMES = 5_000
ENTRIES = 200
TRIES = 5


def filled(folder: Path) -> list[StoredGame]:
    """Write the games and their index, with the latest game open, and return their list."""
    header, (_few, lines) = growing((10, ENTRIES))
    games = [write_game(folder, number, header, lines[:ENTRIES]) for number in range(1, GAMES + 1)]
    journal = Journal(folder)
    while journal.check_next():
        pass
    journal.keep_setting("language", "en")
    journal.set_open_game(games[-1].name)
    journal.close()
    return games


def started(children: Children, folder: Path) -> Iterator[Row]:
    """Measure starts to the first question, with games and without, in turn."""
    many, none = [], []
    for attempt in range(1 + TRIES):
        found = children.run("start", data=folder)["ready"], children.run("start")["ready"]
        if attempt:  # the first compiles
            many.append(found[0] * 1000)
            none.append(found[1] * 1000)
    yield Row(f"start with {GAMES:,} games", min(many), "ms", "an empty folder's", min(none), (Limit(1.1, ratio=True),))


def listed(folder: Path, games: list[StoredGame]) -> Iterator[Row]:
    """Measure the list with its index, then without."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE game (name, number, header, tracking, over, lines, begun)")
    database.executemany("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?)", map(astuple, games))
    ours, theirs = beside(partial(listing, folder), partial(selected, database), tries=TRIES)
    yield Row(f"list of {GAMES:,} games", ours * 1e3, "ms", "SQLite, rows in memory", theirs * 1e3)
    (folder / "index.jsonl").unlink()
    ours, theirs = beside(partial(listing, folder, every=True), partial(hashed, folder), tries=TRIES)
    yield Row("  its index missing", ours * 1e3, "ms", "every file read, hashed", theirs * 1e3)


def listing(folder: Path, *, every: bool = False) -> None:
    """List the games of a journal.

    Args:
        folder: Its folder.
        every: Whether to read games until all are known.
    """
    journal = Journal(folder, writes=False)
    while every and journal.check_next():
        pass
    assert len(journal.games()) == GAMES


def selected(database: sqlite3.Connection) -> list[Any]:
    """Select the list of games from a database."""
    rows = database.execute("SELECT * FROM game ORDER BY number DESC")
    return [StoredGame(*row) for row in rows]


def hashed(folder: Path) -> None:
    """Read and hash all files of games."""
    for file in folder.glob("*/*.jsonl"):
        blake2b(file.read_bytes(), digest_size=8).digest()


def rows() -> Iterator[Row]:
    """Measure, and yield the figures row by row."""
    with tempfile.TemporaryDirectory() as compiled, tempfile.TemporaryDirectory() as folder:
        games = filled(Path(folder))
        yield from started(Children(Path(compiled)), Path(folder))
        yield from listed(Path(folder), games)
