"""What games cost: replaying, keys, the processor."""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image

from companion.app.box import Box
from companion.app.clock import SystemClock
from companion.app.front import Front
from companion.app.panel import MemoryPanel
from companion.app.spell import Speller
from companion.core.prompt import Tracking
from companion.games import GAMES
from companion.journal.memory import MemoryJournal
from companion.journal.opening import open_journal
from companion.log import read, replay
from companion.ui.keys import parse
from tests.games.seeds import deal

from .keys import rows as keys_rows

COUNT = 20


def logs(game: str, seeds: range) -> list[bytes]:
    """Return whole random games, every card entered; a third of Eternity's turns pledged while one is allowed."""
    habits = {"coarse": 0.0, "misplay": 0.0, "edits": 0.0, "stop": 0.0, "most_rounds": 12, "pledge": 1 / 3}
    return [deal(game, seed, **habits).bytes() for seed in seeds]


def timed(run: Callable[[], object], clock: Callable[[], float] = time.process_time, tries: int = 5) -> float:
    """Return the least time of a few tries, in seconds."""
    best = float("inf")
    for _try in range(tries):
        begun = clock()
        run()
        best = min(best, clock() - begun)
    return best


def replayed(games: list[bytes]) -> str:
    """Measure how fast logs are replayed."""
    events = sum(game.count(b"\n") for game in games)
    seconds = timed(lambda: [read(game) for game in games])
    return f"replayed, events a second {events / seconds:10,.0f}   (aim: 20,000 or more; {events} events)"


def spelt(games: list[bytes]) -> Iterator[tuple[str, str]]:
    """Yield the kind of every line and the keys that enter it."""
    for game in games:
        speller: Speller | None = None
        for reading in replay(game):
            if speller is None or reading.line is None:
                speller = Speller(reading.session)
            else:
                yield type(reading.line).__name__, speller.spell(reading.line)


def shown(game: bytes) -> Iterator[Image.Image]:
    """Yield what the panel shows at the beginning of a game and after every key of it."""
    clock = SystemClock()
    box = Box(MemoryJournal(), Front(MemoryPanel(), clock), clock)
    box.begin(read(game.splitlines()[0]).header, Tracking.FULL)
    yield box.picture
    for _kind, keys in spelt([game]):
        for key in parse(keys):
            box.press(key)
            yield box.picture


def press_beside_luma(game: bytes) -> Iterator[str]:
    """Measure a key from the queue to the picture, its line in the journal, beside luma's full frame."""
    head = read(game.splitlines()[0]).header
    pressed = [key for _kind, row in spelt([game]) for key in parse(row)]

    def play() -> tuple[float, float]:
        with tempfile.TemporaryDirectory() as folder:
            journal, _notice = open_journal(Path(folder), time.time())
            box = Box(journal, Front(MemoryPanel(), SystemClock()), SystemClock())
            box.begin(head, Tracking.FULL)
            cpu, wall = time.process_time(), time.perf_counter()
            for key in pressed:
                box.press(key)
            spent = time.process_time() - cpu, time.perf_counter() - wall
            journal.close()
            return spent

    runs = [play() for _run in range(3)]
    cpu = min(run[0] for run in runs) / len(pressed)
    wall = min(run[1] for run in runs) / len(pressed)
    frame = luma_frame()
    yield f"CPU per key press               {cpu * 1e3:10.3f} ms   (key, journal, picture; {len(pressed)} keys)"
    yield f"CPU of luma's display()         {frame * 1e3:10.3f} ms   (one full frame, nothing on the wire)"
    yield f"ratio                           {cpu / frame:10.2f}"
    yield f"key to picture, on this disk    {wall * 1e3:10.3f} ms   (the fsync of its line included)"


def luma_frame() -> float:
    """Measure luma's own way of showing one full frame, on a line that leads nowhere."""
    from luma.core.interface.serial import noop  # noqa: PLC0415
    from luma.oled.device import ssd1306  # noqa: PLC0415

    class Nowhere(noop):  # type: ignore[misc]  # luma has no types
        def command(self, *_bytes: int) -> None:
            pass

        def data(self, _bytes: list[int]) -> None:
            pass

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # luma asks Pillow for pixels in the old way
        device = ssd1306(Nowhere())
        picture = Image.new("1", (128, 64), 255)
        return timed(lambda: [device.display(picture) for _frame in range(100)]) / 100


def rows() -> Iterator[str]:
    """Measure, and yield the figures line by line."""
    yield f"{COUNT} random games of each kind, entered card by card"
    for game in GAMES:
        yield f"{game:<11} {replayed(logs(game, range(COUNT)))}"
    yield from keys_rows()
    yield from press_beside_luma(logs("eternity", range(1))[0])
