"""Plays the transcripts in `tests/transcripts/commands`: commands, and what each prints.

A file is about one subject. Its scenes are parted by blank lines, and each begins with a sentence:

    # A game goes on where it was left
    file header.json {"format": 1, "game": "eternity", "players": ["Aki", "Bea"]}
    $ press --new header.json 1 A3B9
    $ export --list
      2  2026-09-21 …

The indented lines are written by `make accept`: what the command prints (after `!` on standard error, `·` is an empty
line), and its status in brackets if it is not 0. Every scene is played in an empty folder; the journal is in `data`
there. What differs from run to run is left out: the ids of games are `-xxxxxxxx`.

To do: `file NAME TEXT` (`\\n` ends a line; `...WORD` stands for the file of this name in the folder
`files`), `change FILE TEXT TEXT`, `games NAME SEED ...` (finished
games, a day each; `open` is one that goes on), `copy FILE FILE`, `spoil FILE`, `cut FILE BYTES`, `remove FILE`, `folder
NAME`, `link NAME FILE`, `pipe NAME` (a name may be a pattern), `type TEXT` (what is typed at the next command; `-` is
the end at once), `use` (another program uses the journal during the next command), `after COMMAND` (unheard, without a
fault), `$ COMMAND` (only the lines with a word: `$ COMMAND | WORD`; only the last lines: `| -N`), `files PATTERN` (what
is there), `same` (whether the journal's files are as before the last command).
"""

from __future__ import annotations

import io
import logging
import os
import re
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext, redirect_stderr, redirect_stdout
from math import inf
from pathlib import Path
from typing import NamedTuple, TextIO
from unittest.mock import patch

import pytest

from companion.app.games import GameCallTimer
from companion.cli import main
from companion.core.program_log import one_line
from companion.games import GAMES
from companion.journal import Journal
from tests.accepted import accept_all, paragraphs, write_anew
from tests.app.added_games import looked_for_in
from tests.cli.finished_games import played, random_log
from tests.cli.folders import state_of

FOLDER = Path(__file__).parents[1] / "transcripts" / "commands"
NOW = 1_790_000_000.0
OPEN = b'{"format":1,"game":"hipparchus","players":["Ann","Bo"],"rules":{}}\n{"type":"start","player":0}\n'


class Scene(NamedTuple):
    """A scene of a file: its sentence, and its lines as they are written."""

    title: str
    lines: tuple[str, ...]

    def play(self) -> list[str]:
        """Play the scene; return its lines as they should be."""
        shown: list[str] = []
        with _place():
            before, typed, used = _files(), "", False
            for line in self.lines:
                if line.startswith("    "):
                    continue
                shown.append(line)
                verb, _space, rest = line.partition(" ")
                match verb:
                    case "$":
                        before = _files()
                        shown += _printed(rest, typed, used)
                        typed, used = "", False
                    case "after":
                        (*_printed_before, status) = ["", *_printed(rest, "", used=False)]
                        assert not status.startswith("    ["), f"{line}: {status}"
                    case "type":
                        typed = "" if rest == "-" else rest.replace("\\n", "\n")
                    case "use":
                        used = True
                    case "same":
                        now = _files()
                        changed = sorted(str(path) for path in {*before, *now} if before.get(path) != now.get(path))
                        shown += [f"    {_steady(name)} has changed" for name in changed] or ["    yes"]
                    case "files":
                        shown += [f"    {_steady(str(path))}" for path in sorted(Path().glob(rest))] or ["    none"]
                    case _:
                        _done(verb, shlex.split(rest) if verb != "file" else rest.split(" ", 1))
        return shown


def _files() -> dict[Path, tuple[int, bytes]]:
    return state_of("data") if Path("data").exists() else {}


@contextmanager
def _place() -> Iterator[None]:
    """Be in an empty folder for a block, in UTC, at a known time."""
    try:
        with (
            tempfile.TemporaryDirectory() as place,
            pytest.MonkeyPatch.context() as patches,
            contextmanager(looked_for_in)(Path(place), patches),
            patch("companion.cli.check_game.BETWEEN", inf),  # nothing that depends on this machine's speed
            patch("companion.app.ports.SystemClock.now", lambda _clock: NOW),
            patch.dict(os.environ, {"STATE_DIRECTORY": "data", "TZ": "UTC", "COLUMNS": "120"}),
        ):
            time.tzset()
            yield
    finally:
        time.tzset()


