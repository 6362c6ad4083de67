"""The database for pages: one connection, used by one request at a time, outside the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

import psycopg

from .database import Connection, connect

T = TypeVar("T")


class PageDatabase:
    """Works on the database for requests. A lost connection is made anew, once a request.

    Args:
        address: The address of the database.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._connection: Connection | None = None

    async def ask(self, work: Callable[[Connection], T]) -> T:
        """Return what a function makes of the connection.

        Raises:
            psycopg.OperationalError: The database does not answer.
        """
        return await asyncio.to_thread(self._ask, work)

    def _ask(self, work: Callable[[Connection], T]) -> T:
        with self._lock:
            try:
                return work(self._open())
            except psycopg.OperationalError:
                self._close()
                return work(self._open())

    def _open(self) -> Connection:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._address)
        return self._connection

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def close(self) -> None:
        with self._lock:
            self._close()
