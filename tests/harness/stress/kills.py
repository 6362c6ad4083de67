"""Kill -9 of the running program at random moments: answered keys are kept, and the right question is asked.

The same keys are pressed on a box in memory, which records its journal after each write. The journal on disk must equal
the state after the last answer, or after one of the writes of the line in flight. The seed decides what is played. The
moment of a kill depends on microseconds, and is not repeatable.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app.box import Box
from companion.core.game import LogHeader
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_header
from companion.journal import Journal
from tests.waiting import LAST_RESORT

from .asked import Asked, asked
from .journal_contents import Kept, Witness, kept
from .programs import Paged, Pressing, Program, must_agree
from .random_hands import Hands, reads_history

TABLES = 2
"""How many journals are tried at once, each with a separate program."""


def run(times: int, seed: int) -> Iterator[str]:
    """Kill the program repeatedly during the same games, and report what was found afterwards."""
    with TemporaryDirectory() as place, ThreadPoolExecutor(TABLES) as both:
        tables = [Table(Path(place) / str(number), random.Random(f"{seed}/{number}")) for number in range(TABLES)]
        shares = [len(range(number, times, TABLES)) for number in range(TABLES)]
        list(both.map(Table.be_killed, tables, shares))
        seen = sum((table.seen for table in tables), Counter[str]())
        kinds = sum((table.kinds for table in tables), Counter[str]())
        lines = sum((table.lines() for table in tables), Counter[str]())
    yield (
        f"{seen['kills']} kills -9, {seen['pages']} of them of the page's server and the others of `press -`, in "
        f"{seen['games']} games with {lines.total()} entries ({lines['undo']} undo, {lines['redo']} redo, "
        f"{lines['amend']} amend, {lines['splice']} splice): {seen['lines']} answers, all as by a box that never died"
    )
    yield (
        f"{seen['starting']} kills fell into the start, {seen['idle']} where nothing was in flight, "
        f"{seen['in flight']} on a line in flight; {seen['writing']} had something to write: "
        f"{seen['kept']} were kept whole, {seen['partly']} in part, {seen['lost']} not at all"
    )
    yield (
        f"after each the journal was whole and free and held all that was answered; the right question was asked "
        f"{seen['starts']} times, {seen['drafts']} times with what was half entered, {seen['unchanged']} times the "
        f"very one as before the kill; {seen['exports']} exports agreed"
    )
    yield "followed: " + ", ".join(f"{kind} {kinds[kind]} times" for kind in sorted(kinds))


class Table:
    """A journal, a player who enters games, and a program that is killed.

    Attributes:
        seen: How often each thing was seen.
        kinds: How often each game was begun, or its tracking changed.
    """

    def __init__(self, folder: Path, chance: random.Random) -> None:
        """Begin with an empty journal."""
        self.seen: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter()
        self._folder = folder
        self._chance = chance
        self._hands = Hands(chance)
        self._witness = Witness()
        self._possible = [Kept()]  # what may be kept now: what was answered first, then what was in flight
        self._before: tuple[Kept, Asked] | None = None  # what was kept and asked before the kill, had nothing been lost
        self._running: list[Program] = []
        self._start = 0.3  # seconds it takes, as far as is known
        self._errors = folder.with_suffix(".err")

    def be_killed(self, times: int) -> None:
        """Play, and kill the program so many times."""
        try:
            self._be_killed(times)
        finally:
            for program in self._running:
                program.kill()

    def _be_killed(self, times: int) -> None:
        for _ in range(times):
            chance = self._chance
            if chance.random() < 0.5:
                self._look()
            match chance.choices(["keys", "page", "new", "start", "first"], [60, 12, 16, 10, 2])[0]:
                case "keys":
                    self._play(self._pressing())
                case "page":
                    self.seen["pages"] += 1
                    program = Paged(self._folder, self._errors)
                    self._running.append(program)
                    self._play(program)
                case "new":
                    self._begin()
                case "start":
                    self._look()
                    self._witness = Witness(self._possible[0])
                    self._kill_start(self._pressing())
                case "first":
                    self._kill_first_start()
        self._look()
        self.seen["games"] += len(self._possible[0].games)

    def lines(self) -> Counter[str]:
        """Return how many lines of each type are kept."""
        lines = (line for game in self._possible[0].games for line in game.lines)
        return Counter(json.loads(line)["type"] for line in lines)

    # Killing

    def _pressing(self, *options: str) -> Pressing:
        program = Pressing(self._folder, self._errors, options)
        self._running.append(program)
        return program

    def _play(self, program: Program) -> None:
        """Check what is shown, go on playing, and kill the program."""
        began = time.monotonic()
        first = program.first()
        self._start += 0.1 * (time.monotonic() - began - self._start)
        self._look(running=True)
        self._witness = Witness(self._possible[0])
        box = program.model(self._witness)
        self._agreed(program, first, box, "the first question")
        if self._before is not None and self._before[0] == self._possible[0]:
            assert asked(box).like(self._before[1]), f"{asked(box)} was asked, before the kill {self._before[1]}"
            self.seen["unchanged"] += 1
        self.seen["starts"] += 1
        self.seen["drafts"] += box.game is not None and bool(self._witness.draft(box.game.name))
        self._hands.resume()
        self._go_on(program, box)

    def _begin(self) -> None:
        """Begin a game that was dealt, and kill the program at some point."""
        self._look()
        header = decode_header(json.dumps(self._hands.deal().header))
        tracking = self._chance.choice(list(header.game.trackings))
        file = self._folder.with_suffix(".json")
        file.write_text(header.written, encoding="utf-8")
        options = ("--new", str(file), "--tracking", tracking.value)
        program = self._pressing(*options)
        self._witness = Witness(self._possible[0])
        box = program.model(self._witness)
        box.begin(header, tracking)
        self._note(header, tracking)
        if self._chance.random() < 0.2:
            self._kill_start(program)
        else:
            self._agreed(program, program.first(), box, "the first question of a game")
            self._go_on(program, box)

    def _go_on(self, program: Program, box: Box) -> None:
        """Press lines of keys until the last of them is cut off."""
        took = 0.01
        for _ in range(min(100, int(self._chance.expovariate(1 / 12)))):
            began = time.monotonic()
            keys = self._line(program, box)
            self._agreed(program, program.answered(), box, keys)
            took += 0.2 * (time.monotonic() - began - took)
            if reads_history(box):
                break
        when = "idle" if reads_history(box) or self._chance.random() < 0.1 else "in flight"
        if when == "idle":
            self._witness.forget()
        else:
            self._line(program, box)
            time.sleep(self._chance.random() * took)
        self._kill(program, when)
        self._before = self._witness.moments[-1], asked(box)

    def _line(self, program: Program, box: Box) -> str:
        """Press a line of keys on both, and return it; the program has not answered yet."""
        self._witness.forget()
        tracking, games = box.game and box.game.tracking, len(self._witness.moments[0].games)
        keys = self._hands.line(box, program.most)
        program.send(keys)
        if box.game is not None:
            fresh = len(self._witness.moments[-1].games) > games
            if fresh or box.game.tracking is not tracking:
                self._note(box.game.session.header, box.game.tracking)
        return keys

    def _kill_start(self, program: Pressing) -> None:
        """Kill a program that is starting, and that may have begun a game by then."""
        time.sleep(self._chance.random() * 1.2 * self._start)
        self._kill(program, "starting")

    def _kill_first_start(self) -> None:
        """Kill a program that is making its journal, and start it once more."""
        fresh = Table(self._folder.with_name(f"{self._folder.name}-{self.seen['kills']}"), self._chance)
        fresh._running = self._running
        fresh._kill_start(fresh._pressing())
        fresh._play(fresh._pressing())
        fresh._look()
        self.seen.update(fresh.seen)

    def _kill(self, program: Program, when: str) -> None:
        program.kill()
        self._running.remove(program)
        assert program.process.returncode == -signal.SIGKILL, f"it had ended, with {program.process.returncode}"
        self.seen["kills"] += 1
        self.seen[when] += 1
        self._possible = self._witness.moments
        said = self._errors.read_text()
        assert not said, f"the program said {said!r}"

    # Looking

    def _agreed(self, program: Program, answer: str, box: Box, what: str) -> None:
        must_agree(program, answer or self._errors.read_text(), box, what)
        self.seen["lines"] += 1

    def _look(self, running: bool = False) -> None:
        """Find out what is kept, and check that it is one of the possible states."""
        if not running:
            self._check_files()
        with closing(Journal(self._folder, writes=False)) as journal:
            found = kept(journal)
            assert journal.notices == [], f"said after a kill: {journal.notices}"
        possible = self._possible
        assert found in possible, f"answered, but not kept: {found.unlike(possible[0])}"
        if len(possible) > 1:
            self.seen["writing"] += 1
            place = len(possible) - 1 - possible[::-1].index(found)
            self.seen["kept" if place == len(possible) - 1 else "partly" if place else "lost"] += 1
        self._possible = [found]
        if found.games and self._chance.random() < 0.03:
            self._export(found)

    def _check_files(self) -> None:
        """Check that nobody holds the journal's lock, and that no file was found damaged."""
        if self._folder.exists():
            descriptor = os.open(self._folder, os.O_RDONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            finally:
                os.close(descriptor)
        assert not (self._folder / "damaged").exists(), "a file was set aside after a kill"

    def _export(self, found: Kept) -> None:
        game = self._chance.choice(found.games)
        words = [sys.executable, "-m", "companion", "export", "--data", str(self._folder), str(game.number)]
        exported = subprocess.run(words, capture_output=True, text=True, check=True, timeout=LAST_RESORT).stdout
        assert exported.splitlines() == [game.header, *game.lines], f"game {game.number} is exported otherwise"
        self.seen["exports"] += 1

    def _note(self, header: LogHeader, tracking: DetailLevel) -> None:
        self.kinds[f"{header.game.title} {tracking.value}"] += 1
