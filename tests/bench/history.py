"""The cost of the history with thousands of games: questions, the build of its index, memory.

Questions are measured on random results; the build of the index on games of Hipparchus, entered card by card.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from companion.history.history import History
from companion.history.index import FILE, Index, StoredResult
from companion.history.league import league
from companion.history.people import People
from companion.history.ratings import rated
from companion.history.statistics import statistics
from tests.games.seeds import deal
from tests.history.journals import FIRST, Memory, Saved
from tests.history.random_results import random_results

from .child import memory
from .table import Limit, Row
from .timing import beside, timed

GAMES = 5_000
BUILT = 100
"""Games of which an index is built step by step."""

PERSON = "Aki"


def filled(folder: Path) -> Memory:
    """Return a journal of finished games whose results are in the index. Their logs are empty, and never read."""
    journal, rows = Memory(), list[StoredResult]()
    for place, result in enumerate(random_results(GAMES)):
        begun = FIRST + 3600 * place
        journal.listed[result.name] = Saved(result.name, result.number, "", "full", True, 0, begun)
        rows.append(StoredResult(result.name, 0, replace(result, begun=begun)))
    Index(folder, writes=True).store(rows)
    return journal


def whole_games() -> Memory:
    """Return a journal of finished games of Hipparchus, entered card by card."""
    journal, seed = Memory(), 0
    while len(journal.logs) < BUILT:
        seed += 1
        dealt = deal("hipparchus", seed, coarse=0.0, edits=0.0, stop=0.0, misplay=0.0)
        name, log = f"{seed:06d}-hipparchus-{seed:08x}", [json.dumps(line) for line in dealt.lines]
        journal.logs[name] = log
        journal.listed[name] = Saved(name, seed, json.dumps(dealt.header), "full", True, len(log), FIRST + 3600 * seed)
    return journal


def questions(folder: Path) -> Iterator[Row]:
    """Measure questions about all games."""
    journal, people = filled(folder), People()
    history = History(journal, folder, writes=True)
    first = timed(lambda: rated(history.results(), people), tries=1)
    yield Row(f"ratings of {GAMES:,} games, made", first * 1e3, "ms")
    results = history.results()
    history.ratings(results)

    def a_person() -> None:
        statistics(history.results(), people, PERSON)

    def a_league() -> None:
        every = history.results()
        league(every, people, history.ratings(every))

    reading, person, table = beside(history.results, a_person, a_league)
    yield Row(f"results of {GAMES:,} games", reading * 1e3, "ms")
    yield Row("  and a person's statistics", person * 1e3, "ms", limits=(Limit(50),))
    yield Row("  and ratings and league", table * 1e3, "ms")
    yield Row("  the index", (folder / FILE).stat().st_size / 1e6, "MB")


def built() -> Iterator[Row]:
    """Measure the steps that bring an index up to date while nobody presses a key."""
    journal = whole_games()
    with tempfile.TemporaryDirectory() as folder:
        history, steps = History(journal, Path(folder), writes=True), list[float]()
        more = True
        while more:
            begun = time.process_time()
            more = history.update_next()
            steps.append(time.process_time() - begun)
    lines = sum(map(len, journal.logs.values())) / BUILT
    yield Row(f"index of a game of {lines:.0f} lines", sum(steps) / BUILT * 1e3, "ms")
    yield Row("  the longest step", max(steps) * 1e3, "ms", limits=(Limit(50),))


def remembered(folder: Path) -> float:
    """Return the megabytes that the results of all games take in a process that asks for them."""
    command = [sys.executable, "-m", "tests.bench.history", str(folder)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def weigh(folder: Path) -> float:
    """Return the megabytes that reading all results adds to this process."""
    index = Index(folder, writes=False)
    index.results(["none"])  # loads SQLite
    gc.collect()
    before = memory()
    held = index.results()
    assert len(held) == GAMES
    return memory() - before


def rows() -> Iterator[Row]:
    """Measure, and yield the figures row by row."""
    with tempfile.TemporaryDirectory() as folder:
        yield from questions(Path(folder))
        yield Row(f"memory for {GAMES:,} results", remembered(Path(folder)), "MB", limits=(Limit(20),))
    yield from built()


if __name__ == "__main__":
    print(weigh(Path(sys.argv[1])))
