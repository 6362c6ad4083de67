"""The hub's database: connections, migrations, and work for the pages in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import psycopg
from yoyo import get_backend, read_migrations

from companion.web.error_answers import RequestError

MIGRATIONS = Path(__file__).parent / "migrations"

Connection = psycopg.Connection[tuple[Any, ...]]
T = TypeVar("T")


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


class PageDatabase:
    """Works on the database for requests, one after the other, in one thread and on one connection.

    A lost connection is made anew before the next work; no work is done twice.

    Args:
        address: The address of the database.
        most: How many requests may wait.
    """

    def __init__(self, address: str, most: int) -> None:
        self._address, self._thread, self._most, self._waiting = address, ThreadPoolExecutor(1), most, 0
        self._connection: Connection | None = None

    async def ask(self, work: Callable[[Connection], T]) -> T:
        """Return what a function makes of the connection.

        Raises:
            psycopg.OperationalError: The database does not answer. Whether a change was stored is not known.
            RequestError: Too many requests wait.
        """
        if self._waiting >= self._most:
            raise RequestError(503, "Too much is asked at once: try again in a few seconds.", again=5)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, lambda: work(self._open()))
        finally:
            self._waiting -= 1

    def _open(self) -> Connection:
        """Return a connection that has just answered."""
        if self._connection is not None:
            try:
                self._connection.execute("SELECT 1")
                return self._connection
            except psycopg.OperationalError:
                self._connection.close()
                self._connection = None
        connection = connect(self._address)
        connection.autocommit = True  # work begins its own transactions
        self._connection = connection
        return connection

    def close(self) -> None:
        """Finish the work that has begun."""
        self._thread.shutdown(cancel_futures=True)
        if self._connection is not None:
            self._connection.close()
            self._connection = None
