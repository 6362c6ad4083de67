"""The plug pulled, and the disk refusing, at every step of mending a journal and of backing it up."""

from __future__ import annotations

import errno
import os
import random
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

from companion.journal import JournalFault
from companion.journal.opening import open_journal

from .journals import Files, settled, used, written
from .wounds import flipped, garbled, gone, headless

_STEPS = {"rename", "unlink", "fsync", "open", "connect", "execute", "executemany", "backup", "close"}
_REFUSED = ("rename", "unlink", "fsync", "open")


def pulled(folder: Path, times: int, chance: random.Random) -> str:
    """Copy the folder at every step: whatever moment the power goes at, the next start has all the others have."""
    steps = 0
    for _ in range(times):
        files, place = _wounded(chance), folder / "mended"
        files.lay(place)
        with _copied_at_every_step(place, folder / "steps"):
            journal, _notice = open_journal(place, 0.0)
        with closing(journal):
            journal.back_up()
            if journal.games():
                journal.append(journal.games()[0].number, journal.games()[0].lines + 1, "x", False, 0.0)
            with _copied_at_every_step(place, folder / "backups"):
                journal.back_up()
        shutil.rmtree(place)
        files.lay(place)
        best = settled(place, files.truth)
        for copy in sorted((folder / "steps").iterdir()):
            found = settled(copy, files.truth)
            assert found.lines == best.lines, f"pulled at {copy.name}: {found.total} lines instead of {best.total}"
            used(copy)
            steps += 1
        for copy in sorted((folder / "backups").iterdir()):
            for file in ("journal.db", "journal.db-wal", "journal.db-shm"):
                (copy / file).unlink(missing_ok=True)
            journal, _notice = open_journal(copy, 0.0)
            with closing(journal):
                assert bool(journal.games()) == bool(best.games), f"pulled at {copy.name}: no backup"
            steps += 1
        for name in ("mended", "steps", "backups"):
            shutil.rmtree(folder / name)
    return f"plug pulled at {steps} steps of mending and backing up {times} journals: nothing was lost by it"


def refused(folder: Path, times: int, chance: random.Random) -> str:
    """Have the disk refuse each call in turn: a sentence, and the next start has everything."""
    calls = 0
    for _ in range(times):
        files, place = _wounded(chance), folder / "refused"
        files.lay(place)
        best = settled(place, files.truth)
        shutil.rmtree(place)
        for number in range(1000):
            files.lay(place)
            with _refusing(number) as came_to_it, suppress(JournalFault):
                open_journal(place, 0.0)[0].close()
            found = settled(place, files.truth)
            assert found.lines == best.lines, f"call {number} refused: {found.total} lines instead of {best.total}"
            used(place)
            shutil.rmtree(place)
            if not came_to_it():
                break
            calls += 1
    return f"{calls} calls refused, one by one, while {times} journals were mended: the next start mended them all"


def _wounded(chance: random.Random) -> Files:
    """Return files of a journal that is to be mended."""
    files = written(chance, chance.randrange(1, 4))
    content = dict(files.content)
    chance.choice([headless, garbled, gone])(content, "journal.db", chance, files)
    flipped(content, chance.choice(sorted(content)), chance, files)
    if chance.random() < 0.5:
        content.pop("journal-backup.db", None)
    return Files(content, files.truth)


@contextmanager
def _copied_at_every_step(place: Path, copies: Path) -> Iterator[None]:
    """Copy a folder before and after each call that may change it: once as it is, once without what was not synced."""
    copies.mkdir()
    there = {file.stat().st_ino for file in place.iterdir()}
    synced: set[int] = set()
    seen: list[dict[str, bytes]] = []

    def copy(without: str) -> None:
        content = {file.name: file.read_bytes() for file in place.iterdir() if file.suffix != ".lock"}
        if without:
            for file in place.iterdir():
                if file.name in content and file.stat().st_ino not in there | synced:
                    content[file.name] = content[file.name][: len(content[file.name]) // 2]
        if content not in seen[-2:]:
            seen.append(content)
            Files(content, None).lay(copies / f"{len(seen):04}{without}")  # type: ignore[arg-type]

    def step(_frame: FrameType, event: str, argument: Any) -> None:
        if event in {"c_call", "c_return"} and argument.__name__ in _STEPS:
            sys.setprofile(None)
            copy("")
            copy(" unsynced")
            sys.setprofile(step)

    real = os.fsync

    def fsync(descriptor: int) -> None:
        real(descriptor)
        synced.add(os.fstat(descriptor).st_ino)

    with patch("os.fsync", fsync):
        sys.setprofile(step)
        try:
            yield
        finally:
            sys.setprofile(None)


@contextmanager
def _refusing(number: int) -> Iterator[Callable[[], bool]]:
    """Let the call of a number fail as on a full disk; return whether it came to that."""
    count = 0

    def counting(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count == number + 1:
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(*given, **named)

        return call

    patches = [patch(f"os.{name}", counting(getattr(os, name))) for name in _REFUSED]
    for each in patches:
        each.start()
    try:
        yield lambda: count > number
    finally:
        for each in patches:
            each.stop()
