"""Journals of every version: a newer one is refused untouched, an older one is migrated with every line kept."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from companion.app.box import Box
from companion.app.clock import StandingClock
from companion.app.front import Front
from companion.app.panel import MemoryPanel
from companion.journal import JournalFault, schema
from companion.journal.opening import open_journal, read_journal
from companion.journal.schema import MIGRATIONS

from .hands import Hands
from .kept import Kept, Witness, kept
from .rivals import companion, contents

INVENTED: tuple[tuple[str, ...], ...] = (
    ("ALTER TABLE games ADD COLUMN place TEXT NOT NULL DEFAULT 'home'", "CREATE TABLE guests (name TEXT)"),
    (
        "CREATE TABLE anew (game INTEGER NOT NULL, sequence INTEGER NOT NULL, line TEXT NOT NULL, at REAL NOT NULL, "
        "checksum INTEGER, by TEXT, PRIMARY KEY (game, sequence)) WITHOUT ROWID",
        "INSERT INTO anew SELECT game, sequence, line, at, checksum, NULL FROM lines",
        "DROP TABLE lines",
        "ALTER TABLE anew RENAME TO lines",
    ),
    ("UPDATE games SET place = 'table'", "CREATE INDEX places ON games (place)"),
)
"""Steps to versions that may come one day: a column more, a table made anew, every row changed."""

Rows = dict[str, list[tuple[object, ...]]]

ROOT = Path(__file__).parents[2]

EVER = (*MIGRATIONS, *INVENTED)

MIGRATING = """
import sys
from pathlib import Path
from companion.journal import opening, schema
from tests.torture.versions import EVER

schema.MIGRATIONS = EVER
print("ready", flush=True)
opening.open_journal(Path(sys.argv[1]), 0.0)[0].close()
"""


def games(chance: random.Random, lines: int) -> Kept:
    """Return real games, as a box keeps them, one of them half entered."""
    hands, witness = Hands(chance), Witness()
    box = Box(witness, Front(MemoryPanel(), StandingClock()), StandingClock())
    for number in range(lines):
        if number % 20 == 0:
            header = hands.deal().session(0).header
            box.begin(header, chance.choice(list(header.game.trackings)))
        hands.line(box)
    return kept(witness)


def made(folder: Path, version: int, what: Kept, chance: random.Random) -> Rows:
    """Make a journal of a version, as a program of that time left it: ended in order, or killed; return its rows.

    It is written in the tables of the first version, and then led on from step to step.
    """
    was = folder / "was"
    was.mkdir(parents=True)
    connection = sqlite3.connect(was / "journal.db", isolation_level=None)
    schema.teach(connection)
    for pragma in (f"page_size = {schema.PAGE}", "journal_mode = WAL", f"application_id = {schema.APPLICATION}"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    connection.execute("BEGIN")
    for statement in EVER[0]:
        connection.execute(statement)
    for number, game in enumerate(what.games, start=1):
        row = (number, game.header, game.tracking, int(game.over), chance.uniform(-1e9, 1e10))
        connection.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", row)
        lines = ((number, place, line, chance.uniform(0, 1e10)) for place, line in enumerate(game.lines, start=1))
        connection.executemany("INSERT INTO lines VALUES (?, ?, ?, ?)", lines)
    settings: list[tuple[str, object]] = [(f"chosen {name}", value) for name, value in what.settings]
    settings += [("draft", f"{game}.{len(what.games[game - 1].lines)}/{draft}") for game, draft in what.drafts]
    settings += [("open_game", what.open_game)]
    connection.executemany("INSERT INTO setting VALUES (?, ?)", settings)
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.execute("BEGIN")
    for statement in (one for each in EVER[1:version] for one in each):
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute("COMMIT")
    if chance.random() < 0.5:  # killed: not all is gathered in the main file
        copied(was, folder / "journal")
    connection.close()
    if not (folder / "journal").exists():
        copied(was, folder / "journal")
    shutil.rmtree(was)
    return rows(folder / "journal")


def rows(place: Path) -> Rows:
    """Return every row of a journal, read by SQLite alone: what stands in it whatever its version."""
    with closing(sqlite3.connect(f"{(place / 'journal.db').as_uri()}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return {
            "games": connection.execute("SELECT number, header, tracking, over, begun FROM games").fetchall(),
            "lines": connection.execute("SELECT game, sequence, line, at FROM lines").fetchall(),
            "setting": connection.execute("SELECT name, value FROM setting").fetchall(),
        }


def copied(folder: Path, to: Path) -> None:
    """Copy a journal's files as they are: what a disk holds when the power goes."""
    to.mkdir(parents=True)
    for name in ("journal.db", "journal.db-wal"):
        if (folder / name).exists():
            shutil.copyfile(folder / name, to / name)


