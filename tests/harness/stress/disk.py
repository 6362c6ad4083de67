"""A disk that is full, fails or is read-only, at any write of whole games, at starts and at power cuts.

The disk is a small file system in memory, mounted in a separate namespace: this needs no rights, and nothing else sees
it. Every case mounts a new one. Its sessions are processes that end as in a power cut.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion.app.box import Box
from companion.app.idle import LAST_RETRY
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.state import PANEL
from companion.cli.common import scratch
from companion.cli.log_to_keys import LogToKeys
from companion.core.prompt import DetailLevel
from companion.core.text import IllegalEventError
from companion.gamelog import decode_line
from companion.journal import Journal
from companion.ui.keys import parse
from companion.ui.pictures import goodbye
from tests.fakes.clock import FixedClock
from tests.games.seeds import deal

from .journal_contents import Witness, kept

KILOBYTES = (1024, 2048)  # enough for what is entered, were it not for the filler
SESSIONS = 4
LINES = 25
"""About how many lines are entered in a session."""

WHY = {"full": "is full", "protected": "can only be read"}
"""The words for a disk that takes nothing when a session starts."""

INSIDE = ("unshare", "--user", "--map-root-user", "--mount", "--propagation", "private")


def run(times: int, seed: int) -> Iterator[str]:
    """Play on so many small disks, and yield the results."""
    if subprocess.run([*INSIDE, "true"], capture_output=True, check=False).returncode:
        yield "no disk can be mounted here (unshare is not allowed): nothing was tried"
        return
    command = [*INSIDE, sys.executable, "-m", "tests.harness.stress.disk", str(times), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as inside:
        assert inside.stdout is not None
        lines = [line.rstrip("\n") for line in inside.stdout]
    assert inside.returncode == 0, "\n".join(lines)
    yield from (line for line in lines if not line.startswith("companion: "))  # the log's lines are expected


class Disk:
    """A small file system, and a file that fills it.

    Attributes:
        trouble: Its present fault; empty if there is none.
    """

    def __init__(self, place: Path, kilobytes: int) -> None:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k,mode=755", "none", str(place)], check=True)
        self.place = place
        self.trouble = ""
        self._filler = place / "filler"
        self._filler.touch()
        self._limit = resource.getrlimit(resource.RLIMIT_FSIZE)

    def refuse(self, chance: random.Random) -> None:
        """Fill the disk up to a few bytes, limit the size of files, or make it read-only."""
        match chance.randrange(3):
            case 0:
                self.trouble = "failing"
                resource.setrlimit(resource.RLIMIT_FSIZE, (chance.randrange(6_000), self._limit[1]))
            case 1:
                self.fill(chance)
            case _:
                self.protect(True)

    def fill(self, chance: random.Random) -> None:
        self.trouble = "full"
        left = chance.choice([0, 0, 1, 2, 5, 9]) * 4096
        with self._filler.open("ab", buffering=0) as filler:
            while (free := self.free - left) > 0:
                filler.write(bytes(min(free, 4096)))

    def take(self) -> None:
        """Accept writes again."""
        if os.statvfs(self.place).f_flag & os.ST_RDONLY:  # a session that has ended may have left it so
            self.protect(False)
        self.trouble = ""
        resource.setrlimit(resource.RLIMIT_FSIZE, self._limit)
        os.truncate(self._filler, 0)

    def protect(self, on: bool) -> None:
        subprocess.run(["mount", "-o", f"remount,{'ro' if on else 'rw'}", str(self.place)], check=True)
        self.trouble = "protected" if on else ""

    @property
    def free(self) -> int:
        status = os.statvfs(self.place)
        return status.f_bavail * status.f_bsize

    def unmount(self) -> None:
        """Unmount the file system; its files are lost."""
        subprocess.run(["umount", str(self.place)], check=True)


class Session:
    """A box on the disk, and one in memory that is given the same keys.

    Attributes:
        seen: Counts of events.
        truth: The journal of the box in memory.
    """

    def __init__(self, disk: Disk, chance: random.Random, seen: Counter[str]) -> None:
        self.disk = disk
        self.chance = chance
        self.seen = seen
        self.clock = FixedClock()
        self.journal = Journal(disk.place / "box", scratch=scratch())
        self.box = Box(self.journal, Outputs(MemoryPanel(), self.clock), self.clock)
        self.truth = Witness(kept(self.journal))
        needless = [
            each
            for each in map(str, self.journal.notices)
            if not (disk.trouble and f"the disk {WHY[disk.trouble]}" in each)
        ]
        assert not needless, needless
        self.model = Box(self.truth, Outputs(MemoryPanel(), self.clock), self.clock)
        if self.box.view().unsaved is not None:
            seen["starts where nothing could be written"] += 1

    def play(self) -> None:
        """Enter lines of random games while the disk refuses at times."""
        chance, box = self.chance, self.box
        game = chance.choice(("eternity", "gear", "hipparchus", "east-rune"))
        dealt = deal(game, chance.randrange(10**9), edits=0.1)
        header = dealt.session(0).header
        for each in (box, self.model):
            each.begin(header, DetailLevel.FULL)
        self.check()
        assert box.game is not None
        # One for the whole session: corrections offered after an entry change the keys of the next line.
        keys_of_log = LogToKeys(box.game.session, box.game.tracking)
        for written in dealt.lines[:LINES]:
            try:
                keys = keys_of_log.spell(decode_line(json.dumps(written), header))
            except IllegalEventError:  # no keys enter this line here
                continue
            for key in parse(keys):
                if chance.random() < 0.08:
                    (self.disk.take if self.disk.trouble else lambda: self.disk.refuse(chance))()
                was = box.view().unsaved
                box.take(PANEL, key)
                self.model.take(PANEL, key)
                self.seen["keys"] += 1
                self.seen["refusals"] += was is None and box.view().unsaved is not None
                self.seen["entries kept in memory at most"] = max(
                    self.seen["entries kept in memory at most"], box.view().unsaved or 0
                )
                if chance.random() < 0.1:
                    self.wait(chance.uniform(0, 10))
                self.check()
            assert box.game.session.state == keys_of_log.session.state

    def wait(self, seconds: float) -> None:
        self.clock.let_pass(seconds)
        if (due := self.box.upkeep.due) is not None and due <= self.clock.passed():
            was = self.box.view().unsaved
            self.box.upkeep.tick()
            self.seen["times everything was saved later"] += was is not None and self.box.view().unsaved is None

    def check(self) -> None:
        """Check that the game goes on, and that the box reports the disk's state correctly."""
        box = self.box
        assert box.game is not None
        assert self.model.game is not None
        assert box.game.session.state == self.model.game.session.state
        unsaved = box.view().unsaved
        entered = self.truth.lines(self.model.game.name)
        assert unsaved is not None or box.lines == len(entered)
        if self.chance.random() < 0.15 and not (unsaved is not None and self.disk.trouble):
            there = on_disk(self.disk, box.game.name)
            assert there == entered[: len(there)], (there, entered)
            assert len(there) >= box.lines, (len(there), box.lines, len(entered))
            self.seen["looks at the disk"] += 1

    def end(self) -> dict[str, int]:
        """End after making room, after a goodbye, or as in a power cut; return the number of saved lines by game."""
        assert self.box.game is not None
        match self.chance.choice(["room", "room", "goodbye", "plug"]):
            case "room":
                self.disk.take()
                self.wait(LAST_RETRY)
                assert self.box.view().unsaved is None, self.journal.fault
                assert self.model.game is not None
                assert self.box.lines == len(self.truth.lines(self.model.game.name))
            case "goodbye":
                assert self.box.say_goodbye()
                saved = self.box.view().unsaved is None
                assert (self.box.picture == goodbye("Every entry is saved")) is saved
        self.seen["entries lost with the plug, the table told"] += self.box.view().unsaved or 0
        return {self.box.game.name: self.box.lines} if self.box.lines else {}


