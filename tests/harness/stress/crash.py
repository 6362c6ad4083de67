"""Evenings at a box in another process to which terrible things happen: what was answered is kept, whatever comes.

The same keys are pressed on a box in memory, which records its journal after each write. The journal on disk must equal
the state after the last answer, or after one of the writes of the line in flight. `TERRIBLE` is the table of what
happens. The seed decides what is played; the moment of a kill depends on microseconds, and is not repeatable.
"""

from __future__ import annotations

import fcntl
import http.client
import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import IO
from urllib.parse import urlsplit

import msgspec

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.cli.press import answer
from companion.gamelog import decode_header, encode
from companion.journal import Journal
from companion.ui.keys import parse
from companion.ui.screens.home import GameListScreen
from companion.ui.screens.table import PlayScreen
from companion.web.page_mirror import PageMirror
from companion.web.page_mirror import encode as encode_frame
from tests.fakes.clock import FixedClock
from tests.waiting import LAST_RESORT

from .journal_contents import Kept, Witness, kept
from .random_hands import Hands, reads_history

TABLES = 2
"""The number of journals that are tried at the same time, each by its own program."""
READERS = 3
"""The number of readers beside a program that writes."""


def run(times: int, seed: int) -> Iterator[str]:
    """Let so many terrible things happen during the same games, and report what was found afterwards.

    Raises:
        AssertionError: Something that was answered is lost, or something else was asked or said.
    """
    with TemporaryDirectory() as place, ThreadPoolExecutor(TABLES) as both:
        tables = [Table(Path(place) / str(number), random.Random(f"{seed}/{number}")) for number in range(TABLES)]
        shares = [len(range(number, times, TABLES)) for number in range(TABLES)]
        list(both.map(Table.suffer, tables, shares))
        seen = sum((table.seen for table in tables), Counter[str]())
        lines = sum((table.lines() for table in tables), Counter[str]())
    happened = ", ".join(f"{seen[what]} times {what}" for what in TERRIBLE if seen[what])
    yield f"{times} terrible things: {happened}"
    yield (
        f"{seen['games']} games with {lines.total()} entries ({lines['undo']} undo, {lines['redo']} redo, "
        f"{lines['amend']} amend, {lines['splice']} splice): {seen['lines']} answers, all as by a box that never died"
    )
    yield (
        f"of what was being written {seen['kept']} times all was kept, {seen['partly']} a part, {seen['lost']} "
        f"nothing; the right question was asked {seen['starts']} times, {seen['drafts']} with what was half entered, "
        f"{seen['unchanged']} times the very one as before"
    )
    yield (
        f"{seen['refused']} second programs were refused in a sentence, {seen['stopped']} while the first did not "
        f"answer, and no byte was changed; {seen['looks']} looks of readers and {seen['exports']} exports were each "
        "as the journal was at some moment"
    )


# What is asked


class Asked(msgspec.Struct, frozen=True):
    """The question a box asks.

    Attributes:
        game: The open game: its number, lines, snapshot and tracking.
        entry: At the table, the draft, the entry being corrected and the prompt; None elsewhere.
    """

    game: tuple[object, ...] | None = None
    entry: tuple[object, ...] | None = None

    def like(self, other: Asked) -> bool:
        """Return whether two boxes ask the same question, as far as both are at the table."""
        here = None in (self.entry, other.entry) or self.entry == other.entry
        return self.game == other.game and here


def asked(box: Box) -> Asked:
    game, screen = box.game, box.state.panel.screen
    if game is None:
        return Asked()
    snapshot = encode(game.session.header.game.snapshot(game.session.state))
    stands = (int(game.name[:6]), box.lines, snapshot, game.tracking)
    if not isinstance(screen, PlayScreen):
        return Asked(stands)
    return Asked(stands, (screen.draft, screen.position(game).ask(screen.answers)))


# The program


class WallClock(FixedClock):
    """A clock that stands still at the present: the program shows the day on which a game was begun."""

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()