def refuse(folder: Path, chance: random.Random, processes: bool) -> Counter[str]:
    """Have every command meet a journal of a later version: a sentence, and no byte is changed."""
    seen: Counter[str] = Counter()
    made(folder, len(MIGRATIONS), games(chance, 10), chance)
    place = folder / "journal"
    version = len(MIGRATIONS) + chance.choice([1, 2, 3, 100, 2**31 - 1 - len(MIGRATIONS)])
    with closing(sqlite3.connect(place / "journal.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("CREATE TABLE unheard_of (x)")
        connection.execute(f"PRAGMA user_version = {version}")
        copied(place, folder / "killed")
    place = chance.choice([place, folder / "killed"])
    (place / "journal.lock").touch()
    before = contents(place)
    for words in (("press", "-"), ("press", "1"), ("simulate", "--port", "0"), ("export",))[: 4 if processes else 1]:
        answer = companion(words[0], "--data", str(place), *words[1:])
        assert (answer.returncode, answer.stdout) == (1, ""), answer
        assert answer.stderr == (
            f"companion: the journal in {place} is of a later version of the companion: it has format {version}, "
            f"this one knows up to {len(MIGRATIONS)}\n"
        ), answer.stderr
        assert contents(place) == before, f"{words[0]} changed a journal of a later version"
        seen["newer"] += 1
    return seen


class Watched(tuple[str, ...]):
    """Statements of a step, something being done before each and after the last."""

    watch: Callable[[], None]

    def __iter__(self) -> Iterator[str]:
        """Yield them."""
        for statement in super().__iter__():
            self.watch()
            yield statement
        self.watch()


def watched(copy: Callable[[], None]) -> tuple[Watched, ...]:
    """Return all steps there ever were, something being done between any two statements."""
    steps = tuple(map(Watched, EVER))
    for step in steps:
        step.watch = copy
    return steps


def migrate(folder: Path, chance: random.Random) -> Counter[str]:
    """Bring a journal of an older version up to date, the power being cut after any statement of that."""
    what, version = games(chance, 25), chance.randrange(1, len(EVER))
    before = made(folder, version, what, chance)
    place, seen, cuts = folder / "journal", Counter[str](), list[Path]()

    def cut() -> None:
        """Copy what is on the disk now, unless it is what was there before."""
        seen["cuts"] += 1
        if not cuts or contents(place) != contents(cuts[-1]):
            cuts.append(folder / f"cut-{len(cuts)}")
            copied(place, cuts[-1])

    with patch.object(schema, "MIGRATIONS", EVER):
        _is_left_alone(place)
    with patch.object(schema, "MIGRATIONS", watched(cut)):
        _is_up_to_date(place, what, before)
    for one in cuts:
        assert (_version(one), rows(one)) == (version, before), f"cut off, the step from {version} lost something"
        with patch.object(schema, "MIGRATIONS", EVER):
            _is_up_to_date(one, what, before)
    return seen + Counter(older=1, migrated=sum(len(game.lines) for game in what.games))


def _is_left_alone(place: Path) -> None:
    """Read a journal of an older version, which is for a program to bring up to date that may write."""
    before = contents(place)
    try:
        read_journal(place)
    except JournalFault as fault:
        if "is of an earlier version" not in str(fault):
            raise AssertionError(str(fault)) from fault
    else:
        raise AssertionError("a reader took a journal of an earlier version for one of today")
    assert contents(place) == before, "a reader changed a journal of an earlier version"


def _is_up_to_date(place: Path, what: Kept, before: Rows) -> None:
    """Open a journal, which must be of the latest version then and hold what it held."""
    journal, notice = open_journal(place, 0.0)
    with closing(journal):
        assert notice is None, notice
        found = kept(journal)
    assert found == what, found.unlike(what)
    assert _version(place) == len(schema.MIGRATIONS)
    assert rows(place) == before, "a row was changed"


def _version(place: Path) -> int:
    """Return the version a journal says it is of."""
    with closing(sqlite3.connect(f"{(place / 'journal.db').as_uri()}?mode=ro", uri=True)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        return int(version)


def kill(folder: Path, chance: random.Random) -> Counter[str]:
    """Kill -9 a program that brings a journal up to date, until one of them is faster."""
    what, version = games(chance, 25), chance.randrange(1, len(EVER))
    before = made(folder, version, what, chance)
    place, seen = folder / "journal", Counter[str]()
    for patience in range(6):
        with subprocess.Popen(
            [sys.executable, "-c", MIGRATING, str(place)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        ) as program:
            assert program.stdout is not None
            assert program.stdout.readline() == "ready\n"
            time.sleep(chance.random() * 0.004 * (1 + patience))
            program.kill()
        seen["killed"] += 1
        reached = _version(place)
        assert reached in (version, len(EVER)), f"half way, at {reached}"
        assert rows(place) == before, f"killed, the step from {version} lost something"
        if reached == len(EVER):
            break
    with patch.object(schema, "MIGRATIONS", EVER):
        _is_up_to_date(place, what, before)
    return seen
