"""The hub's database: connections and migrations."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
from yoyo import get_backend, read_migrations

MIGRATIONS = Path(__file__).parent / "migrations"

Connection = psycopg.Connection[tuple[Any, ...]]


def connect(address: str) -> Connection:
    """Connect to a database, such as ``postgresql://club@127.0.0.1:5432/club``.

    Raises:
        psycopg.OperationalError: It does not answer.
    """
    return psycopg.connect(address, application_name="tabletop-companion", connect_timeout=10)


def migrate(address: str) -> list[str]:
    """Bring the tables up to date; return the names of the migrations that were applied."""
    scheme, *rest = urlsplit(address)
    backend = get_backend(urlunsplit((f"{scheme}+psycopg", *rest)))
    try:
        with backend.lock():
            wanted = backend.to_apply(read_migrations(str(MIGRATIONS)))
            backend.apply_migrations(wanted)
            return [migration.id for migration in wanted]
    finally:
        backend.connection.close()
