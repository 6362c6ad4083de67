"""The hub: what runs beside the pages where there are boxes at the tables, and what it tells the boxes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from threading import Event, Thread

import msgspec
import psycopg
from msgspec.structs import replace

from companion.app.failures import Backoff
from companion.bridge.mqtt import Access, Message, publish
from companion.core.text import N_
from companion.history.results import GameResult
from companion.ui.club import HubMessage, SeatCall
from companion.web.error_answers import RequestError

from .consumer import Consumer
from .corrections import unanswered
from .database import NO_ANSWER, Connection, PageDatabase, StoredGame, lines_of, results, stored_game
from .evening.boxes_at_tables import seat_calls
from .evening.evening_store import EveningStore
from .game_score import ScoredGame, TableRow, scored
from .game_summaries import GameSummaries
from .live import Notices

NO_GAME, NO_TABLE = N_("There is no such game."), N_("There is no such table.")
LOOK = 5.0  # seconds after which it is looked whether a box has nothing new
SOON = 1.0  # the same while no box is known, as just after the start


class BoxTeller:
    """Tells the boxes what has changed: publishes it until the broker has it, which keeps it for boxes that are away.

    Corrections are published so, too. At the start all that no box has answered are published again: the broker may
    have lost them in a power cut.

    Args:
        access: How the broker is reached.
        prefix: What the topics of all boxes begin with.
        database: Where boxes and corrections stand.
        evenings: The evenings.
        boxes: Returns all boxes, in their order; none before they are known.
        changed: Is called when `trouble` has changed.

    Attributes:
        trouble: Why the boxes do not know the latest yet; empty if they do.
    """

    def __init__(
        self,
        access: Access,
        prefix: str,
        database: PageDatabase,
        evenings: EveningStore,
        boxes: Callable[[], Sequence[str]],
        changed: Callable[[], None],
    ) -> None:
        self.trouble = ""
        self._access, self._prefix, self._database, self._evenings = access, prefix, database, evenings
        self._boxes, self._changed = boxes, changed
        self._sent: dict[str, HubMessage] = {}
        self._corrected = False  # whether corrections without an answer were published
        self._wanted = asyncio.Event()
        self._retry = Backoff(first=1, last=60)

    def wake(self) -> None:
        """Notice that something has changed; from the event loop."""
        self._wanted.set()

    def send_corrections(self) -> None:
        """Publish the corrections without an answer; from the event loop."""
        self._corrected = False
        self.wake()

    async def run(self) -> None:
        """Tell the boxes what is new, until cancelled. After a failure, named in `trouble`, all is told again."""
        while True:
            self._wanted.clear()
            before = self.trouble
            try:
                await self._tell()
                self._retry.worked()
                self.trouble = ""
            except Exception as error:  # of the broker, the database or a file: all is tried again
                self._retry.failed(time.monotonic())
                self.trouble = str(error) or type(error).__name__
            if self.trouble != before:
                self._changed()
            patience = LOOK if self._boxes() else SOON
            if self._retry.due is not None:
                patience = self._retry.due - time.monotonic()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), max(0.0, patience))

    async def _tell(self) -> None:
        if not self._corrected:
            self._corrected = True  # one that is recorded from here on is published next time
            try:
                sent = await self._database.ask(lambda connection: unanswered(connection, self._prefix))
                await self._publish(sent)
            except BaseException:
                self._corrected = False
                raise
        boxes = self._boxes()
        state = await asyncio.to_thread(self._evenings.arranged, boxes)
        if not boxes:  # they are not read yet, and would be told that nobody is called
            return
        calls = () if state is None else seat_calls(state.moment.evening, state.ends)
        placed = {} if state is None else state.hall.boxes
        told = await self._database.ask(lambda connection: messages(connection, calls, placed))
        new = {box: message for box, message in told.items() if message != self._sent.get(box)}
        await self._publish(
            [(f"{self._prefix}/{box}/hub", msgspec.json.encode(message)) for box, message in new.items()]
        )
        self._sent |= new

    async def _publish(self, messages: list[Message]) -> None:
        if messages:
            await asyncio.to_thread(publish, self._access, messages)


def messages(connection: Connection, calls: Iterable[SeatCall], boxes: Mapping[int, str]) -> dict[str, HubMessage]:
    """Return the messages for all boxes.

    Args:
        calls: The seat calls of an evening's tables.
        boxes: The box on each table.
    """
    with connection.transaction():
        found = connection.execute("SELECT device, call FROM device WHERE NOT removed").fetchall()
    told = {device: HubMessage(attended=max(0, -call)) for device, call in found}
    for call in calls:
        box = boxes.get(call.table)
        if box in told:
            told[box] = replace(told[box], seats=call)
    return told


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
        self._consumes, self._said = consumes, said
        self._new_consumer = partial(Consumer, access, database, prefix, said)
        self._consumer: Consumer | None = None
        self._stopped = Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Follow the database, and tell the boxes, in the block."""
        self.scorer.start()
        telling = asyncio.create_task(self.teller.run())
        consuming = Thread(target=self._consume, name="consumer")
        if self._consumes:
            consuming.start()
        try:
            yield
        finally:
            telling.cancel()
            self._stopped.set()
            if self._consumer is not None:
                with suppress(OSError):  # it has ended
                    self._consumer.stop()
            if self._consumes:
                await asyncio.to_thread(consuming.join)
            await asyncio.to_thread(self.scorer.stop)
            for database in (self.database, self.slow_database, self.results_database):
                database.close()

    def _consume(self) -> None:
        """Store what boxes send until stopped; after an error, begin anew: the pages would go on without it."""
        while True:
            self._consumer = self._new_consumer()
            if self._stopped.is_set():
                return
            try:
                self._consumer.run()
                return
            except Exception as error:
                self._said(f"storing what boxes send has failed, and begins anew: {type(error).__name__}: {error}")
                self._stopped.wait(SOON)

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
            return await self.results_database.ask(partial(results, since=since))
        except psycopg.Error:
            raise RequestError(503, NO_ANSWER, again=5) from None

    async def game(self, id: int) -> StoredGame:
        """Return the game with an id; refuse one that is not there."""
        game = None
        if id < 2**63:
            game = await self.database.ask(lambda connection: stored_game(connection, id))
        if game is None:
            raise RequestError(404, NO_GAME)
        return game

    def table(self, number: int) -> TableRow:
        """Return the table of a box by its number; refuse one that is not there."""
        for table in self.scorer.tables:
            if table.note.number == number:
                return table
        raise RequestError(404, NO_TABLE)

    async def scored(self, game: StoredGame) -> ScoredGame:
        """Return a game as far as it is stored; one that is played is in memory."""
        kept = self.scorer.game(game.id)
        if kept is not None:
            return kept
        return await self.slow_database.ask(lambda connection: scored(lines_of(connection, game)))
