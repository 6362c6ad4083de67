"""The cost of undo, resuming and opening a game at three lengths: it should not grow.

Games that people play have at most some hundred entries. This one is Gear, played for thousands of rounds: the first
round over and over, so that the box is at the same question at every length.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import SystemClock
from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.core.game import Undo
from companion.core.session import Session
from companion.gamelog import decode_line, read
from companion.journal import Journal
from companion.ui.keys import parse
from tests.cli.folders import begin
from tests.games.seeds import deal

from .keeping import write_game
from .table import Limit, Row
from .timing import TRIES, timed

WHOLE, SHORT = (10, 1_000, 10_000), (10, 200, 2_000)
"""About how many entries the games have."""

REPEATS = 1_000
FLAT = (Limit(1.5, "undo and reading cost the same after ten entries or ten thousand", ratio=True),)


def growing(abouts: Sequence[int]) -> tuple[str, list[list[str]]]:
    """Return the header of a game, and its lines at every length."""
    ending = {"rounds": 10_000}
    habits = {"coarse": 0.0, "misplay": 0.0, "edits": 0.0, "stop": 0.0, "seats": 4, "teams": False}
    dealt = deal("gear", 0, ending=ending, most_rounds=3, **habits)
    start, *rounds = [json.dumps(line, separators=(",", ":")) for line in dealt.lines]
    first = abouts[0]
    counts = [first + (about - first + len(rounds) - 1) // len(rounds) * len(rounds) for about in abouts]
    lines = [start, *rounds * (counts[-1] // len(rounds) + 1)]
    return json.dumps(dealt.header), [lines[:count] for count in counts]


def log_of(header: str, lines: list[str]) -> bytes:
    return "\n".join((header, *lines)).encode()


def read_back(log: bytes) -> float:
    """Return the seconds that reading a game takes."""
    return timed(lambda: read(log), tries=max(TRIES, 200_000 // len(log)))


def resumed(session: Session, lines: list[str]) -> float:
    """Return the seconds to open the journal, read the game in it and draw the first picture."""
    with tempfile.TemporaryDirectory() as folder:
        game = write_game(Path(folder), 1, session.header.written, lines)
        journal = Journal(Path(folder))
        journal.set_open_game(game.name)
        journal.close()

        def resume() -> None:
            opened = Journal(Path(folder))
            Box(opened, Outputs(MemoryPanel(), SystemClock()), SystemClock())
            opened.close()

        return timed(resume)


def undone(session: Session) -> float:
    """Return the seconds that undoing an entry takes."""
    return timed(lambda: [session.add(Undo()) for _undo in range(REPEATS)]) / REPEATS


def undone_by_key(session: Session, lines: list[str]) -> float:
    """Return the seconds from the undo key to the picture; the entry is restored in between."""
    journal = Journal()
    game = begin(journal, session.header.written)
    for line in lines:
        journal.append(game, line, now=0.0, tracking="full")
    journal.set_open_game(game)
    box = Box(journal, Outputs(MemoryPanel(), SystemClock()), SystemClock())
    again = parse(LogToKeys(session.add(Undo())).spell(decode_line(lines[-1], session.header)))
    (undo,) = parse("*")
    best = float("inf")
    for _try in range(20):
        begun = time.process_time()
        box.take(PANEL, undo)
        best = min(best, time.process_time() - begun)
        for key in again:
            box.take(PANEL, key)
    return best


def rows(abouts: Sequence[int]) -> Iterator[Row]:
    header, games = growing(abouts)
    sessions = [read(log_of(header, lines)) for lines in games]
    measured = {
        ("undo", "µs"): [undone(session) * 1e6 for session in sessions],
        ("undo by its key", "ms"): [undone_by_key(*game) * 1e3 for game in zip(sessions, games, strict=True)],
        ("reading back, each", "µs"): [read_back(log_of(header, lines)) / len(lines) * 1e6 for lines in games],
    }
    for (what, unit), figures in measured.items():
        yield Row(f"{what}, of {len(games[0])}", figures[0], unit)
        for figure, lines in zip(figures[1:], games[1:], strict=True):
            yield Row(f"{what}, of {len(lines):,}", figure, unit, f"of {len(games[0])} events", figures[0], FLAT)
    for session, lines in zip(sessions, games, strict=True):
        yield Row(f"box takes a game of {len(lines):,} up", resumed(session, lines) * 1e3, "ms")
