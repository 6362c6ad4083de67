"""Measures the start of the box and the list of games with thousands of games, with and without the index."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec.structs import astuple

from companion.journal import Journal, StoredGame

from .keeping import write_game
from .length import growing
from .process import Children
from .table import Limit, Row
from .timing import beside


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        games: How many games are in the journal.
        tries: How often each time is taken.
    """

    games: int
    tries: int


WHOLE, SHORT = Size(5_000, 5), Size(100, 3)
ENTRIES = 200
SAME = (Limit(1.1, "a start does not wait for the games of the last years", ratio=True),)


def filled(folder: Path, count: int) -> list[StoredGame]:
    """Write the games and their index, with the latest game open, and return their list."""
    header, (_few, lines) = growing((10, ENTRIES))
    games = [write_game(folder, number, header, lines[:ENTRIES]) for number in range(1, count + 1)]
    journal = Journal(folder)
    journal.check_all()
    journal.keep_setting("language", "en")
    journal.set_open_game(games[-1].name)
    journal.close()
    return games


def started(children: Children, folder: Path, size: Size) -> Iterator[Row]:
    """Measure starts to the first question, with games and without, in turn."""
    many, none = [], []
    for attempt in range(1 + size.tries):
        found = children.run("start", data=folder)["ready"], children.run("start")["ready"]
        if attempt:  # the first compiles
            many.append(found[0] * 1000)
            none.append(found[1] * 1000)
    yield Row(f"start with {size.games:,} games", min(many), "ms", "an empty folder's", min(none), SAME)


def listed(folder: Path, games: list[StoredGame], tries: int) -> Iterator[Row]:
    """Measure the list with its index, then without."""
    with closing(sqlite3.connect(":memory:")) as database:
        columns = StoredGame.__struct_fields__
        database.execute(f"CREATE TABLE game ({', '.join(columns)})")
        rows = ([" ".join(each) if isinstance(each, tuple) else each for each in astuple(game)] for game in games)
        database.executemany(f"INSERT INTO game VALUES ({', '.join('?' * len(columns))})", rows)
        ours, theirs = beside(partial(listing, folder, len(games)), partial(selected, database), tries=tries)
    yield Row(f"list of {len(games):,} games", ours * 1e3, "ms", "SQLite, rows in memory", theirs * 1e3)
    (folder / "index.jsonl").unlink()
    ours, theirs = beside(partial(listing, folder, len(games), every=True), partial(hashed, folder), tries=tries)
    yield Row("  its index missing", ours * 1e3, "ms", "every file read, hashed", theirs * 1e3)


def listing(folder: Path, count: int, *, every: bool = False) -> None:
    """List the games of a journal.

    Args:
        folder: Its folder.
        count: How many there are.
        every: Whether to read games until all are known.
    """
    journal = Journal(folder, writes=False)
    while every and journal.check_next():
        pass
    assert len(journal.games()) == count


def selected(database: sqlite3.Connection) -> list[Any]:
    rows = database.execute("SELECT * FROM game ORDER BY number DESC")
    return [StoredGame(*row) for row in rows]


def hashed(folder: Path) -> None:
    """Read and hash all files of games."""
    for file in folder.glob("*/*.jsonl"):
        blake2b(file.read_bytes(), digest_size=8).digest()


def rows(size: Size) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as compiled, tempfile.TemporaryDirectory() as folder:
        games = filled(Path(folder), size.games)
        yield from started(Children(Path(compiled)), Path(folder), size)
        yield from listed(Path(folder), games, size.tries)
