"""The journal's files cut or damaged: a start always succeeds, what can be read is kept, and what cannot is said."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion.journal.opening import open_journal

from .journals import Files, Opened, Truth, memory, started, taken, used, written
from .plugs import pulled, refused
from .wounds import WOUNDS

WHOLE = 1000
"""From so many times on, the log is cut at every byte length."""


def run(times: int, seed: int) -> Iterator[str]:
    """Cut, damage and interrupt."""
    chance = random.Random(seed)
    with memory() as folder:
        yield cuts(folder, times, chance)
        yield from wounds(folder, times, chance)
        yield pulled(folder, max(1, times // 100), chance)
        yield refused(folder, max(1, times // 100), chance)


def cuts(folder: Path, times: int, chance: random.Random) -> str:
    """Cut the log at every byte length: what was saved before is there, and nothing needs to be said."""
    files, answered = _grown(folder / "grown")
    log = files.content["journal.db-wal"]
    lengths = range(len(log) + 1) if times >= WHOLE else sorted(chance.sample(range(len(log) + 1), 3 * times))
    place = folder / "cut"
    for length in lengths:
        Files({**files.content, "journal.db-wal": log[:length]}, files.truth).lay(place)
        lines = [count for size, count in answered if size <= length][-1]
        journal, notice = open_journal(place, 0.0)
        with closing(journal):
            assert notice is None, f"cut at {length}: {notice.details}"
            assert journal.lines(1) == files.truth.lines[0][:lines], f"cut at {length}: {len(journal.lines(1))} lines"
            journal.append(1, lines + 1, "goes on", False, 0.0)
        if length % 64 == 0:
            used(place)
        shutil.rmtree(place)
    return (
        f"log cut at {len(lengths)} of {len(log) + 1} lengths: every line saved before the cut is there, nothing else"
    )


def _grown(folder: Path) -> tuple[Files, list[tuple[int, int]]]:
    """Return a journal with a log of a dozen pages, and how many lines were saved at which size of the log."""
    lines = [f'{{"play":"{number}"}}' for number in range(20)]
    journal, _ = open_journal(folder, 0.0)
    journal.begin("header", "full", 0.0)
    journal.append_all(1, 1, lines[:8], False, 0.0)
    journal.close()
    journal, _ = open_journal(folder, 0.0)
    with closing(journal):
        log, answered = folder / "journal.db-wal", [(0, 8)]
        for number in range(9, 21):
            journal.append(1, number, lines[number - 1], False, 0.0)
            answered.append((log.stat().st_size, number))
        content = taken(folder)
    del content["journal.db-shm"]
    return Files(content, Truth(["header"], [lines])), answered


def wounds(folder: Path, times: int, chance: random.Random) -> Iterator[str]:
    """Damage a file at random, with a backup and without."""
    seen: Counter[str] = Counter()
    pool = [_pair(chance) for _ in range(max(2, min(40, times // 10)))]
    for case in range(times):
        before, files = chance.choice(pool)
        content, wound = dict(files.content), chance.choice(WOUNDS)
        name = chance.choice(sorted(content))
        while not content[name]:
            name = chance.choice(sorted(content))
        wound(content, name, chance, before)
        damaged = Files(content, files.truth)
        place = folder / "wounded"
        told = f"case {case}, {wound.__name__} {name}"
        try:
            with_backup = _suffer(damaged, place, wound.__name__, name, seen)
            without = _suffer(damaged, place, wound.__name__, name, Counter(), "journal-backup.db")
        except AssertionError as error:
            raise AssertionError(f"{told}: {error}") from error
        seen["games"] += len(files.truth.headers)
        seen["lines"] += files.truth.total
        seen["games kept"] += with_backup.games
        seen["lines kept"] += with_backup.total
        seen["lines kept without"] += without.total
        seen["backup helped"] += with_backup.total > without.total or with_backup.games > without.games
        seen["hurt"] += with_backup.total < files.truth.total
    yield (
        f"{times} damaged journals: every start succeeded; said at {seen['said']}; "
        f"{seen['games kept'] / seen['games']:.2%} of games and {seen['lines kept'] / seen['lines']:.2%} of lines kept"
    )
    yield (
        f"{seen['hurt']} lost a line or more, {seen['silent']} of them unsaid: a log cut short or gone shows nothing; "
        f"a damaged line met only when its game was read: {seen['met later']}"
    )
    yield (
        f"the backup brought back more at {seen['backup helped']}; without any backup "
        f"{seen['lines kept without'] / seen['lines']:.2%} of lines kept"
    )


def _pair(chance: random.Random) -> tuple[Files, Files]:
    """Return a journal, and an earlier state of the same."""
    seed, games = chance.getrandbits(32), chance.randrange(2, 9)
    return written(random.Random(seed), games - 1), written(random.Random(seed), games)


def _suffer(files: Files, place: Path, wound: str, name: str, seen: Counter[str], *without: str) -> Opened:
    """Start on damaged files and go on with them."""
    files.lay(place, *without)
    before = {file.name: file.read_bytes() for file in place.iterdir()}
    opened = started(place, files.truth)
    if opened.notice is not None:
        seen["said"] += 1
        backup = opened.notice.details.startswith("the backup")
        _check_aside(place, before, ("journal-backup.db",) if backup else ("journal.db", "journal.db-wal"))
    elif opened.faults:
        seen["met later"] += 1
        assert (place / "journal.mend").exists()
        mended = started(place, files.truth)
        assert mended.notice is not None
        opened = mended
    elif opened.total < files.truth.total or opened.games < len(files.truth.headers):
        lost = files.truth.total - opened.total
        seen["silent"] += 1
        shows_nothing = wound in ("cut", "gone", "emptied", "earlier", "swapped")
        assert shows_nothing or (name == "journal.db-wal" and lost <= files.truth.last), f"{lost} lines lost unsaid"
    used(place)
    shutil.rmtree(place)
    return opened


def _check_aside(place: Path, before: dict[str, bytes], names: tuple[str, ...]) -> None:
    """See that every file that gave way is there as it was under another name."""
    now = [file.read_bytes() for file in place.iterdir()]
    for name in names:
        if before.get(name):
            assert before[name] in now, f"{name} was not kept as it was"