def started(*words: str, errors: Path) -> subprocess.Popen[str]:
    """Start the program in a separate process group."""
    command = [sys.executable, "-W", "error", "-m", "companion", *words]
    pipe = subprocess.PIPE
    with errors.open("w") as said:
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=said, text=True, start_new_session=True)


class Pressing:
    """``companion press -``: input is a line of keys, the answer a line of JSON.

    Attributes:
        most: The most keys of a line.
        works_on: Whether it shows more later: corrections that it finds, the end of a blink.
    """

    most, works_on = 6, False

    def __init__(self, folder: Path, errors: Path, *options: str) -> None:
        self.process = started(*self._words(folder), *options, *self._last, errors=errors)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._in: IO[str] = self.process.stdin
        self._out: IO[str] = self.process.stdout

    _last: tuple[str, ...] = ("-",)

    @staticmethod
    def _words(folder: Path) -> tuple[str, ...]:
        return "press", "--data", str(folder)

    def model(self, journal: Journal) -> Box:
        """Return a box that must behave like the program."""
        clock = WallClock()
        return Box(journal, Outputs(MemoryPanel(), clock), clock)

    def first(self) -> str:
        """Return what is shown after the start."""
        self.send("")
        return self.answered()

    def send(self, keys: str) -> None:
        """Send a line of keys without waiting; a closed input shows in the answer."""
        with suppress(BrokenPipeError):
            self._in.write(keys + "\n")
            self._in.flush()

    def answered(self) -> str:
        """Wait for the answer to the line, and return it; nothing if the program has ended."""
        there, _, _ = select.select([self._out], [], [], LAST_RESORT)
        assert there, f"nothing is answered for {LAST_RESORT} s"
        return self._out.readline().rstrip("\n")

    def expected(self, box: Box) -> str:
        """Return the expected answer; the box has had the same keys."""
        return answer(box, "")

    def end(self, *, kill: bool = True) -> None:
        """Kill it with SIGKILL, or close its input; check that no process is left."""
        if kill:
            self.process.kill()
        for pipe in (self._in, self._out):
            with suppress(BrokenPipeError):
                pipe.close()
        self.process.wait(LAST_RESORT)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, 0)
            raise AssertionError("a process is left behind")


class Paged(Pressing):
    """``companion simulate``: a key is a request, the answer a frame; its lamp, which may blink, is left out."""

    most, works_on = 1, True
    _last = ("--port", "0")
    _asked = False
    _open: tuple[http.client.HTTPConnection | http.client.HTTPResponse, ...] = ()

    @staticmethod
    def _words(folder: Path) -> tuple[str, ...]:
        return "simulate", "--data", str(folder)

    def model(self, journal: Journal) -> Box:
        """Return a box with a page, which first asks for its language."""
        clock = WallClock()
        return Box(journal, Outputs(MemoryPanel(), clock, page=PageMirror()), clock, language=None)

    def first(self) -> str:
        said = self._out.readline()
        assert "http" in said, f"no page is served: {said!r}"
        url = urlsplit(next(word for word in said.split() if word.startswith("http")))
        assert url.hostname is not None
        self._keys, frames = (http.client.HTTPConnection(url.hostname, url.port, timeout=LAST_RESORT) for _ in "12")
        frames.request("GET", "/events")
        self._stream = frames.getresponse()
        self._open = (self._keys, frames, self._stream)
        return self.answered()

    def send(self, keys: str) -> None:
        (key,) = parse(keys)
        body = msgspec.json.encode({"key": key.name, "held": key.held})
        self._keys.request("POST", "/key", body, {"Content-Type": "application/json"})
        self._asked = True

    def answered(self) -> str:
        """Return the next frame, after the answer to the request."""
        if self._asked:
            response = self._keys.getresponse()
            refused = response.read()
            assert response.status == 204, refused
            self._asked = False
        named, patient_until = False, time.monotonic() + LAST_RESORT
        for line in self._stream:
            assert time.monotonic() < patient_until, f"nothing is shown for {LAST_RESORT} s"
            if line.startswith(b"event:"):
                named = True
            elif not line.strip():
                named = False
            elif line.startswith(b"data: ") and not named:
                return _without_lamp(line[6:])
        raise AssertionError("the page has gone")

    def expected(self, box: Box) -> str:
        return _without_lamp(encode_frame(box.frame))

    def end(self, *, kill: bool = True) -> None:
        super().end(kill=kill)
        for one in self._open:
            one.close()


