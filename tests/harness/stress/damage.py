"""The journal's files damaged in every way, and power cut at every call: nothing is lost or unreported.

The cases are those of the journal's own tests (`tests/journal`), which try a sample.
"""

from __future__ import annotations

import errno
import os
import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from tests.journal import agreement, damaged_starts, damages, many, outside_changes, tracing
from tests.journal.damages import Damage
from tests.journal.folders import Files, memory
from tests.journal.recorded import Told, evening_kept, use

WHOLE = 1000
"""The number of times from which every case is tried: every bit, every length, every call."""

MOST = 500
"""More calls than an evening makes."""

SYNCS = 60
"""More syncs than an evening makes."""

ANSWERS = 52
"""About as many answers as an evening gets."""

OFTEN = 10
"""When every case is tried, one damaged journal in this many is also used; the others are only started on."""

FEW = 100
"""The number of cases below which one process is enough."""

ERRORS = (errno.EIO, errno.ENOSPC, errno.EROFS, errno.EACCES)

REFUSED: tuple[tuple[int | None, int], ...] = ((None, 1), (None, 3), (None, 10**6), (0, 1), (7, 1), (300, 1))
"""The bytes of a write that are written anyway, and the number of consecutive calls refused."""

Counted = Counter[str]


def run(times: int, seed: int) -> Iterator[str]:
    """Damage files, kill, cut power, and refuse calls."""
    whole = times >= WHOLE
    with memory() as place:
        work = Work(place, seed)
        yield work.single(None if whole else times)
        yield work.pairs(2 * times)
        yield work.agreement(2 * times)
        yield work.correction(max(1, times // 10))
        yield work.double_correction(max(1, times // 10))
        yield work.evenings(times // 10)
        yield work.restarts(1 if whole else 400)
        yield work.refusals(1 if whole else 1500)
        yield work.syncs(1 if whole else 300)
        yield work.mishaps(1 if whole else 300)
        yield work.many(5000 if whole else 200)


class Work:
    """The cases, by number; the numbers are shared among all processors."""

    def __init__(self, place: Path, seed: int) -> None:
        self._place = place
        self._seed = seed
        self._often = 1
        self._files, self._told = evening_kept(place / "first")
        self._killed = evening_kept(place / "killed", killed=True)
        self._earlier = {name: _half(content) for name, content in self._files.items()}

    # Damage

    def single(self, each: int | None) -> str:
        """Damage one file in every way, or in ``each`` ways of each file."""
        numbers: Sequence[int] = range(sum(1 for _ in self._wounds()))
        self._often = 1 if each is not None else OFTEN
        if each is not None:
            numbers = random.Random(self._seed).sample(numbers, each * len(self._files) // 4)
        seen = _shared(self._suffer, numbers)
        return (
            f"{seen['damages']:,} damages of one of {len(self._files)} files: 0 lines and 0 settings lost; "
            f"{seen['said']:,} were said, {seen['logged']:,} logged, 0 unsaid; each mended, and gone on with"
        )

    def _wounds(self) -> Iterator[tuple[Files, Told, Damage]]:
        """Yield every damage of the files of a closed journal, and of the open game of a killed one."""
        for name in self._files:
            for wound in damages.of_file(self._files, name, self._earlier):
                yield self._files, self._told, wound
        files, told = self._killed
        for name in files:
            if list(told.games)[-1] in name:
                for wound in damages.of_file(files, name, {}):
                    yield files, told, wound

    def _suffer(self, place: Path, numbers: Sequence[int]) -> Counted:
        chosen, seen = set(numbers), Counted()
        for number, (files, told, wound) in enumerate(self._wounds()):
            if number in chosen:
                with tracing.during(f"{wound.file}, {wound.told}"):
                    twice = number % self._often == 0
                    seen += damaged_starts.suffer(place / "box", files, told, wound, twice=twice)
        return seen

    def pairs(self, times: int) -> str:
        """Damage both copies of a game."""
        seen = _shared(self._suffer_two, range(times))
        settings = _shared(self._suffer_settings, range(times))
        return (
            f"{seen['pairs']:,} times both copies damaged: every line that could be proved was kept, "
            f"{seen['lost']:,} lines lost of which 0 unsaid, {seen['total']:,} games lost whole; "
            f"{settings['settings']:,} times both copies of the settings: {settings['lost']:,} times lost, 0 unsaid"
        )

    def _suffer_two(self, place: Path, numbers: Sequence[int]) -> Counted:
        every = {name: list(damages.of_file(self._files, name, self._earlier, tail=512)) for name in self._files}
        seen = Counted()
        for number in numbers:
            chance = self._chance(number)
            game = chance.choice(list(self._told.games))
            pair = [damages.one(every[f"{folder}/{game}.jsonl"], chance) for folder in ("games", "copies")]
            with tracing.during(", ".join(f"{wound.file} {wound.told}" for wound in pair)):
                seen += damaged_starts.suffer_two(place / "box", self._files, self._told, pair)
        return seen

    def _suffer_settings(self, place: Path, numbers: Sequence[int]) -> Counted:
        names, seen = ("settings.jsonl", "copies/settings.jsonl"), Counted()
        every = [list(damages.of_file(self._files, name, self._earlier, tail=512)) for name in names]
        for number in numbers:
            chance = self._chance(number)
            pair = [damages.one(those, chance) for those in every]
            with tracing.during(", ".join(f"{wound.file} {wound.told}" for wound in pair)):
                seen += damaged_starts.suffer_settings(place / "box", self._files, self._told, pair)
        return seen

    def agreement(self, times: int) -> str:
        """Read damaged journals with the independent reader, too."""
        games, lost = agreement.compare(times, self._seed, self._place / "read")
        return f"{games:,} games of damaged journals read by a second program: alike, {lost:,} with lines lost"

    def correction(self, times: int) -> str:
        """Kill or cut power at every call of a start that repairs files."""
        seen = _shared(self._mend, range(times))
        return (
            f"{times:,} starts that mend, killed after every call ({seen['killed']:,}), the plug pulled after every "
            f"call ({seen['pulled']:,}): 0 lines lost"
        )

    def _mend(self, place: Path, numbers: Sequence[int]) -> Counted:
        every = {name: list(damages.of_bytes(self._files, name, self._earlier, tail=512)) for name in self._files}
        every = {name: [wound for wound in those if wound.kind != "appended to"] for name, those in every.items()}
        seen = Counted()
        for number in numbers:
            chance = self._chance(number)
            wound = damages.one(every[chance.choice(list(every))], chance)
            seen += tracing.mended(place, self._files, self._told, wound, chance, states=2)
        return seen

    def double_correction(self, times: int) -> str:
        """Kill or cut power at every call of a start that repairs both files of a game."""
        seen = _shared(self._mend_two, range(times))
        return (
            f"{times:,} starts that mend both files of a game, killed or the plug pulled after every call "
            f"({seen['states']:,}): 0 lines of either lost"
        )

    def _mend_two(self, place: Path, numbers: Sequence[int]) -> Counted:
        every = {name: list(damages.of_bytes(self._files, name, self._earlier, tail=512)) for name in self._files}
        seen = Counted()
        for number in numbers:
            chance = self._chance(number)
            game = chance.choice(list(self._told.games))
            pair = [damages.one(every[f"{folder}/{game}.jsonl"], chance) for folder in ("games", "copies")]
            seen += tracing.mended_two(place, self._files, self._told, pair, chance, states=2)
        return seen

    # Power

    def evenings(self, times: int) -> str:
        """Kill or cut power after every call of an evening."""
        seen = _shared(self._evening, range(times))
        return (
            f"{times:,} evenings, killed after every call ({seen['killed']:,}), the plug pulled after every call with "
            f"any part left of what was not synced ({seen['pulled']:,}): 0 lines lost of those shown as saved"
        )

    def _evening(self, place: Path, numbers: Sequence[int]) -> Counted:
        seen = Counted()
        for number in numbers:
            chance = self._chance(number)
            shutil.rmtree(place / "disk", ignore_errors=True)
            left = tracing.record(place / "disk" / "box", partial(use, chance=chance), chance, states=3)
            with tracing.during(f"evening {number}"):
                seen += tracing.look(place / "left", left)
        return seen

    def restarts(self, step: int) -> str:
        """Kill an evening at every call, start, and cut power."""
        seen = _shared(self._restart, range(1, MOST, step))
        return f"{seen['starts']:,} starts after a kill, then the plug pulled: 0 lines lost of those that were shown"

    def _restart(self, place: Path, numbers: Sequence[int]) -> Counted:
        return Counted(starts=sum(tracing.killed_then_pulled(place, each, self._chance(each)) for each in numbers))

    # Refusals

    def refusals(self, step: int) -> str:
        """Refuse each call of an evening in turn."""
        cases = [(error, torn, span) for error in ERRORS for torn, span in REFUSED]
        seen = _shared(partial(self._refuse, cases), range(0, len(cases) * MOST, step))
        return (
            f"{seen['refused']:,} calls refused in {seen['evenings']:,} evenings: 0 lines lost, all saved in order, "
            f"up to {seen['most']} of them kept in memory meanwhile; {seen['no start']:,} starts refused"
        )

    def _refuse(self, cases: Sequence[tuple[int, int | None, int]], place: Path, numbers: Sequence[int]) -> Counted:
        seen, most = Counted(), 0
        for number in numbers:
            error, torn, span = cases[number // MOST]
            at = number % MOST
            found = tracing.refused(place, range(at, at + span), error, torn=torn)
            most = max(most, found.pop("kept", 0))
            seen += found
        seen["most"] = most
        return seen

    def syncs(self, step: int) -> str:
        """Fail each sync of an evening, and cut power after each later call."""
        seen = _shared(self._sync, range(0, 2 * SYNCS, step))
        return (
            f"{seen['syncs']:,} syncs failed, the plug pulled after any later call ({seen['pulled']:,}): 0 lines lost"
        )

    def _sync(self, place: Path, numbers: Sequence[int]) -> Counted:
        seen = Counted()
        for number in numbers:
            error = (errno.EIO, errno.ENOSPC)[number % 2]
            seen += tracing.failed_sync(place, number // 2, error, self._chance(number))
        return seen

    def mishaps(self, step: int) -> str:
        """Change the folder of a running box from outside."""
        seen = _shared(self._mishap, range(0, len(outside_changes.mishaps({})) * ANSWERS, step))
        return f"{seen['mishaps']:,} mishaps of a folder in use: 0 lines of an open game lost; {seen['said']:,} said"

    def _mishap(self, place: Path, numbers: Sequence[int]) -> Counted:
        seen, every = Counted(), list(outside_changes.mishaps(self._files).items())
        for number in numbers:
            name, mishap = every[number // ANSWERS]
            seen += outside_changes.happened(place, name, mishap, 1 + number % ANSWERS)
        return seen

    def many(self, games: int) -> str:
        """Start on a journal of many games."""
        each = many.start(self._place / "many", games)
        assert each < 2000, f"{each} bytes in memory for each game"
        return f"a journal of {games:,} games: the open one alone is read at a start; {each} bytes in memory for each"

    def _chance(self, number: int) -> random.Random:
        return random.Random(f"{self._seed}/{number}")


def _half(content: bytes) -> bytes:
    """Return a file as it was with about half of its lines."""
    lines = content.rstrip(b"\0").splitlines(keepends=True)
    return b"".join(lines[: len(lines) // 2]).ljust(len(content), b"\0")


def _shared(work: Callable[[Path, Sequence[int]], Counted], numbers: Sequence[int]) -> Counted:
    """Share work among all processors, each with a separate folder."""
    workers = (os.cpu_count() or 1) if len(numbers) > FEW else 1
    shares = [numbers[worker::workers] for worker in range(workers)]
    if workers == 1:
        return _in_memory(work, numbers)
    with ProcessPoolExecutor(workers) as pool:
        found = list(pool.map(partial(_in_memory, work), shares))
    most = max(each.pop("most", 0) for each in found)
    return sum(found, Counted()) + Counted(most=most)


def _in_memory(work: Callable[[Path, Sequence[int]], Counted], numbers: Sequence[int]) -> Counted:
    with memory() as place:
        return work(place, numbers)
