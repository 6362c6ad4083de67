"""The doctor's checks of the journal's folder: games, second copies, damaged files. Read-only."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from companion.history.days import local
from hardware.findings import AGAIN, Finding, Verdict
from hardware.system_probes import SystemProbes


def journal(machine: SystemProbes, data: Path) -> Iterator[Finding]:
    """Check the journal's folder and every game in it, without changing anything."""
    if not machine.may_read(data):
        yield Finding(Verdict.UNKNOWN, f"Games: {data} may not be read by this user.", AGAIN)
        return
    if not data.exists():
        yield Finding(Verdict.UNKNOWN, f"Games: there are none in {data} yet.")
        yield from _game_files(data)
        return
    if not machine.may_write(data):
        remedy = f"if it is not another user's, sudo chown -R $USER {data}"
        yield Finding(Verdict.UNKNOWN, f"Games: {data} may not be written by this user.", remedy)
    try:
        yield from _games(machine, data)
        yield from _game_files(data)
        yield from _copies(data)
        yield from _set_aside(data)
        yield from _owners(machine, data)
    except OSError as error:
        yield Finding(Verdict.UNKNOWN, f"Games: {error.filename} cannot be read: {error.strerror}.", AGAIN)


def _games(machine: SystemProbes, data: Path) -> Iterator[Finding]:
    """Read every game, and report the damage that the journal finds."""
    from companion.journal import Journal, JournalError

    remedy = f"keep a copy of {data}; the box mends what it can while it runs, and keeps the damaged files"
    try:
        with _heard("companion.journal") as heard:
            opened = Journal(data, writes=False)
            opened.check_all()
            opened.imported()
            games = opened.games()
    except JournalError as fault:
        yield Finding(Verdict.WRONG, f"Games: {str(fault).rstrip('.')}.", remedy)
        return
    notices = tuple(map(str, opened.notices))
    for line in heard:
        wrong = line.endswith(notices)
        yield Finding(Verdict.WRONG if wrong else Verdict.UNKNOWN, f"Games: {line}.", remedy if wrong else "")
    if not games and not notices:
        yield Finding(Verdict.UNKNOWN, f"Games: there are none in {data} yet.")
    elif not notices:
        process = machine.locker(data)
        what = f"{len(games)} in {data}, with {sum(saved.lines for saved in games)} lines, all of them sound"
        yield Finding(Verdict.OK, f"Games: {what}{f'; in use by {process}' if process else ''}.")


def _game_files(data: Path) -> Iterator[Finding]:
    """Report added games that cannot be used; those of packages need no folder."""
    from companion.app.games import GameFinder

    for sentence in GameFinder(lambda: data).wrong():
        yield Finding(Verdict.WRONG, f"Added games: {sentence}.", "mend the file, or take it away")


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


def _copies(data: Path) -> Iterator[Finding]:
    """Report games that have only one copy."""
    first, second = ({file.name for file in (data / kept).glob("*-*.jsonl")} for kept in ("games", "copies"))
    if first ^ second:
        counts = f"games without their second copy: {len(first - second)}; without their first: {len(second - first)}"
        yield Finding(
            Verdict.UNKNOWN, f"Copies: {counts}.", "the box makes it while nobody touches it for some minutes"
        )


def _set_aside(data: Path) -> Iterator[Finding]:
    """Report damaged files that were kept."""
    folder = data / "damaged"
    times = [entry.stat(follow_symlinks=False).st_ctime for entry in os.scandir(folder)] if folder.is_dir() else []
    if times:
        first = local(min(times))
        since = f", the first on {first:%Y-%m-%d}" if first else ""
        what = f"Damage: {len(times)} damaged files were set aside in {folder}{since}."
        yield Finding(Verdict.UNKNOWN, what, "if there are more each week, the card fails: copy it to another one")


def _owners(machine: SystemProbes, data: Path) -> Iterator[Finding]:
    """Report files that belong to another user than the folder, as a command of root's may have left them."""
    owner, others, names = machine.owner(data), set(), []
    for folder, below, files in os.walk(data):
        for name in (*below, *files):
            path = Path(folder, name)
            with suppress(FileNotFoundError):  # the box has just removed it
                if machine.owner(path) != owner:
                    others.add(machine.owner(path))
                    names.append(str(path.relative_to(data)))
    if names:
        count = "1 file belongs" if len(names) == 1 else f"{len(names)} files belong"
        what = (
            f"Owners: {count} to {' and '.join(sorted(others))}, such as {min(names)}; the folder {data}, to {owner}."
        )
        yield Finding(Verdict.WRONG, what, f"sudo chown -hR {owner}: {data}")
