"""The hub: what runs beside the pages where there are boxes at the tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from threading import Thread

import psycopg

from companion.bridge.mqtt import Access
from companion.history.results import GameResult
from companion.web.error_answers import RequestError

from . import stored_games
from .consumer import Consumer
from .database import PageDatabase
from .evening.evening_store import EveningStore
from .game_score import ScoredGame
from .game_summaries import GameSummaries
from .live import Notices
from .messages_to_boxes import BoxTeller
from .overview import TableRow
from .stored_games import StoredGame


class Hub:
    """The database of all boxes' games, their states, and the messages to the boxes.

    Args:
        database: The address of the database.
        access: How the broker is reached.
        prefix: What the topics of all boxes begin with.
        evenings: The evenings.
        notices: Is told of changes.
        said: Is called with sentences for the log.
        consumes: Whether it also stores what boxes send; other programs may do so beside it.
    """

    def __init__(
        self,
        database: str,
        access: Access,
        prefix: str,
        evenings: EveningStore,
        notices: Notices,
        said: Callable[[str], None],
        *,
        consumes: bool = False,
    ) -> None:
        self.database = PageDatabase(database, 1000)
        self.slow_database = PageDatabase(database, 50)  # for work that takes longer: nothing else waits for it
        self.results_database = PageDatabase(database, 50)  # for the evening: no visitor's wish may stop it
        self.scorer = GameSummaries(database, notices.wake, said)
        self.teller = BoxTeller(access, prefix, self.database, evenings, lambda: self.boxes, notices.wake)
        self._consumer = Consumer(access, database, prefix, said) if consumes else None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Follow the database, and tell the boxes, in the block."""
        self.scorer.start()
        telling = asyncio.create_task(self.teller.run())
        consuming = None if self._consumer is None else Thread(target=self._consumer.run, name="consumer")
        if consuming is not None:
            consuming.start()
        try:
            yield
        finally:
            telling.cancel()
            if self._consumer is not None and consuming is not None:
                self._consumer.stop()
                await asyncio.to_thread(consuming.join)
            await asyncio.to_thread(self.scorer.stop)
            for database in (self.database, self.slow_database, self.results_database):
                database.close()

    @property
    def boxes(self) -> list[str]:
        """Return the boxes that were ever online, in the order of their tables; none before they are read."""
        return [table.device for table in self.scorer.tables if table.note.online is not None]

    @property
    def rows_without_games(self) -> tuple[TableRow, ...]:
        """Return the same boxes, as rows without their games."""
        return tuple(TableRow(row.device, row.note) for row in self.scorer.tables if row.note.online is not None)

    async def results(self, since: float) -> list[tuple[float, GameResult]]:
        """Return when each finished game that began since a time began, and its result."""
        try:
            return await self.results_database.ask(partial(stored_games.results, since=since))
        except psycopg.Error:
            raise RequestError(503, "The database does not answer.", again=5) from None

    async def game(self, id: int) -> StoredGame:
        """Return the game with an id; refuse one that is not there."""
        game = None
        if id < 2**63:
            game = await self.database.ask(lambda connection: stored_games.stored_game(connection, id))
        if game is None:
            raise RequestError(404, f"There is no game {id}.")
        return game

    def table(self, number: int) -> TableRow:
        """Return the table of a box by its number; refuse one that is not there."""
        for table in self.scorer.tables:
            if table.note.number == number:
                return table
        raise RequestError(404, f"There is no table {number}.")

    async def scored(self, game: StoredGame) -> ScoredGame:
        """Return a game as far as it is stored; one that is played is in memory."""
        kept = self.scorer.game(game.id)
        if kept is not None:
            return kept
        return await self.slow_database.ask(lambda connection: stored_games.scored_game(connection, game))
