"""The program as a process, with invalid environment, input, files and arguments."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.waiting import LAST_RESORT

from .log_inputs import dealt, spoilt_log
from .text_outcomes import Tally

PATHS = ["", ":", ":/", "relative", "/dev/null", "/dev/null/x", "/proc/1", "x" * 300, "a\nb", "\udcff\udcfe", "~", "%n"]
LANGUAGES = ["", "C", "POSIX", "xx", "ja_JP.SJIS", "en_US.UTF-8", "fr_FR@euro", "\udcff", "x" * 3000, "../../etc"]
ENCODINGS = ["", "ascii", "latin-1", "utf-8:strict", "shift_jis", "cp437:strict"]
WATCHDOGS = ["", "1", "-1", "soon", "9" * 30, "9" * 5000, "1e9", "\udcff", "٣"]
SOCKETS = ["", "/", "@", "/dev/null", "x", "/" + "y" * 300, "@" + "z" * 300, "/\udcff", "vsock:1:2"]
NUMBERS = ["", "-1", "x", "0", "9" * 5000, "\udcff"]


def _environment(chance: Random, home: str) -> dict[str, str]:
    """Return an environment with some unusual or invalid values, and a separate home."""
    environment = {name: value for name, value in os.environ.items() if name in ("PATH", "LD_LIBRARY_PATH")}
    choices = {
        "LANG": LANGUAGES,
        "LC_ALL": LANGUAGES,
        "PYTHONIOENCODING": ENCODINGS,
        "STATE_DIRECTORY": PATHS,
        "XDG_DATA_HOME": PATHS,
        "COLUMNS": NUMBERS,
        "TZ": [*LANGUAGES, "Mars/Olympus", ":" * 99],
        "WATCHDOG_USEC": WATCHDOGS,
        "WATCHDOG_PID": NUMBERS,
        "NOTIFY_SOCKET": SOCKETS,
    }
    environment |= {name: chance.choice(values) for name, values in choices.items() if chance.random() < 0.5}
    return environment | {"HOME": home, "PYTHONPATH": str(Path(__file__).parents[3])}


def _run(words: Sequence[str], environment: dict[str, str], folder: str, given: bytes) -> str | None:
    """Run a command; return its error message, or None if it works."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "companion", *words],
        env=environment,
        cwd=folder,
        input=given,
        capture_output=True,
        check=False,
        timeout=LAST_RESORT,
    )
    said = done.stderr.decode("utf-8", "replace")
    assert done.returncode in (0, 1, 2), f"status {done.returncode}: {said[-300:]}"
    assert "Traceback" not in said, f"a trace: {said[-600:]}"
    if done.returncode == 0:
        return None
    assert said.startswith(("companion: ", "-:", "usage: ")), f"{said[:300]!r}"
    return said.splitlines()[-1]


def processes(times: int, seed: int) -> str:
    """Run commands in invalid environments."""
    tally, games = Tally("processes run in environments of junk"), dealt(seed)
    for number in range(times):
        chance = Random(f"process {seed} {number}")
        log = spoilt_log(chance, games)
        keys = bytes(chance.choices(b"12A#*h0\n \x00\xff\xed\xa0\x80\r", k=60))
        with TemporaryDirectory() as folder:
            file = Path(folder) / "file"
            words, content, given = chance.choice(
                [
                    (["replay", "-"], b"", log),
                    (["keys", "-"], b"", log),
                    (["press", "-"], b"", keys),
                    (["press", "--new", "file", "-"], log.split(b"\n")[0], keys),
                    (["press", "--new", "file", "--text", "1A"], log, b""),
                    (["press", "--text", keys.decode("utf-8", "surrogateescape").replace("\x00", "")], b"", b""),
                    (["export"], b"", b""),
                    (["export", keys.decode("ascii", "ignore").replace("\x00", "")], b"", b""),
                    (["simulate", "--port", "99999"], b"", b""),
                ]
            )
            file.write_bytes(content)
            environment = _environment(chance, folder)
            text = repr((words, environment, given))
            tally.judge(text, number, partial(_run, words, environment, folder, given))
    return str(tally)
