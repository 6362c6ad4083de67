"""The hub's database: connections, migrations, work for the pages in a thread of its own, and stored games."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import psycopg
from msgspec import Struct
from yoyo import get_backend, read_migrations

from companion.core.text import N_, Text
from companion.decoding import json_decoder
from companion.games import GAMES
from companion.history.results import GameResult
from companion.web.error_answers import RequestError

NO_ANSWER = N_("The database does not answer.")
MIGRATIONS = Path(__file__).parent / "migrations"

REFUSED = psycopg.DataError, psycopg.IntegrityError, psycopg.InternalError, psycopg.ProgrammingError
"""The errors of a statement that the database refuses. Any other error is one of the connection: after it the same
statement may be tried again."""

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
            raise RequestError(503, N_("Too much is asked at once: try again in a few seconds."), again=5)
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
            except psycopg.Error:
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


ON_A_PAGE = 50

_LATEST = """
SELECT game.id, kind, title, coalesce(nullif(device.name, ''), game.device), extract(epoch FROM last_at)::float,
    over, players, totals, fault
FROM game JOIN device USING (device) JOIN summary ON summary.game = game.id
WHERE last_at < to_timestamp(%s) ORDER BY last_at DESC, game.id DESC LIMIT %s
"""
_GAME = """
SELECT game.id, game.device, game.name, lines, differs, coalesce(nullif(device.name, ''), game.device)
FROM game JOIN device USING (device) WHERE game.id = %s
"""
_RESULTS = """
SELECT extract(epoch FROM first_at)::float, result FROM summary JOIN game ON game.id = summary.game
WHERE result IS NOT NULL AND first_at >= to_timestamp(%s) ORDER BY last_at
"""


class ListedGame(Struct, frozen=True):
    """A game in the list of all games."""

    id: int
    kind: str  # the name of what is played
    its_title: str  # as it was stored, in English
    table: str
    last_at: float  # in seconds since 1970
    over: bool
    players: list[str]
    totals: list[int]
    fault: str

    @property
    def title(self) -> Text:
        return Text(GAMES.title(self.kind)) if self.kind in GAMES else Text("{title}", title=self.its_title)

    @property
    def scores(self) -> list[tuple[str, int | None]]:
        points: list[int | None] = (
            [*self.totals] if len(self.totals) == len(self.players) else [None] * len(self.players)
        )
        return [*zip(self.players, points, strict=True)]


class StoredGame(Struct, frozen=True):
    """A game as it is stored."""

    id: int
    device: str
    name: str  # in the journal of its box
    lines: int  # how many are stored without a gap
    differs: int | None  # the first line that came again with another content
    table: str  # the table's name


def latest(connection: Connection, before: float) -> list[ListedGame]:
    """Return a page of the games whose last entry came before a time, the latest first."""
    with connection.transaction():
        return [ListedGame(*row) for row in connection.execute(_LATEST, [before, ON_A_PAGE])]


def results(connection: Connection, since: float) -> list[tuple[float, GameResult]]:
    """Return when each finished game that began since a time began, and its result; that with the last entry last."""
    decoder = json_decoder(GameResult)
    with connection.transaction():
        return [(began, decoder.decode(result)) for began, result in connection.execute(_RESULTS, [since])]


def stored_game(connection: Connection, id: int) -> StoredGame | None:
    with connection.transaction():
        found = connection.execute(_GAME, [id]).fetchone()
    return None if found is None else StoredGame(*found)


def lines_of(connection: Connection, game: StoredGame) -> list[bytes]:
    """Return the lines of a game up to the first gap."""
    asked = "SELECT content FROM line WHERE game = %s AND number < %s ORDER BY number"
    with connection.transaction():
        return [row[0] for row in connection.execute(asked, [game.id, game.lines])]
