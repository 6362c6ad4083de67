"""Games dealt by the oracle in a journal: results and statistics equal those worked out from its own count."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import structs

from companion.games import GAMES
from companion.history.history import FILE, History
from companion.history.results import GameResult
from companion.history.statistics import statistics
from companion.journal import Journal
from tests.games.seeds import Dealt, deal
from tests.history import plain
from tests.history.random_results import PEOPLE
from tests.oracle import deeds

DAMAGES = 5
"""How often the index is damaged; every game is read again each time."""

FIRST = 1_780_000_000.0
"""When the first game began, in seconds since 1970."""


def run(times: int, seed: int) -> Iterator[str]:
    """Check the history of so many games, and of an index that is damaged at random places."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        journal = Journal(folder)
        dealt = dict(_games(journal, times, rng))
        history = History(journal, folder, writes=True)
        begun = time.perf_counter()
        [*history.each()]
        yield f"an index of {len(dealt)} games in {time.perf_counter() - begun:.1f} s"
        results = history.results()
        expected = [_by_the_oracle(result, dealt[result.name]) for result in results]
        assert [result.name for result in results] == list(dealt)
        assert results == expected
        told = {name: statistics(results, history.people(), name) for name in PEOPLE}
        for name, figures in told.items():
            played = plain.games_of(expected, name.lower())
            assert (figures is None) == (not played)
            if figures is not None:
                plain.check(figures, played)
        yield f"the results of all games and the statistics of {len(PEOPLE)} people are those of the oracle"
        for _ in range(DAMAGES):
            _damage(folder / FILE, rng)
            assert history.results() == results
        yield f"nothing wrong was told after {DAMAGES} damages to the index"
        journal.close()


def _games(journal: Journal, times: int, rng: random.Random) -> Iterator[tuple[str, Dealt]]:
    """Add games that are finished to a journal; yield each with its name."""
    for place in range(times):
        game = [*GAMES][place % len(GAMES)]
        dealt = _finished(game, rng)
        players = rng.sample(PEOPLE, len(dealt.header["players"]))
        lines = [json.dumps(line) for line in (dealt.header | {"players": players}, *dealt.lines)]
        notes: list[dict[str, Any]] = [{"at": FIRST + 7200 * place + 40 * row} for row in range(len(lines))]
        notes[0]["tracking"], notes[-1]["over"] = "full", True
        name = journal.name_for(game)
        journal.add_game(name, list(zip(lines, notes, strict=True)))
        yield name, dealt


def _finished(game: str, rng: random.Random) -> Dealt:
    """Return a random game that was played to the end."""
    while True:
        habits = {"stop": 0.0, "most_rounds": 12, "coarse": rng.choice((0.0, 0.3, 1.0)), "misplay": 0.1}
        dealt = deal(game, rng.randrange(1 << 40), **habits)
        if dealt.referee.snapshot(dealt.header, dealt.lines)["winners"] is not None:
            return dealt


def _by_the_oracle(result: GameResult, dealt: Dealt) -> GameResult:
    """Return a result with the scores, winners, rounds and deeds that the oracle counts."""
    snapshot = dealt.referee.snapshot(dealt.header, dealt.lines)
    rounds = result.rounds
    if "rounds" in snapshot:
        points = [each["points"] if isinstance(each, dict) else each for each in snapshot["rounds"]]
        rounds = tuple(tuple(each) for each in points)
    return structs.replace(
        result,
        scores=tuple(snapshot["totals"]),
        winners=tuple(snapshot["winners"]),
        rounds=rounds,
        counts=deeds.count(dealt.header, dealt.lines),
    )


def _damage(file: Path, rng: random.Random) -> None:
    """Cut a file off, or change a byte of it."""
    content = bytearray(file.read_bytes())
    at = rng.randrange(len(content))
    if rng.random() < 0.5:
        del content[at:]
    else:
        content[at] ^= 1 << rng.randrange(8)
    file.write_bytes(content)