def _without_lamp(frame: bytes) -> str:
    content = msgspec.json.decode(frame)
    content.pop("lamp")
    return msgspec.json.encode(content).decode()


def must_agree(program: Pressing, said: str, box: Box, what: str) -> None:
    """Check that a program shows what a box shows; not on screens that show minutes, or how far the history is read.

    Raises:
        AssertionError: It shows something else.
    """
    if isinstance(box.state.panel.screen, GameListScreen) or reads_history(box):
        return
    possible = [program.expected(box)]
    while program.works_on and said not in possible:
        if box.search.due is not None:
            box.search.tick()
            possible.append(program.expected(box))
            continue
        try:
            said = program.answered()
        except TimeoutError:
            break
    assert said in possible, f"{what}: {said} is not as {possible[0]}"


# The table


class Table:
    """A journal, a player who enters games, and a program to which terrible things happen.

    Attributes:
        seen: How often each thing was seen.
    """

    def __init__(self, folder: Path, chance: random.Random) -> None:
        """Begin with an empty journal."""
        self.seen: Counter[str] = Counter()
        self.folder, self.chance, self.hands = folder, chance, Hands(chance)
        self.witness = Witness()
        self.possible = [Kept()]  # what may be kept now: what was answered first, then what was in flight
        self._before: tuple[Kept, Asked] | None = None  # what was kept and asked before, had nothing been lost
        self._running: list[Pressing] = []
        self._start = 0.3  # seconds it takes, as far as is known
        self.errors = folder.with_suffix(".err")

    def suffer(self, times: int) -> None:
        """Play, and let so many terrible things happen."""
        try:
            for _ in range(times):
                if self.chance.random() < 0.5:
                    self.look()
                what = self.chance.choices([*TERRIBLE], [weight for weight, _do in TERRIBLE.values()])[0]
                TERRIBLE[what][1](self)
                self.seen[what] += 1
            self.look()
            self.seen["games"] += len(self.possible[0].games)
        finally:
            for program in self._running:
                program.end()

    def lines(self) -> Counter[str]:
        """Return how many lines of each type are kept."""
        lines = (line for game in self.possible[0].games for line in game.lines)
        return Counter(json.loads(line)["type"] for line in lines)

    def program(self, kind: type[Pressing] = Pressing, *options: str) -> Pressing:
        program = kind(self.folder, self.errors, *options)
        self._running.append(program)
        return program

    def play(self, program: Pressing) -> None:
        """Check what is shown, go on playing, and kill the program."""
        began = time.monotonic()
        first = program.first()
        self._start += 0.1 * (time.monotonic() - began - self._start)
        self.look(running=True)
        self.witness = Witness(self.possible[0])
        box = program.model(self.witness)
        self.agreed(program, first, box, "the first question")
        if self._before is not None and self._before[0] == self.possible[0]:
            assert asked(box).like(self._before[1]), f"{asked(box)} was asked, before the kill {self._before[1]}"
            self.seen["unchanged"] += 1
        self.seen["starts"] += 1
        self.seen["drafts"] += box.game is not None and bool(self.witness.draft(box.game.name))
        self.hands.resume()
        self._go_on(program, box)

    def begin(self, meanwhile: Callable[[Table, Pressing, Box], None] | None = None) -> None:
        """Begin a game that was dealt, and kill the program at some point."""
        self.look()
        header = decode_header(json.dumps(self.hands.deal().header))
        tracking = self.chance.choice(list(header.game.trackings))
        file = self.folder.with_suffix(".json")
        file.write_text(header.written, encoding="utf-8")
        program = self.program(Pressing, "--new", str(file), "--tracking", tracking.value)
        self.witness = Witness(self.possible[0])
        box = program.model(self.witness)
        box.begin(header, tracking)
        if meanwhile is None and self.chance.random() < 0.2:
            self.kill_start(program)
        else:
            self.agreed(program, program.first(), box, "the first question of a game")
            if meanwhile is not None:
                meanwhile(self, program, box)
            self._go_on(program, box)

    def _go_on(self, program: Pressing, box: Box) -> None:
        """Press lines of keys until the last of them is cut off."""
        took = 0.01
        for _ in range(min(100, int(self.chance.expovariate(1 / 12)))):
            began = time.monotonic()
            self.line(program, box)
            took += 0.2 * (time.monotonic() - began - took)
            if reads_history(box):
                break
        self.witness.forget()
        if not reads_history(box) and self.chance.random() < 0.9:
            program.send(self.hands.line(box, program.most))
            time.sleep(self.chance.random() * took)
        self._kill(program)
        self._before = self.witness.moments[-1], asked(box)

    def line(self, program: Pressing, box: Box, *, forgets: bool = True) -> None:
        """Press a line of keys on both, and compare the answers."""
        if forgets:
            self.witness.forget()
        keys = self.hands.line(box, program.most)
        program.send(keys)
        self.agreed(program, program.answered(), box, keys)

    def agreed(self, program: Pressing, said: str, box: Box, what: str) -> None:
        must_agree(program, said or self.errors.read_text(), box, what)
        self.seen["lines"] += 1

    def kill_start(self, program: Pressing) -> None:
        """Kill a program that is starting, and that may have begun a game by then."""
        time.sleep(self.chance.random() * 1.2 * self._start)
        self._kill(program)

    def _kill(self, program: Pressing) -> None:
        program.end()
        self._running.remove(program)
        assert program.process.returncode == -signal.SIGKILL, f"it had ended, with {program.process.returncode}"
        self.possible = self.witness.moments
        said = self.errors.read_text()
        assert not said, f"the program said {said!r}"

    def look(self, running: bool = False) -> None:
        """Find out what is kept, and check that it is one of the possible states."""
        if not running:
            self._check_files()
        with closing(Journal(self.folder, writes=False)) as journal:
            found = kept(journal)
            assert journal.notices == [], f"said after a kill: {journal.notices}"
        assert found in self.possible, f"answered, but not kept: {found.unlike(self.possible[0])}"
        if len(self.possible) > 1:
            place = len(self.possible) - 1 - self.possible[::-1].index(found)
            self.seen["kept" if place == len(self.possible) - 1 else "partly" if place else "lost"] += 1
        self.possible = [found]

    def _check_files(self) -> None:
        """Check that nobody holds the journal's lock, and that no file was found damaged."""
        if self.folder.exists():
            descriptor = os.open(self.folder, os.O_RDONLY)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            finally:
                os.close(descriptor)
        assert not (self.folder / "damaged").exists(), "a file was set aside after a kill"