def on_disk(disk: Disk, game: str) -> list[str]:
    """Return the lines of a game that a reader finds; none if the game is missing."""
    with closing(Journal(disk.place / "box", writes=False)) as reader:
        return reader.lines(game) if game in reader.names() else []


def _case(place: Path, chance: random.Random, seen: Counter[str]) -> None:
    """Play a few sessions on one disk; each finds what the one before saved."""
    disk = Disk(place, chance.choice(KILOBYTES))
    try:
        saved: dict[str, int] = {}
        for _session in range(SESSIONS):
            protected = chance.random() < 0.15
            if protected:
                disk.protect(True)
            elif chance.random() < 0.4:
                disk.fill(chance)
            saved = _in_a_process(disk, chance.randrange(10**9), seen, saved)
            disk.take()
            seen["sessions"] += 1
    finally:
        disk.unmount()


def _in_a_process(disk: Disk, seed: int, seen: Counter[str], saved: dict[str, int]) -> dict[str, int]:
    """Play a session in a process that then ends as in a power cut; return how many lines were saved."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            counted: Counter[str] = Counter()
            session = Session(disk, random.Random(seed), counted)
            found = {one.name: one.lines for one in session.journal.games()}
            assert all(found.get(game, 0) >= lines for game, lines in saved.items()), (saved, found)
            session.play()
            mine = session.end()
            if session.chance.random() < 0.3:
                session.journal.close()
            os.write(writing, json.dumps([counted, {**saved, **mine}]).encode())
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    _child, status = os.waitpid(child, 0)
    assert status == 0, f"the session of seed {seed}, the disk {disk.trouble or 'well'} at first"
    counted_there, now_saved = json.loads(told)
    most = max(seen["entries kept in memory at most"], counted_there.get("entries kept in memory at most", 0))
    seen.update(counted_there)
    seen["entries kept in memory at most"] = most
    return {str(game): int(count) for game, count in now_saved.items()}


def _inside(times: int, seed: int) -> None:
    """Run the cases in a namespace where a file system may be mounted."""
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        for case in range(times):
            _case(Path(place), random.Random(f"{seed} {case}"), seen)
    print(f"{times} small disks, " + ", ".join(f"{count} {what}" for what, count in sorted(seen.items())))


if __name__ == "__main__":
    _inside(int(sys.argv[1]), int(sys.argv[2]))
