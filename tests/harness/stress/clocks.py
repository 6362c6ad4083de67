"""A clock that jumps, on a box with a screensaver, quiet hours, and a panel and a disk that fail at times."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, time
from pathlib import Path
from queue import Empty
from tempfile import TemporaryDirectory
from time import tzset
from unittest.mock import patch
from zoneinfo import ZoneInfo

from PIL import Image

from companion.app.box import Box
from companion.app.loop import Inbox, Stop
from companion.app.loop import run as run_loop
from companion.app.outputs import MemoryPanel, Outputs, PanelTimeouts
from companion.app.ports import DeviceError
from companion.app.sounds import quiet
from companion.journal import Journal
from companion.ui.keys import Key, parse
from tests.fakes.clock import FixedClock
from tests.fakes.lamp_and_buzzer import MemoryBuzzer, MemoryLamp

from .journal_contents import Witness, kept
from .random_hands import Hands

YEAR = 365.25 * 86400
ABSURD = (0.0, -1.0, -62e9, -62_135_596_800.0, -1e11, 2**31 - 1, 2**31, 4.1e9, 253_402_300_799, 2.6e11, 1e15, 2.0**63)
"""Times of a clock with a missing or broken battery: from year -1200 to far beyond 9999."""

ZONES = ("Europe/Paris", "Asia/Tokyo", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC")

SPINNING = 10
"""How often in a row the loop may look for keys without waiting."""


def run(times: int, seed: int) -> Iterator[str]:
    """Play evenings with such a clock, and press keys by night and by day.

    Raises:
        AssertionError: A promise was broken.
    """
    chance, seen, evenings = random.Random(f"{seed}/clocks"), Counter[str](), max(1, times // 5)
    with TemporaryDirectory() as place:
        for number in range(evenings):
            seen += play(Path(place) / str(number), f"{seed}/{number}", min(60, 15 * times))
    yield (
        f"the clock jumped {seen['jumps']} times between the years -1200 and 292 billion, on {2 * evenings} evenings "
        f"with {seen['games']} games and {seen['entries']} entries, panel and computer falling asleep: all of them "
        f"kept in order, {seen['wakings']} wakings of the loop and none in vain"
    )
    heard = nights(chance, 5 * times)
    yield (
        f"{5 * times * len(ZONES)} keys at the changes of summer time in {len(ZONES)} zones: "
        f"{heard} by night and silent, the others heard"
    )


class JumpingClock(FixedClock):
    """A clock that is set at random; elapsed time only grows, at times by hours at once."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._chance = chance
        self.jumps = 0

    def now(self) -> float:
        """Return the time, which may just have jumped."""
        if self._chance.random() < 0.2:
            self.jumps += 1
            self.time = self._chance.choice([self._chance.choice(ABSURD), self._chance.uniform(-YEAR, 130 * YEAR)])
        return self.time


class LoosePanel(MemoryPanel):
    """A panel that fails at random."""

    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self._chance = chance

    def show(self, picture: Image.Image) -> None:
        if self._chance.random() < 0.05:
            raise DeviceError("The panel is loose.")
        super().show(picture)


class Evening(Inbox):
    """Stands for the queue of keys: advances the clock up to each key, and counts wake-ups of the loop.

    Attributes:
        wakings: How often the loop woke for something that was due.
    """

    def __init__(self, clock: JumpingClock, chance: random.Random, press: Iterator[Key]) -> None:
        self.wakings = 0
        self._clock = clock
        self._chance = chance
        self._press = press
        self._pause = 0.0
        self._looked = 0

    def get(self, block: bool = True, timeout: float | None = None) -> Key | Stop:
        """Return the next key, or advance the clock by the time to wait."""
        if not block:
            self._looked += 1
            assert self._looked < SPINNING, "the loop does not wait any more"
            raise Empty
        assert timeout is None or 0 < timeout < 1e6, f"the loop waits {timeout} seconds"
        self._looked = 0
        if timeout is not None and self._pause > timeout:
            self._pause -= timeout
            self._clock.let_pass(timeout)
            self.wakings += 1
            raise Empty
        asleep = 10 * 3600.0 if self._chance.random() < 0.02 else 0.0  # the whole computer, for hours
        self._clock.let_pass(self._pause + asleep)
        self._pause = self._chance.choice([0.0, 0.1, 1.0, 30.0, 400.0, 4000.0])
        return next(self._press, Stop())