# What is terrible


def killed_at_start(table: Table) -> None:
    table.look()
    table.witness = Witness(table.possible[0])
    table.kill_start(table.program())


def killed_at_first_start(table: Table) -> None:
    """Kill a program that is making its journal, and start it once more."""
    place = table.folder.with_name(f"{table.folder.name}-{table.seen['lines']}")
    fresh = Table(place, table.chance)
    fresh.kill_start(fresh.program())
    fresh.play(fresh.program())
    fresh.look()
    table.seen.update(fresh.seen)


def refused(table: Table, holder: Pressing, _box: Box) -> None:
    """Start a second program, perhaps with the first stopped: it prints one sentence and changes no byte."""
    others = (
        ("press", "1#"),
        ("press", "--new", str(table.folder.with_suffix(".json")), "-"),
        ("simulate", "--port", "0"),
    )
    command, *words = table.chance.choice(others)
    before, stopped = contents(table.folder), table.chance.random() < 0.3
    if stopped:
        holder.process.send_signal(signal.SIGSTOP)
    try:
        second = companion(command, "--data", str(table.folder), *words)
    finally:
        holder.process.send_signal(signal.SIGCONT)
    assert second.returncode == 1, f"{command} ended with {second.returncode}"
    assert second.stdout == "", f"{command} printed {second.stdout!r}"
    assert second.stderr.startswith(in_use(table.folder)), second.stderr
    assert contents(table.folder) == before, f"{command} changed a journal that is in use"
    table.seen["refused"] += 1
    table.seen["stopped"] += stopped