def _done(verb: str, words: list[str]) -> None:
    """Do something with files."""
    if verb == "games":
        logs = [OPEN if game == "open" else random_log(game, int(seed)) for game, seed in _pairs(words)]
        played(Path("data"), *logs)
        return
    name, *more = words
    for path in [*Path().glob(name)] or [Path(name)]:
        path.parent.mkdir(parents=True, exist_ok=True)
        match verb, more:
            case "file", [text]:
                begins = re.match(r"\.\.\.(\w+) ?", text)
                start = next((FOLDER / "files").glob(f"{begins[1]}.*")).read_text() if begins else ""
                path.write_text(start + text[begins.end() if begins else 0 :].replace("\\n", "\n"))
            case "copy", [target]:
                Path(target).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, Path(target, path.name) if Path(target).is_dir() else target)
            case "change", [before, after]:
                path.write_text(path.read_text().replace(before, after))
            case "cut", [count]:
                path.write_bytes(path.read_bytes().rstrip(b"\0")[: -int(count)])
            case "spoil", []:
                path.write_bytes(b"gone")
            case "remove", []:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            case "folder", []:
                path.mkdir()
            case "link", [target]:
                path.symlink_to(target)
            case "pipe", []:
                os.mkfifo(path)
            case _:
                raise ValueError(f"{verb} {words}: nobody knows what this does")


def _pairs(words: list[str]) -> Iterator[tuple[str, str]]:
    rest = iter(words)
    for word in rest:
        yield word, "" if word == "open" else next(rest)


def _printed(command: str, typed: str, used: bool) -> list[str]:
    """Run a command; return what it prints, indented, and its status."""
    written, _bar, wanted = command.partition(" | ")
    err = io.StringIO()
    log = logging.StreamHandler(err)  # as Python's last resort, which pytest leaves nothing to
    log.setLevel(logging.WARNING)
    log.setFormatter(one_line())
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:
        again = os.dup(out.fileno())  # a command that cannot go on closes its output
        status = _run(written, out, err, log, typed, used)
    with open(again, encoding="utf-8") as whole:
        whole.seek(0)
        lines = whole.read().splitlines()
    lines += [f"! {line}" for line in err.getvalue().splitlines()]
    if re.fullmatch(r"-\d+", wanted):
        lines, wanted = lines[int(wanted) :], ""
    return [f"    {_steady(line) or '·'}" for line in lines if wanted in line] + ([f"    [{status}]"] if status else [])


def _run(command: str, out: TextIO, err: TextIO, log: logging.Handler, typed: str, used: bool) -> int:
    """Run a command; return its status."""
    logging.getLogger().addHandler(log)
    with (
        closing(Journal(Path("data"))) if used else nullcontext(),
        redirect_stdout(out),
        redirect_stderr(err),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()))),
    ):
        try:
            return main([word for words in shlex.split(command) for word in _named(words)])
        except SystemExit as left:
            return int(left.code or 0)
        finally:
            out.flush()
            logging.getLogger().removeHandler(log)


def _named(word: str) -> list[str]:
    """Return the files that a word names, if it ends as the names of games do; else the word."""
    return [str(path) for path in sorted(Path().glob(word))] if word.endswith("-*") else [word]


def _steady(line: str) -> str:
    """Return a line without what differs from run to run."""
    line = re.sub(r"(\d{6}-[a-z-]+)-[0-9a-f]{8}\b", r"\1-xxxxxxxx", line.rstrip())
    line = line.replace(f"{Path.cwd()}/", "./")
    line = re.sub(r'"screen": "[0-9a-f]{64}"', '"screen": "…"', line)
    return re.sub(r": process \d+, .*?(?=; )", ": process 1", line)


def scenes(file: Path) -> list[Scene]:
    """Return the scenes of a file."""
    return [Scene(first.removeprefix("# "), tuple(lines)) for first, *lines in paragraphs(file)[1:]]


def accept(file: Path) -> bool:
    """Write a file anew, as its commands print now. Return whether it has changed."""
    head = paragraphs(file)[0]
    return write_anew(file, [head, *([f"# {scene.title}", *scene.play()] for scene in scenes(file))])


if __name__ == "__main__":
    GAMES.timer = GameCallTimer(60, 60)  # as in tests: a slow computer is no slow game
    accept_all(FOLDER, accept)
