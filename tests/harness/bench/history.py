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
from dataclasses import dataclass
from math import inf
from pathlib import Path
from unittest.mock import patch

from msgspec.structs import replace

from companion.history.history import FILE, History, Index, StoredResult
from companion.history.renamed_and_hidden import People
from companion.history.statistics import league, rated, statistics
from companion.journal import StoredGame
from companion.web import history_worker
from companion.web.history_lists import HistoryRequest, games_page
from companion.web.history_people import person_page
from companion.web.history_worker import OpenHistory
from tests.games.seeds import deal
from tests.history.journals import FIRST, Memory
from tests.history.random_results import random_results

from .child import memory
from .table import Limit, Row
from .timing import beside, timed


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        games: How many results are asked for.
        built: Of how many games an index is built step by step.
    """

    games: int
    built: int


WHOLE, SHORT = Size(5_000, 100), Size(300, 5)
SCREEN = "a screen opens in a quarter of a second on a Pi five times slower"
KEY = "a key waits for one step at most"
ROOM = "a Pi Zero 2 has 512 MB"

PERSON = "Aki"


def filled(folder: Path, count: int) -> Memory:
    """Return a journal of finished games whose results are in the index. Their logs are empty, and never read."""
    journal, rows = Memory(), list[StoredResult]()
    for place, result in enumerate(random_results(count)):
        begun = FIRST + 3600 * place
        journal.listed[result.name] = StoredGame(result.name, result.number, "", "full", True, 0, begun)
        rows.append(StoredResult(result.name, 0, replace(result, begun=begun)))
    Index(folder, writes=True).store(rows)
    return journal


def whole_games(count: int) -> Memory:
    """Return a journal of finished games of Hipparchus, entered card by card."""
    journal, seed = Memory(), 0
    while len(journal.logs) < count:
        seed += 1
        dealt = deal("hipparchus", seed, coarse=0.0, edits=0.0, stop=0.0, misplay=0.0)
        name, log = f"{seed:06d}-hipparchus-{seed:08x}", [json.dumps(line) for line in dealt.lines]
        journal.logs[name] = log
        journal.listed[name] = StoredGame(
            name, seed, json.dumps(dealt.header), "full", True, len(log), FIRST + 3600 * seed
        )
    return journal


def questions(folder: Path, games: int) -> Iterator[Row]:
    journal, people = filled(folder, games), People()
    history = History(journal, folder, writes=True)
    first = timed(lambda: rated(history.results(), people), tries=1)
    yield Row(f"ratings of {games:,} games", first * 1e3, "ms")

    def a_person() -> None:
        statistics(history.results(), people, PERSON)

    def a_league() -> None:
        every = history.results()
        league(every, people, rated(every, people))

    reading, person, table = beside(history.results, a_person, a_league)
    yield Row(f"results of {games:,} games", reading * 1e3, "ms")
    yield Row("  and a person's statistics", person * 1e3, "ms", limits=(Limit(50, SCREEN),))
    yield Row("  and ratings and league", table * 1e3, "ms")
    yield Row("  the index", (folder / FILE).stat().st_size / 1e6, "MB")


def pages(folder: Path, games: int) -> Iterator[Row]:
    """Measure pages of a journal in which nothing has changed since the page before."""
    journal = filled(folder, games)
    with (
        patch.object(history_worker, "Journal", lambda *_path, **_writes: journal),
        patch.object(history_worker, "PATIENCE", inf),
    ):
        opened = OpenHistory(folder)

        def games_list() -> None:
            assert opened.is_current
            games_page(opened, HistoryRequest("en", "/history"))

        def a_person() -> None:
            assert opened.is_current
            person_page(opened, HistoryRequest("en", f"/history/people/{PERSON}", PERSON))

        listed, person = beside(games_list, a_person)
    yield Row(f"page: the list of {games:,} games", listed * 1e3, "ms", limits=(Limit(50, SCREEN),))
    yield Row("page: a person", person * 1e3, "ms", limits=(Limit(50, SCREEN),))


def built(count: int) -> Iterator[Row]:
    """Measure the steps that bring an index up to date while nobody presses a key."""
    journal = whole_games(count)
    with tempfile.TemporaryDirectory() as folder:
        steps, begun = list[float](), time.process_time()
        for _result in History(journal, Path(folder), writes=True).each():
            now = time.process_time()
            steps.append(now - begun)
            begun = now
    lines = sum(map(len, journal.logs.values())) / count
    yield Row(f"index of a game of {lines:.0f} lines", sum(steps) / count * 1e3, "ms")
    yield Row("  the longest step", max(steps) * 1e3, "ms", limits=(Limit(50, KEY),))


def remembered(folder: Path) -> float:
    """Return the megabytes that the results of all games take in a process that asks for them."""
    command = [sys.executable, "-m", "tests.harness.bench.history", str(folder)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def weigh(folder: Path) -> float:
    """Return the megabytes that reading all results adds to this process."""
    index = Index(folder, writes=False)
    index.results(["none"])  # loads SQLite
    gc.collect()
    before = memory()
    held = index.results()
    assert held
    return memory() - before


def rows(size: Size) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        yield from questions(Path(folder), size.games)
        yield from pages(Path(folder), size.games)
        held = remembered(Path(folder))
        yield Row(f"memory for {size.games:,} results", held, "MB", limits=(Limit(20, ROOM),))
    yield from built(size.built)


if __name__ == "__main__":
    print(weigh(Path(sys.argv[1])))
