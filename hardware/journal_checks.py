"""The doctor's checks of the journal's folder: games, second copies, damaged files. Read-only."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.history.days import local
from hardware.findings import AGAIN, Finding, Verdict, answer, locker


def games(data: Path) -> Iterator[Finding]:
    """Read every game, and report the damage that the journal finds."""
    from companion.journal import Journal, JournalError

    none = Finding(Verdict.UNKNOWN, f"Games: there are none in {data} yet.")
    if not data.exists():
        yield none
        return
    if not os.access(data, os.R_OK):
        yield Finding(Verdict.UNKNOWN, f"Games: {data} may not be read by this user.", AGAIN)
        return
    remedy = f"keep a copy of {data}; the box mends what it can while it runs, and keeps the damaged files"
    try:
        with _heard("companion.journal") as heard:
            opened = Journal(data, writes=False)
            opened.check_all()
            opened.imported()
            found = opened.games()
    except JournalError as fault:
        yield Finding(Verdict.WRONG, f"Games: {str(fault).rstrip('.')}.", remedy)
        return
    notices = tuple(map(str, opened.notices))
    for line in heard:
        wrong = line.endswith(notices)
        yield Finding(Verdict.WRONG if wrong else Verdict.UNKNOWN, f"Games: {line}.", remedy if wrong else "")
    if not found and not notices:
        yield none
    elif not notices:
        process = locker(data)
        what = f"{len(found)} in {data}, with {sum(saved.lines for saved in found)} lines, all of them sound"
        yield Finding(Verdict.OK, f"Games: {what}{f'; in use by {process}' if process else ''}.")


@contextmanager
def _heard(name: str) -> Iterator[list[str]]:
    """Collect the warnings of a package instead of logging them."""
    lines: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: lines.append(record.getMessage().removeprefix("companion: "))  # type: ignore[method-assign]
    log = logging.getLogger(name)
    log.addHandler(handler)
    propagates, log.propagate = log.propagate, False
    try:
        yield lines
    finally:
        log.removeHandler(handler)
        log.propagate = propagates


def added_games(data: Path) -> Iterator[Finding]:
    """Report added games that cannot be used; those of packages need no folder."""
    from companion.app.games import GameFinder

    for sentence in GameFinder(lambda: data).wrong():
        yield Finding(Verdict.WRONG, f"Added games: {sentence}.", "mend the file, or take it away")


def copies(data: Path) -> Iterator[Finding]:
    """Report games that have only one copy."""
    first, second = ({file.name for file in (data / kept).glob("*-*.jsonl")} for kept in ("games", "copies"))
    if first ^ second:
        counts = f"games without their second copy: {len(first - second)}; without their first: {len(second - first)}"
        remedy = "the box makes it while nobody touches it for some minutes"
        yield Finding(Verdict.UNKNOWN, f"Copies: {counts}.", remedy)


def damage(data: Path) -> Iterator[Finding]:
    """Report damaged files that were kept."""
    folder = data / "damaged"
    times = [entry.stat(follow_symlinks=False).st_ctime for entry in os.scandir(folder)] if folder.is_dir() else []
    if times:
        first = local(min(times))
        since = f", the first on {first:%Y-%m-%d}" if first else ""
        what = f"Damage: {len(times)} damaged files were set aside in {folder}{since}."
        yield Finding(Verdict.UNKNOWN, what, "if there are more each week, the card fails: copy it to another one")


def owners(data: Path) -> Iterator[Finding]:
    """Report files that belong to another user than the folder, as a command of root's may have left them."""
    owner = answer("find", str(data), "-maxdepth", "0", "-printf", "%u")
    found = answer("find", str(data), "!", "-user", owner or "", "-printf", r"%u %P\n") if owner else None
    if found:
        files = sorted(found.splitlines(), key=lambda line: line.partition(" ")[2])
        others = sorted({line.partition(" ")[0] for line in files})
        count = "1 file belongs" if len(files) == 1 else f"{len(files)} files belong"
        example = files[0].partition(" ")[2]
        what = f"{count} to {' and '.join(others)}, such as {example}; the folder {data}, to {owner}"
        yield Finding(Verdict.WRONG, f"Owners: {what}.", f"sudo chown -hR {owner}: {data}")
