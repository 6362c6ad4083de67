"""The wear of the card: bytes written to an ext4 of its own for each entry, at a human pace.

The program is the real one, and keeps typed keys in a runtime folder in memory, as the service does. The file system is
mounted as the service mounts it, and once as it is without that. Nothing else should call sync meanwhile: each call
costs some blocks.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.cli.log_to_keys import LogToKeys
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import decode_line
from tests.games.seeds import deal
from tests.journal.folders import memory

from .loop_disk import NoLoopDisk, loop_disk
from .loop_disk import run as run_program

SCRIPT = Path(__file__).parents[3] / "systemd" / "fewer-writes.sh"
PACE = 3.0
"""Seconds from one entry to the next: that of a quick table."""

SETTLED = 35.0
"""Seconds after which the system has written back the copy of the last entries."""

LIMIT = 6 * 1024
"""The most bytes written for an entry, everything included, on an idle machine."""

ENOUGH = 60
"""The number of entries from which the limit holds: the first ones write what later ones need not."""


def run(times: int, seed: int) -> Iterator[str]:
    """Enter so many entries on each file system at the same time; few are entered without a pause."""
    found = re.search(r"-o \"remount,(\S+?),", SCRIPT.read_text("utf-8"))
    assert found is not None, "the service does not mount the file system"
    mounts = [found[1], "defaults"]
    try:
        with ThreadPoolExecutor(len(mounts)) as all_at_once:
            written = list(all_at_once.map(partial(_written, times, seed), mounts))
    except NoLoopDisk as fault:
        yield f"no disk can be made here ({fault}): nothing was tried"
        return
    told = ", ".join(f"{each:,.0f} mounted with {options}" for options, each in zip(mounts, written, strict=True))
    pace = f"one every {PACE:.0f} s" if times >= ENOUGH else "without a pause"
    yield f"{times} entries, {pace}, Linux {os.uname().release}: bytes an entry, everything included: {told}"
    assert times < ENOUGH or written[0] <= LIMIT, f"an entry writes {written[0]:,.0f} bytes"


def _written(entries: int, seed: int, options: str) -> float:
    """Return the bytes that an entry writes to a disk."""
    human = entries >= ENOUGH
    with loop_disk(options, 256) as disk, memory() as runtime, TemporaryDirectory() as folder:
        game = deal("eternity", seed, coarse=0.0, edits=0.0, stop=0.0, misplay=0.0, most_rounds=9)
        assert len(game.lines) > entries, f"the game has {len(game.lines)} entries"
        session = game.session(0)
        header = Path(folder, "header.json")
        header.write_text(session.header.written, encoding="utf-8")
        words = ["press", "--data", f"{disk.place}/box", "--new", str(header), "--tracking", "full", "-"]
        program = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "RUNTIME_DIRECTORY": str(runtime)},
        )
        with program:
            keys = list(_keys(session, game.lines[: entries + 1]))
            _press(program, "")
            _press(program, keys[0])
            run_program("sync", "--file-system", str(disk.place))
            before = disk.written()
            for each in keys[1:]:
                _press(program, each)
                time.sleep(PACE * human)
            time.sleep(SETTLED * human)
            run_program("sync", "--file-system", str(disk.place))
            written = disk.written() - before
    return written / entries


def _keys(session: Session, lines: list[dict[str, object]]) -> Iterator[str]:
    spelling = LogToKeys(session, DetailLevel.FULL)
    for line in lines:
        yield spelling.spell(decode_line(json.dumps(line), session.header))


def _press(program: subprocess.Popen[str], keys: str) -> None:
    assert program.stdin is not None
    assert program.stdout is not None
    program.stdin.write(keys + "\n")
    program.stdin.flush()
    assert program.stdout.readline(), "the program has ended"
