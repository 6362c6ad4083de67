"""Connecting to a database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from . import schema
from .faults import code
from .files import beside, size

PATIENCE = 2.0
"""Seconds for which another program may hold the database."""


def connect(database: Path, mode: str) -> sqlite3.Connection:
    """Connect to a database: "ro" to read, "rw" also to write, "rwc" also to make it."""
    # Transactions are begun and ended in words: isolation_level None leaves them to us in every version of Python.
    connection = sqlite3.connect(
        f"{database.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=PATIENCE,
        isolation_level=None,
        check_same_thread=False,
    )
    schema.teach(connection)
    return connection


def connect_to_read(database: Path) -> sqlite3.Connection:
    """Connect to a database for reading, also where no file can be made beside it, as on a write-protected card."""
    connection = connect(database, "ro")
    try:
        number(connection, "PRAGMA user_version")
    except sqlite3.Error as error:
        connection.close()
        protected = code(error) in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
        if not protected or size(beside(database, "-wal")) > 0:
            raise
        return connect(database, "ro&immutable=1")  # all of it is in the main file, and nobody writes
    return connection


def number(connection: sqlite3.Connection, query: str) -> int:
    """Return the number that answers a query."""
    (answer,) = connection.execute(query).fetchone()
    return int(answer)