def read_meanwhile(table: Table, program: Pressing, box: Box) -> None:
    """Read as often as possible while lines are entered: readers see its states, in their order."""
    done, looks = Event(), [list[tuple[int, tuple[str, ...]]]() for _ in range(READERS)]

    def read(found: list[tuple[int, tuple[str, ...]]]) -> None:
        while not done.is_set():
            with closing(Journal(table.folder, writes=False)) as journal:
                latest = journal.games()[0]
                found.append((latest.number, tuple(journal.lines(latest.name))))

    readers = [Thread(target=read, args=(found,)) for found in looks]
    table.witness.forget()
    for reader in readers:
        reader.start()
    try:
        for _ in range(4):
            table.line(program, box, forgets=False)
    finally:
        done.set()
        for reader in readers:
            reader.join()
    states = [{(game.number, game.lines) for game in moment.games} for moment in table.witness.moments]
    for found in looks:
        assert found, "a reader could not read"
        moment = 0
        for look in found:  # none is older than the one before
            while look not in states[moment]:
                moment += 1
                assert moment < len(states), f"game {look[0]} was never so, or not then: {len(look[1])} lines"
        table.seen["looks"] += len(found)


def exported(table: Table, program: Pressing, box: Box) -> None:
    """Export a game while a line is written: the output is its state before or after one of the writes."""
    table.witness.forget()
    number = table.witness.moments[0].games[-1].number
    errors = table.folder.with_suffix(".export")
    exporting = started("export", "--data", str(table.folder), str(number), errors=errors)
    table.line(program, box, forgets=False)
    printed, _nothing = exporting.communicate(timeout=LAST_RESORT)
    assert exporting.returncode == 0, errors.read_text()
    games = [game for moment in table.witness.moments for game in moment.games if game.number == number]
    assert printed.splitlines() in [[game.header, *game.lines] for game in games], f"it was never so: {printed}"
    table.seen["exports"] += 1


def begun_at_once(table: Table) -> None:
    """Start two programs at once without a journal: one gets it, the other prints a sentence."""
    folder = table.folder.with_name(f"{table.folder.name}-race-{table.seen['lines']}")
    errors = [folder.with_suffix(f".{number}") for number in range(2)]
    programs = [Pressing(folder, error) for error in errors]
    answers = [program.first() for program in programs]
    said = [error.read_text() for error in errors]
    assert sorted(map(bool, answers)) == [False, True], f"{answers} {said}"
    loser = answers.index("")
    assert said[loser].startswith(in_use(folder)), said
    assert said[1 - loser] == "", said
    assert programs[loser].process.wait(LAST_RESORT) == 1
    programs[1 - loser].end()
    programs[loser].end(kill=False)


def companion(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    command = [sys.executable, "-W", "error", "-m", "companion", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=LAST_RESORT
    )


def in_use(folder: Path) -> str:
    return f"companion: another companion already uses the journal in {folder}"


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a journal with its bytes."""
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


TERRIBLE: dict[str, tuple[int, Callable[[Table], None]]] = {
    "killed while keys were pressed": (50, lambda table: table.play(table.program())),
    "killed while a page was served": (12, lambda table: table.play(table.program(Paged))),
    "killed in a new game": (14, Table.begin),
    "killed as it started": (8, killed_at_start),
    "killed as it made its journal": (2, killed_at_first_start),
    "met by a second program": (5, lambda table: table.begin(refused)),
    "read while it wrote": (4, lambda table: table.begin(read_meanwhile)),
    "exported while it wrote": (3, lambda table: table.begin(exported)),
    "begun by two at once": (2, begun_at_once),
}
"""The terrible things by name: the weight with which each is chosen, and the function that does it."""
