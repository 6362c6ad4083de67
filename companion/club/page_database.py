"""Asks the database for the pages, in one thread and on one connection, one request after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import psycopg

from .database import Connection, connect
from .request_worker import WorkThread

T = TypeVar("T")


class PageDatabase:
    """Works on the database for requests. A lost connection is made anew before the next work; no work is done twice.

    Args:
        address: The address of the database.
        most: How many requests may wait.
    """

    def __init__(self, address: str, most: int) -> None:
        self._address, self._thread = address, WorkThread(most)
        self._connection: Connection | None = None

    async def ask(self, work: Callable[[Connection], T]) -> T:
        """Return what a function makes of the connection.

        Raises:
            psycopg.OperationalError: The database does not answer. Whether a change was stored is not known.
            RequestError: Too many requests wait.
        """
        return await self._thread.do(lambda: work(self._open()))

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
        self._thread.close()
        if self._connection is not None:
            self._connection.close()
            self._connection = None
