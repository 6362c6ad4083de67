"""Damaged inodes on a real ext4: each file and folder of a journal in turn cannot be opened, then pairs of files.

One flipped bit in an inode makes its checksum wrong: the system refuses to open the file, to rename it, and to remove
it. The program always starts, no entry is lost, and it says what fails.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.cli import main
from companion.journal import Journal
from tests.fakes.clock import FixedClock
from tests.journal.folders import Files, laid
from tests.journal.recorded import SETTINGS, Told, evening_kept
from tests.journal.starts import logged

from .loop_disk import LoopDisk, NoLoopDisk, loop_disk

BYTE = 8  # of an inode: the time of its last access; no other check than the checksum's finds the change
LINE = '{"type":"undo"}'
INSIDE = ("unshare", "--mount", "--propagation", "private") if os.geteuid() == 0 else ()
WHOLE = 10  # the number of times from which every file is tried


def run(times: int, seed: int) -> Iterator[str]:
    """Damage every file and folder in turn, in a namespace of mounts that nobody else's can keep alive."""
    if subprocess.run([*INSIDE, "true"], capture_output=True, check=False).returncode:
        yield "no disk can be mounted here (unshare is not allowed): nothing was tried"
        return
    command = [*INSIDE, sys.executable, "-m", "tests.harness.stress.inodes", str(times), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    yield from done.stdout.splitlines()


def _inside(times: int, seed: int) -> Iterator[str]:
    """Damage a journal that was closed, and one that was killed."""
    try:
        with loop_disk() as disk, TemporaryDirectory() as place:
            for when, killed in (("closed", False), ("killed", True)):
                files, told = evening_kept(Path(place) / when, killed=killed)
                cases = list(_cases(files, told))
                if times < WHOLE:
                    cases = cases[(seed + killed) % 5 :: max(1, len(cases) // (4 * times))]
                seen: Counter[str] = Counter()
                for case in cases:
                    seen += _tried(disk, files, told, case)
                yield (
                    f"inodes damaged in {len(cases)} ways, the program {when} before: {seen['starts']} starts, "
                    f"{seen['games']} games read, {seen['gone on']} gone on with, 0 lines lost, 0 unsaid; "
                    f"{seen['unreadable']} games with both files damaged, each said, and left out with exit status 1"
                )
    except NoLoopDisk as fault:
        yield f"no disk can be made here ({fault}): nothing was tried"


def _cases(files: Files, told: Told) -> Iterator[tuple[str, ...]]:
    """Yield the files and folders to damage together."""
    yield from ((name,) for name in files)
    yield from (("games",), ("copies",), ("damaged",))
    yield from ((f"games/{name}.jsonl", f"copies/{name}.jsonl") for name in told.games)
    yield ("settings.jsonl", "copies/settings.jsonl")
    yield ("draft.jsonl", "typed.jsonl", "index.jsonl")
    yield ("games", "copies/settings.jsonl")


def _tried(disk: LoopDisk, files: Files, told: Told, damaged: Sequence[str]) -> Counter[str]:
    """Damage some inodes, start twice, and go on with every game that can be read."""
    box = laid(disk.place / "box", files)
    (box / "damaged").mkdir(exist_ok=True)
    inodes = [os.stat(box / name).st_ino for name in damaged]
    disk.unmount()
    for inode in inodes:
        disk.flip_in_inode(inode, BYTE)
    disk.mount()
    try:
        seen = _started(box, told, damaged)
    except Exception as error:
        raise AssertionError(f"{' and '.join(damaged)}: {type(error).__name__}: {error}") from error
    finally:
        disk.unmount()
        for inode in inodes:
            disk.flip_in_inode(inode, BYTE)
        disk.mount()
        shutil.rmtree(box)
    return seen


def _started(box: Path, told: Told, damaged: Sequence[str]) -> Counter[str]:
    seen: Counter[str] = Counter()
    gone = _both(damaged) & told.games.keys()
    added: Counter[str] = Counter()
    for _start in range(2):
        with logged() as log, closing(Journal(box)) as journal:
            clock = FixedClock()
            Box(journal, Outputs(MemoryPanel(), clock), clock)
            journal.check_all()
            for name, lines in told.games.items():
                if name in gone:
                    assert any(f"Game {int(name[:6])} cannot be read" in each for each in log), f"unsaid: {log}"
                    continue
                expected = [*lines[1:], *[LINE] * added[name]]
                assert journal.lines(name) == expected, f"{name}: {len(journal.lines(name))} of {len(expected)} lines"
                journal.append(name, LINE, now=1.0, tracking="full")
                added[name] += 1
                seen["gone on"] += 1
            assert journal.unsaved() == 0, f"not saved: {journal.fault}"
            assert journal.fault is None, f"{journal.fault}"
            if "settings" not in _both(damaged):
                for setting in SETTINGS:
                    assert journal.setting(setting) == told.settings[setting][-1], f"{setting} is lost"
            _said(damaged, log)
        seen["starts"] += 1
    seen["games"] += 2 * (len(told.games) - len(gone))
    seen["unreadable"] += len(gone)
    _left_out(box, damaged)
    return seen


def _said(damaged: Sequence[str], log: list[str]) -> None:
    """Check that each file that fails was said; the log has all that the table is told."""
    for name in damaged:
        if name != "damaged":  # it is used for no file here
            assert any(_names(name, line) for line in log), f"{name} is unsaid: {log}"


def _names(name: str, line: str) -> bool:
    """Return whether a line of the log is of a file or folder."""
    stem = Path(name).stem
    words = {"games": "folder games", "copies": "folder copies", "settings": "Settings", "index": "index: "}
    word = words.get(stem) or (f"Game {int(stem[:6])}" if stem[:6].isdecimal() else "half-entered")
    return word in line


def _left_out(box: Path, damaged: Sequence[str]) -> None:
    """Check that a backup and an export say what they leave out."""
    games = [stem for stem in _both(damaged) if stem[:1].isdecimal()]
    records = ["settings"] * ("settings" in _both(damaged)) + ["draft"] * ("draft.jsonl" in damaged)
    for words, missing in (
        (["backup", "--data", str(box), str(box.parent / "all.zip")], games + records),
        (["export", "--data", str(box), "--log", "--out", str(box.parent / "logs.zip")], games),
    ):
        with logged(), redirect_stdout(StringIO()), redirect_stderr(StringIO()) as said:
            status = main(words)
        assert status == bool(missing), f"{words[0]} ended with {status}: {said.getvalue()}"
        for name in missing:
            what = f"Game {int(name[:6])}" if words[0] == "export" else name
            assert what in said.getvalue(), f"{words[0]} does not say that {name} is left out: {said.getvalue()}"


def _both(damaged: Sequence[str]) -> set[str]:
    """Return the chains of which both files are damaged."""
    stems = [Path(name).stem for name in damaged]
    return {stem for stem in stems if stems.count(stem) > 1}


if __name__ == "__main__":
    for sentence in _inside(int(sys.argv[1]), int(sys.argv[2])):
        print(sentence, flush=True)
