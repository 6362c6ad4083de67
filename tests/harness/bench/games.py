"""The processor time of games: replaying them, and every key."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PIL import Image

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import SystemClock
from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.core.prompt import DetailLevel
from companion.gamelog import read, replay
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.keys import Key, parse
from tests.games.seeds import deal

from .peers import chess_games, luma_frame, push_all
from .table import Limit, Row
from .timing import TRIES, beside, timed


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured.

    Attributes:
        games: How many games of each kind are replayed.
        rounds: The most rounds of a game.
        tries: How often each time is taken.
    """

    games: int
    rounds: int
    tries: int


WHOLE, SHORT = Size(20, 12, TRIES), Size(2, 2, 3)

OPENS = "a game of a thousand entries opens in a quarter of a second on a Pi five times slower"
EASY = "reading a game costs no more than a good chess library"
FRAME = "a key costs less than the plainest driver takes to send a frame"

MEMORY = Path("/dev/shm")
"""A folder in memory, so that only the program's own work is measured."""


def logs(game: str, seeds: range, rounds: int) -> list[bytes]:
    """Return whole random games, every card entered; a third of Eternity's turns are pledges where allowed."""
    habits = {"coarse": 0.0, "misplay": 0.0, "edits": 0.0, "stop": 0.0, "most_rounds": rounds, "pledge": 1 / 3}
    return [deal(game, seed, **habits).bytes() for seed in seeds]


def replayed(size: Size) -> Iterator[Row]:
    """Measure how fast logs are read, checked and replayed, beside moves of chess."""
    chess = chess_games(size.games)
    moves = sum(map(len, chess))
    for game in GAMES:
        played = logs(game, range(size.games), size.rounds)
        events = sum(log.count(b"\n") - 1 for log in played)
        ours, theirs = beside(partial(read_all, played), partial(push_all, chess), tries=size.tries)
        limits = Limit(20_000, OPENS, least=True), Limit(1, EASY, least=True, ratio=True)
        yield Row(f"replay, {game}", events / ours, "/s", "python-chess, push_san", moves / theirs, limits)


def read_all(played: list[bytes]) -> None:
    for log in played:
        read(log)


def spelt(games: list[bytes]) -> Iterator[tuple[str, str]]:
    """Yield the kind of every line and the keys that enter it."""
    for game in games:
        keys_of_log: LogToKeys | None = None
        for reading in replay(game):
            if keys_of_log is None or reading.line is None:
                keys_of_log = LogToKeys(reading.session)
            else:
                yield type(reading.line).__name__, keys_of_log.spell(reading.line)


def shown(game: bytes) -> Iterator[Image.Image]:
    """Yield the panel's view at the beginning of a game and after every key of it."""
    clock = SystemClock()
    box = Box(Journal(), Outputs(MemoryPanel(), clock), clock)
    box.begin(read(game.splitlines()[0]).header, DetailLevel.FULL)
    yield box.picture
    for _kind, keys in spelt([game]):
        for key in parse(keys):
            box.take(PANEL, key)
            yield box.picture


def pressed(size: Size) -> Iterator[Row]:
    """Measure a key from the queue to the picture, with its line in the journal, beside luma's full frame."""
    (game,) = logs("eternity", range(1), size.rounds)
    keys = [key for _kind, row in spelt([game]) for key in parse(row)]
    frame = luma_frame()
    frames, quick, synced = [], [], []
    for _try in range(size.tries):
        frames.append(timed(lambda: [frame() for _frame in range(100)], tries=1) / 100)
        quick.append(played_through(game, keys, MEMORY if MEMORY.is_dir() else None))
        synced.append(played_through(game, keys))
    luma, theirs = "luma's display(), a frame", min(frames) * 1e3
    for figure, runs, limits in (
        ("CPU per key, to journal and panel", quick, (Limit(1, FRAME, ratio=True),)),
        ("  with the disk's own work", synced, ()),
    ):
        yield Row(figure, min(cpu for cpu, _wall in runs) / len(keys) * 1e3, "ms", luma, theirs, limits)
    yield Row("key to picture, disk synced", min(wall for _cpu, wall in synced) / len(keys) * 1e3, "ms")


def played_through(game: bytes, keys: Sequence[Key], disk: Path | None = None) -> tuple[float, float]:
    """Press the keys of a game on a box with a journal; return the seconds of processor time and of real time.

    Args:
        game: Its log.
        keys: The keys that enter it.
        disk: The folder for the journal; None for the default temporary folder.
    """
    with tempfile.TemporaryDirectory(dir=disk) as folder:
        journal = Journal(Path(folder))
        box = Box(journal, Outputs(MemoryPanel(), SystemClock()), SystemClock())
        box.begin(read(game.splitlines()[0]).header, DetailLevel.FULL)
        cpu, wall = time.process_time(), time.perf_counter()
        for key in keys:
            box.take(PANEL, key)
        spent = time.process_time() - cpu, time.perf_counter() - wall
        journal.close()
        return spent


def rows(size: Size) -> Iterator[Row]:
    yield from replayed(size)
    yield from pressed(size)
