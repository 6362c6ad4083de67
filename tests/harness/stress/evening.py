"""Evenings of use and a week of idling, on a simulated clock: memory, wake-ups and writes to the card.

The loop is the real one, the journal is on the disk, the panel on a simulated bus, and a page is open.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from queue import Empty
from tempfile import TemporaryDirectory
from typing import Any, cast

from companion.app.box import Box
from companion.app.idle import Watchdog
from companion.app.loop import Stop, WebInput
from companion.app.loop import run as run_loop
from companion.app.outputs import Outputs, PanelTimeouts
from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.core.events import ReplaceEvent
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import decode_header, decode_line
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.keys import Key, parse
from companion.web.page_mirror import PageMirror
from tests.fakes.clock import FixedClock
from tests.games.seeds import deal
from tests.hardware.panel_rigs import BENCHES, Bench
from tests.journal.folders import memory

from .resource_usage import Levels

HOUR = 3600.0
WEEK = 7 * 24 * HOUR
EVENING = 4.0
"""Hours played in an evening."""
EVENINGS = 150
"""Evenings played in a year."""
BEAT = 12.0
"""Seconds between two pings of systemd's watchdog."""
WARM = 1 / 3
"""The part of the hours after which memory must stay constant."""
GROWTH = 4 << 20
"""Bytes by which it may vary: caches, and a line in memory for each game in the journal."""
PAGE = 4096
"""The smallest write to the card, in bytes."""
MOST = 6.0
"""The most pages written for an entry, including a draft for each of its keys and the second copy."""
LONG = 12
"""Hours below which memory is not checked: caches still fill."""
LOOK = 25
"""Entries between two checks of the panel."""
VAIN = 100
"""Wake-ups at one moment after which the loop counts as spinning."""
FEW = 200
"""Objects by which their number may vary."""

Came = WebInput | Stop


class Counting:
    """A journal that counts its calls."""

    def __init__(self, journal: Journal, asked: Counter[str]) -> None:
        self._journal, self._asked = journal, asked

    def __getattr__(self, name: str) -> Any:
        self._asked[name] += 1
        return getattr(self._journal, name)


class People:
    """An inbox in which people press keys at their pace; waiting for a key advances the clock.

    Attributes:
        wakes: How often the loop looked and found no key.
        keys: How many keys came.
    """

    def __init__(self, clock: FixedClock, script: Iterator[tuple[float, Came]]) -> None:
        self.wakes, self.keys, self._vain = 0, 0, 0
        self._clock, self._script = clock, script
        self._next: tuple[float, Came] | None = None

    def get(self, block: bool = True, timeout: float | None = None) -> Came:
        """Return the next key, unless something else is due before."""
        timeout = timeout if block else 0
        if self._next is None:
            pause, came = next(self._script)
            self._next = self._clock.run + pause, came
        moment, came = self._next
        if timeout is not None and self._clock.run + timeout < moment:
            self._clock.let_pass(timeout)
            self.wakes += 1
            self._vain = 0 if timeout else self._vain + 1
            assert self._vain < VAIN, "the loop wakes again and again, and no time passes"
            raise Empty
        self._clock.let_pass(max(0.0, moment - self._clock.run))
        self._next = None
        self.keys += 1
        return came


class Party:
    """People who play game after game on a box.

    Attributes:
        played: How often they did what.
    """

    def __init__(self, box: Box, clock: FixedClock, bench: Bench, chance: random.Random) -> None:
        self.played = Counter[str]()
        self._box, self._clock, self._bench, self._chance = box, clock, bench, chance

    def evening(self, hours: float, seen: Callable[[], None]) -> Iterator[tuple[float, Came]]:
        """Play for some hours, with pauses after games; call ``seen`` after a part of them."""
        began = self._clock.run
        end, warm = began + hours * HOUR, began + hours * HOUR * WARM
        while self._clock.run < end:
            if self._clock.run > warm:
                warm = end
                seen()
            yield from self._game(tuple(GAMES)[self.played["games"] % len(GAMES)], end)
            yield from self._pressed("h*h*", self._chance.uniform(30, 900))
            assert self._box.game is None
        self._compare()
        yield 1.0, Stop()

    def _game(self, name: str, end: float) -> Iterator[tuple[float, Came]]:
        seed = self._chance.randrange(2**32)
        dealt = deal(name, seed, coarse=0.0, misplay=0.02, edits=0.02, stop=0.0, most_rounds=3)
        header = decode_header(json.dumps(dealt.header))
        self._box.begin(header, DetailLevel.FULL)
        self.played["games"] += 1
        keys_of_log = LogToKeys(Session(header))
        for number, entry in enumerate(dealt.lines, 1):
            if self._clock.run > end:
                return
            line = decode_line(json.dumps(entry), header)
            if isinstance(line, ReplaceEvent) and keys_of_log.session.entry(line.event).event == line.to:
                return  # no keys enter a correction that changes nothing
            keys = keys_of_log.spell(line)
            yield from self._pressed(keys, self._chance.uniform(3, 20))
            assert self._box.lines == number, f"{keys} entered nothing: {self._box.words()}"
            self.played["entries"] += 1
            if number % LOOK == 0:
                self._compare()

    def _pressed(self, keys: str, pause: float) -> Iterator[tuple[float, Came]]:
        """Press keys after a pause; press the first twice if it only wakes the panel."""
        first, *others = parse(keys)
        if pause >= PanelTimeouts().off:
            self.played["woken"] += 1
            yield pause, first
            pause = 0.5
        yield pause, first
        for key in others:
            yield self._chance.uniform(0.3, 1.5), key

    def _compare(self) -> None:
        seen = self._box.outputs._display.seen
        assert seen is not None
        assert self._bench.seen().tobytes() == seen.tobytes(), "another picture is on the glass"


