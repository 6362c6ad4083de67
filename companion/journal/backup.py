"""The backup beside the journal: a small copy of the latest games, for the day the journal cannot be read."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from . import files, schema
from .faults import damage
from .files import BACKUP, DATABASE
from .schema import PAGE

KEPT = 128_000
"""About how many bytes of games are copied, the latest first; the one on the table is copied whatever its length."""

Counts = dict[int, tuple[str, float, int]]
"""The header of each game, when it was begun, and how many lines it has, by its number."""

_OF_A_LINE = 24  # bytes that a line takes besides its text


def write(folder: Path) -> None:
    """Copy the settings and the latest games of a journal that is open, in the place of the backup before.

    Raises:
        sqlite3.Error: The journal cannot be read, or the copy not be written; the one before is still there.
        OSError: As above.
    """
    new = folder / f"{BACKUP}.new"
    with closing(sqlite3.connect(":memory:", uri=True, isolation_level=None)) as copy:
        _fill(copy, folder / DATABASE)
        try:
            files.make_anew(new)
            with closing(sqlite3.connect(new, isolation_level=None)) as file:
                file.execute("PRAGMA journal_mode = OFF")  # it is nobody's backup before it is whole
                file.execute("PRAGMA synchronous = OFF")
                copy.backup(file)
            files.put(new, folder / BACKUP)
        except BaseException:
            new.unlink(missing_ok=True)  # a disk that is full has no room for half a copy
            raise


def _fill(copy: sqlite3.Connection, database: Path) -> None:
    """Copy what matters most of a journal into a blank database."""
    copy.execute(f"PRAGMA page_size = {PAGE}")
    schema.teach(copy)
    schema.migrate(copy)
    copy.execute("ATTACH ? AS journal", (f"{database.absolute().as_uri()}?mode=ro",))
    copy.execute("BEGIN")
    copy.execute("DELETE FROM setting")
    copy.execute("INSERT INTO setting SELECT * FROM journal.setting")
    for game in _games(copy):
        copy.execute("INSERT INTO games SELECT * FROM journal.games WHERE number = ?", (game,))
        copy.execute("INSERT INTO lines SELECT * FROM journal.lines WHERE game = ?", (game,))
    copy.execute("COMMIT")
    if not (
        schema.all_sound(copy.execute(schema.GAMES), schema.of_game)
        and schema.all_sound(copy.execute(schema.LINES), schema.of_line)
        and schema.all_sound(copy.execute(schema.SETTINGS), schema.of_setting)
    ):
        raise damage("a row of the journal")  # the copy before has it, perhaps, as it was


def _games(copy: sqlite3.Connection) -> list[int]:
    """Return which games to copy."""
    numbers = [number for (number,) in copy.execute("SELECT number FROM journal.games ORDER BY number DESC")]
    opened = copy.execute("SELECT value FROM journal.setting WHERE name = 'open_game'").fetchone()
    numbers.sort(key=lambda number: opened is not None and number == opened[0], reverse=True)
    chosen: list[int] = []
    room = KEPT
    for number in numbers:
        (size,) = copy.execute(
            "SELECT COALESCE(SUM(LENGTH(line) + ?), 0) FROM journal.lines WHERE game = ?", (_OF_A_LINE, number)
        ).fetchone()
        room -= size
        if chosen and room < 0:
            break
        chosen.append(number)
    return chosen


def lines_by_game(connection: sqlite3.Connection) -> Counts:
    """Return which games are in an open journal, and how long they are."""
    rows = connection.execute(
        "SELECT number, header, begun, COALESCE((SELECT MAX(sequence) FROM lines WHERE game = number), 0) FROM games"
    )
    return {number: (header, begun, lines) for number, header, begun, lines in rows}


def knows_more(backup: Counts, journal: Counts) -> bool:
    """Tell whether a backup has lines that its journal has lost; a backup of another journal has none."""
    both = backup.keys() & journal.keys()
    same = (bool(both) or not journal) and all(backup[game][:2] == journal[game][:2] for game in both)
    return same and any(game not in journal or backup[game][2] > journal[game][2] for game in backup)
