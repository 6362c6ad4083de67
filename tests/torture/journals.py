"""Journals to be damaged: real games written line by line, as their files stood when the power went."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.games import GAMES
from companion.journal import JournalFault
from companion.journal.opening import Notice, open_journal
from companion.journal.sqlite import SqliteJournal
from tests.games.seeds import deal

FILES = ("journal.db", "journal.db-wal", "journal.db-shm", "journal-backup.db")


@dataclass(slots=True)
class Truth:
    """What was answered as saved.

    Attributes:
        headers: The header of each game, in order.
        lines: The lines of each game.
        last: How many lines the last transaction brought.
        rosters: Every value that was ever chosen for a setting.
    """

    headers: list[str] = field(default_factory=list)
    lines: list[list[str]] = field(default_factory=list)
    last: int = 0
    rosters: set[str | None] = field(default_factory=lambda: {None})

    @property
    def total(self) -> int:
        """Return how many lines there are."""
        return sum(map(len, self.lines))


@dataclass(frozen=True, slots=True)
class Files:
    """A journal's files as the disk held them, and what had been answered as saved."""

    content: dict[str, bytes]
    truth: Truth

    def lay(self, folder: Path, *without: str) -> None:
        """Write the files in a new folder, but for some."""
        folder.mkdir()
        for name, content in self.content.items():
            if name not in without:
                (folder / name).write_bytes(content)


def written(chance: random.Random, games: int) -> Files:
    """Write games, the power going at some moment; on some evenings the box was switched on anew in between."""
    truth = Truth()
    with memory() as place:
        folder = place / "box"
        journal, _ = open_journal(folder, 0.0)
        for number in range(1, games + 1):
            if chance.random() < 0.3:
                if chance.random() < 0.5:
                    journal.close()
                    journal, notice = open_journal(folder, 0.0)
                else:
                    content = taken(folder)
                    journal.close()
                    shutil.rmtree(folder)
                    Files(content, truth).lay(folder)
                    journal, notice = open_journal(folder, 0.0)
                assert notice is None, notice
            _write_game(journal, truth, number, chance)
        content = taken(folder)
        journal.close()
        if chance.random() < 0.3:
            content = taken(folder)
            truth.last = 0
    return Files(content, truth)


def _write_game(journal: SqliteJournal, truth: Truth, number: int, chance: random.Random) -> None:
    dealt = deal(chance.choice(sorted(GAMES)), chance.getrandbits(32))
    header, lines = json.dumps(dealt.header), [json.dumps(line) for line in dealt.lines]
    assert journal.begin(header, "full", float(number)) == number
    journal.leave_in(number)
    truth.headers.append(header)
    truth.lines.append([])
    there = truth.lines[-1]
    while len(there) < len(lines):
        some = lines[len(there) : len(there) + chance.choice([1, 1, 1, 1, 1, 1, 3])]
        journal.append_all(number, len(there) + 1, some, len(there) + len(some) == len(lines), float(len(there)))
        there += some
        truth.last = len(some)
        if chance.random() < 0.1:
            journal.keep_draft(number, "12")
            truth.last = 0
        if chance.random() < 0.05:
            roster = str(chance.random())
            journal.keep_setting("roster", roster)
            truth.rosters.add(roster)
            truth.last = 0
        if chance.random() < 0.08:
            journal.back_up()
    if chance.random() < 0.5:
        journal.leave_in(None)
        journal.back_up()
        truth.last = 0


def taken(folder: Path) -> dict[str, bytes]:
    """Return a journal's files as they are now."""
    return {name: (folder / name).read_bytes() for name in FILES if (folder / name).exists()}


@dataclass(frozen=True, slots=True)
class Opened:
    """What a start found.

    Attributes:
        notice: What was said at the opening.
        games: How many games there are.
        lines: How many lines there are of the games, by their number.
        faults: How many games could not be read.
    """

    notice: Notice | None
    games: int
    lines: dict[int, int]
    faults: int

    @property
    def total(self) -> int:
        """Return how many lines there are."""
        return sum(self.lines.values())


def started(folder: Path, truth: Truth) -> Opened:
    """Open a journal, which must succeed, and compare what is in it with what was saved once."""
    try:
        journal, notice = open_journal(folder, 0.0)
    except JournalFault as fault:
        raise AssertionError(f"no start: {fault}") from fault
    with closing(journal):
        lines, faults = {}, 0
        for saved in journal.games():
            assert saved.header == truth.headers[saved.number - 1], f"game {saved.number} has another header"
            try:
                found = journal.lines(saved.number)
            except JournalFault:
                faults += 1
                continue
            there = truth.lines[saved.number - 1]
            assert found == there[: len(found)], f"game {saved.number} is not as it was entered"
            lines[saved.number] = len(found)
        assert journal.setting("roster") in truth.rosters, "a setting is not as it was chosen"
        with suppress(JournalFault):  # where it is damaged itself
            journal.draft(journal.open_game() or 1)
    return Opened(notice, len(lines) + faults, lines, faults)


def settled(folder: Path, truth: Truth) -> Opened:
    """Open a journal as often as it takes: once more, where damage was met only in reading a game."""
    opened = started(folder, truth)
    return started(folder, truth) if opened.faults else opened


def used(folder: Path) -> None:
    """Go on in a journal as a box does, and see that the next start finds all of that and has nothing to say."""
    journal, notice = open_journal(folder, 0.0)
    with closing(journal):
        assert notice is None, f"said again: {notice.details}" if notice else ""
        number = journal.begin("another", "full", 0.0)
        for saved in journal.games()[:2]:
            journal.append(saved.number, saved.lines + 1, "goes on", False, 0.0)
        journal.leave_in(number)
        journal.back_up()
        games = journal.games()
    journal, notice = open_journal(folder, 0.0)
    with closing(journal):
        assert notice is None, f"said again: {notice.details}" if notice else ""
        assert journal.games() == games
        assert journal.lines(number) == ["goes on"]


@contextmanager
def memory() -> Iterator[Path]:
    """Give a folder that is gone afterwards: in memory, where that can be."""
    place = Path("/dev/shm")
    with TemporaryDirectory(dir=place if place.is_dir() else None) as folder:
        yield Path(folder)