def run(times: int, seed: int) -> Iterator[str]:
    """Play for so many hours, and do nothing for a week."""
    with TemporaryDirectory() as name, memory() as scratch, BENCHES["ssd1306"]() as bench:
        folder, clock, page, asked = Path(name), FixedClock(), PageMirror(), Counter[str]()
        opened = Journal(folder, scratch=scratch)
        journal = cast("Journal", Counting(opened, asked))
        frames, beats = Counter[str](), Counter[str]()
        with closing(opened), page.listening(partial(frames.update, ["shown"])):
            box = Box(journal, Outputs(bench.panel, clock, mirrors=(page,), timeouts=PanelTimeouts()), clock)
            pulse = Watchdog(clock, BEAT, lambda: True, partial(beats.update, ["beat"]))
            party, warm = Party(box, clock, bench, random.Random(f"{seed}/evening")), list[Levels]()
            asked.clear()
            begun, sent = Levels.now(), bench.bus.sent
            people = People(clock, party.evening(times, lambda: warm.append(Levels.now())))
            run_loop(box, people, clock, [pulse])
            end = Levels.now()
            yield from _played(times, people, party.played, begun, end, asked, folder)
            on_bus = (bench.bus.sent - sent) / people.keys
            yield f"sent to the panel: {on_bus:.0f} bytes a key, repaints included; {frames['shown']:,} frames shown"
            yield from _held(times, warm[0] if warm else begun, end)
            yield from _week(box, clock, bench, pulse, frames)


def _played(
    hours: int,
    people: People,
    played: Counter[str],
    begun: Levels,
    end: Levels,
    asked: Counter[str],
    folder: Path,
) -> Iterator[str]:
    entries, put = played["entries"], end.written - begun.written
    yield (
        f"{hours} hours: {played['games']} games, {entries:,} entries with {people.keys:,} keys, the panel woken "
        f"{played['woken']} times, {people.wakes / hours:.0f} wake-ups an hour besides keys"
    )
    files = [file for file in folder.rglob("*") if file.is_file()]
    size, each = sum(file.stat().st_size for file in files), put / max(1, entries)
    yield (
        f"written to the card: {put / 1e6:.1f} MB, {each:,.0f} bytes an entry; {asked['append']:,} entries and "
        f"{asked['keep_draft']:,} half ones"
    )
    year = EVENING * EVENINGS / hours
    yield (
        f"on the card then: {len(files)} files of {size / 1e6:.2f} MB; a year of {EVENINGS} evenings of "
        f"{EVENING:.0f} hours makes {size * year / 1e6:.0f} MB and writes {put * year / 1e9:.1f} GB"
    )
    assert each <= MOST * PAGE, f"an entry costs the card {each:,.0f} bytes"


def _held(hours: int, warm: Levels, end: Levels) -> Iterator[str]:
    assert end.threads == warm.threads, f"{end.threads} threads, {warm.threads} before"
    assert end.handles <= warm.handles, f"{end.handles} file handles, {warm.handles} before"
    grown = end.resident - warm.resident
    assert hours < LONG or grown <= GROWTH, f"memory grew by {grown / 1e6:.1f} MB"
    yield (
        f"from a third of it to the end: memory {warm.resident / 1e6:.1f} to {end.resident / 1e6:.1f} MB, "
        f"{warm.objects:,} to {end.objects:,} objects; {end.threads} threads and {end.handles} file handles all along"
    )


def _week(box: Box, clock: FixedClock, bench: Bench, pulse: Watchdog, frames: Counter[str]) -> Iterator[str]:
    """Leave the box alone for a week, then press a key."""
    run_loop(box, People(clock, iter([(2 * PanelTimeouts().off, Stop())])), clock, [pulse])
    assert box.outputs.asleep, "it does not sleep"
    before, sent, shown = Levels.now(), bench.bus.sent, frames["shown"]
    idle = People(clock, iter([(WEEK, Stop())]))
    run_loop(box, idle, clock, [pulse])
    after = Levels.now()
    on_card, on_bus = after.written - before.written, bench.bus.sent - sent
    assert on_card == 0, f"{on_card} bytes written to the card in a week without a key"
    assert on_bus == 0, f"{on_bus} bytes sent to a panel that sleeps"
    assert frames["shown"] == shown, "frames shown while nothing happened"
    assert idle.wakes <= WEEK / BEAT + 1, f"{idle.wakes} wake-ups in a week"
    assert (after.threads, after.handles) == (before.threads, before.handles)
    grown = after.objects - before.objects
    assert abs(grown) < FEW, f"{grown} objects more after a week without a key"
    box.take(PANEL, Key("#"))
    assert box.outputs._display.seen is not None
    assert bench.seen().tobytes() == box.outputs._display.seen.tobytes(), "another picture after the week"
    yield (
        f"a week without a key: {idle.wakes:,} wake-ups, all of them for the pulse of {BEAT:.0f} s; 0 bytes written to "
        f"the card, 0 sent to the panel, {grown} objects more; then one key, and the picture was there"
    )
