"""The journal's tables, the way to them from every earlier version, and the checksum that each row bears.

A row's checksum covers everything in it: a byte that changed on the disk is told from what people entered.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any

PAGE = 4096
APPLICATION = int.from_bytes(b"TblC", "big")
"""Stands in the database's header, so that no other program's file is taken for a journal."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE games (
            number INTEGER PRIMARY KEY,
            header TEXT NOT NULL,
            tracking TEXT NOT NULL,
            over INTEGER NOT NULL DEFAULT 0 CHECK (over IN (0, 1)),
            begun REAL NOT NULL
        )""",
        """CREATE TABLE lines (
            game INTEGER NOT NULL REFERENCES games,
            sequence INTEGER NOT NULL CHECK (sequence > 0),
            line TEXT NOT NULL,
            at REAL NOT NULL,
            PRIMARY KEY (game, sequence)
        ) WITHOUT ROWID""",
        "CREATE TABLE setting (name TEXT PRIMARY KEY, value) WITHOUT ROWID",
    ),
    (
        "ALTER TABLE games ADD COLUMN checksum INTEGER",
        "ALTER TABLE lines ADD COLUMN checksum INTEGER",
        "ALTER TABLE setting ADD COLUMN checksum INTEGER",
        "UPDATE games SET checksum = game_checksum(number, header, tracking, over, begun)",
        "UPDATE lines SET checksum = line_checksum(game, sequence, line, at)",
        "UPDATE setting SET checksum = setting_checksum(name, value)",
    ),
)
"""Statements that lead from each version of the schema to the next, the first from nothing to 1.

What has been released is never edited: a change is one more entry at the end. Each changes the columns of a
table: by that a later version is told from a damaged number.
"""

GAMES = "SELECT number, header, tracking, over, begun, checksum FROM games"
LINES = "SELECT game, sequence, line, at, checksum FROM lines"
SETTINGS = "SELECT name, value, checksum FROM setting"


def of_game(number: int, header: str, tracking: str, over: int, begun: float) -> int:
    """Return the checksum of a row of ``games``."""
    return _checksum(number, header, tracking, over, begun + 0.0)  # SQLite knows no -0.0, and keeps 3.0 as 3


def of_line(game: int, sequence: int, line: str, at: float) -> int:
    """Return the checksum of a row of ``lines``."""
    return _checksum(game, sequence, line, at + 0.0)


def of_setting(name: str, value: int | str) -> int:
    """Return the checksum of a row of ``setting``."""
    return _checksum(name, value)


def _checksum(*values: object) -> int:
    return zlib.crc32("\x1f".join(str(value) for value in values).encode())


def teach(connection: sqlite3.Connection) -> None:
    """Give a connection that is to write the functions that its statements call."""
    connection.create_function("game_checksum", 5, of_game, deterministic=True)
    connection.create_function("line_checksum", 4, of_line, deterministic=True)
    connection.create_function("setting_checksum", 2, of_setting, deterministic=True)


def migrate(connection: sqlite3.Connection, to: int | None = None) -> None:
    """Lead a database, also a blank one, to the schema of a version, else of today; for use in a transaction."""
    to = len(MIGRATIONS) if to is None else to
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == to:
        return
    for statement in (one for each in MIGRATIONS[version:to] for one in each):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {to}")


def is_as_in(version: int, connection: sqlite3.Connection) -> bool:
    """Tell whether the tables of a database are those of a version."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as blank:
        teach(blank)
        migrate(blank, version)
        return _columns(blank) == _columns(connection)


def has_its_tables(connection: sqlite3.Connection) -> bool:
    """Tell whether the tables of a database of today are defined as they were made, to the letter."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as blank:
        teach(blank)
        migrate(blank)
        return _definitions(blank) <= _definitions(connection)


def _definitions(connection: sqlite3.Connection) -> set[str]:
    """Return the statements that made what is in a database, without what versions of SQLite differ in."""
    rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {"".join(sql.split()).replace('"', "") for (sql,) in rows}


def _columns(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    return set(
        connection.execute(
            "SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns"
        )
    )


def set_value(connection: sqlite3.Connection, name: str, value: int | str) -> None:
    """Write a setting down."""
    connection.execute(
        """INSERT INTO setting (name, value, checksum) VALUES (?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET value = excluded.value, checksum = excluded.checksum""",
        (name, value, of_setting(name, value)),
    )


def seal(connection: sqlite3.Connection, game: int) -> None:
    """Bring the checksum of a row of ``games`` up to date; one that is right already costs no page."""
    connection.execute(
        "UPDATE games SET checksum = game_checksum(number, header, tracking, over, begun) WHERE number = ?", (game,)
    )


def all_sound(rows: Iterable[tuple[Any, ...]], checksum: Callable[..., int]) -> bool:
    """Tell whether rows bear the right checksums, each in its last column."""
    try:
        return all(checksum(*row[:-1]) == row[-1] for row in rows)
    except TypeError:  # a value of another kind than was written
        return False


def lines_of(connection: sqlite3.Connection, game: int) -> list[str] | None:
    """Return a game's lines, in order; None where one of them is damaged or missing."""
    rows = connection.execute(f"{LINES} WHERE game = ? ORDER BY sequence", (game,)).fetchall()
    whole = all_sound(rows, of_line) and all(row[1] == number for number, row in enumerate(rows, start=1))
    return [row[2] for row in rows] if whole else None
