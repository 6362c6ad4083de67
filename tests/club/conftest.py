"""A real PostgreSQL for all tests of a session, a database of its own for each test, and a real broker."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from companion.club.database import Connection, connect, migrate
from tests.bridge.mosquitto import Mosquitto
from tests.harness.club.database_server import QUICK, DatabaseServer

NUMBERS = count(1)


@pytest.fixture(scope="session")
def database_server() -> Iterator[DatabaseServer]:
    server = DatabaseServer(QUICK)
    migrate(server.create("club-template"))
    yield server
    server.close()


@pytest.fixture
def database(database_server: DatabaseServer) -> str:
    """Return the address of an empty database with all tables."""
    return database_server.create(f"club-{next(NUMBERS)}", "club-template")


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with connect(database) as one:
        yield one


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path, "allow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 1000\n")
    yield broker
    broker.stop()