def play(folder: Path, seed: str, lines: int) -> Counter[str]:
    """Play two evenings while the clock jumps, and the same keys on a box in memory whose clock stands still."""
    seen: Counter[str] = Counter()
    chance, witness = random.Random(seed), Witness()
    clock, hands = JumpingClock(chance), Hands(chance)
    for _ in range(2):
        plain = Box(witness, Outputs(MemoryPanel(), FixedClock(), buzzer=MemoryBuzzer()), FixedClock())
        with closing(Journal(folder)) as journal:
            box = Box(journal, _outputs(clock, chance), clock)
            evening = Evening(clock, chance, _pressed(box, plain, hands, lines))
            run_loop(box, evening, clock)
            wanted, found = kept(witness), kept(journal)
            assert found == wanted, f"{seed}: {found.unlike(wanted)}"
            assert journal.notices == []
            numbers = [saved.number for saved in journal.games()]
            assert numbers == sorted(set(numbers), reverse=True)
        seen["wakings"] += evening.wakings
    entries = sum(len(game.lines) for game in found.games)
    return seen + Counter(games=len(found.games), entries=entries, jumps=clock.jumps)


def _outputs(clock: JumpingClock, chance: random.Random) -> Outputs:
    night = (time(chance.randrange(24), chance.randrange(60)), time(chance.randrange(24), chance.randrange(60)))
    panel = LoosePanel(random.Random(chance.random()))
    return Outputs(panel, clock, lamp=MemoryLamp(), buzzer=MemoryBuzzer(), timeouts=PanelTimeouts(), night=night)


def _pressed(box: Box, plain: Box, hands: Hands, lines: int) -> Iterator[Key]:
    """Begin games on both boxes; yield the keys pressed on the plain box, and those that only wake the other."""
    for number in range(lines):
        if number % 30 == 0:
            header = hands.deal().session(0).header
            tracking = hands.chance.choice(list(header.game.trackings))
            plain.begin(header, tracking)
            box.begin(header, tracking)
        for key in parse(hands.line(plain)):
            while box.outputs.asleep:
                yield key  # it only wakes
            yield key


@contextmanager
def living_in(zone: str) -> Iterator[None]:
    """Set this process's time zone within the block."""
    try:
        with patch.dict(os.environ, TZ=zone):
            tzset()
            yield
    finally:
        tzset()


def nights(chance: random.Random, times: int) -> int:
    """Press a key at changes to and from summer time, and at extreme times."""
    heard = 0
    for zone in ZONES:
        with living_in(zone):
            for _ in range(times):
                heard += _night(chance, zone)
    return heard


def _night(chance: random.Random, zone: str) -> bool:
    """Press a key at some moment; the box sounds exactly if the local time is outside the quiet hours."""
    clock = FixedClock()
    year, month = chance.randrange(1971, 2100), chance.choice([3, 4, 9, 10, 11, 12])
    start = datetime(year, month, chance.randrange(1, 29), tzinfo=ZoneInfo("UTC")).timestamp()
    clock.time = start + chance.randrange(2 * 86400 * 4) / 4
    night = time(chance.randrange(24)), time(chance.randrange(24))
    buzzer = MemoryBuzzer()
    Outputs(MemoryPanel(), clock, buzzer=buzzer, night=night).play(((2000, 0.1),))
    wall = datetime.fromtimestamp(clock.time, ZoneInfo(zone)).time()
    assert (buzzer.motif is None) is quiet(wall, night), f"{zone}, {clock.time}: {wall} in {night}"
    return buzzer.motif is not None
