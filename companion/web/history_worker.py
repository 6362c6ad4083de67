"""Answers requests for the history on a thread of its own; each reads what has changed in the journal's folder.

The box's loop is not asked: statistics take longer than a key may wait. The journal is opened once, for reading only,
so that nothing is written or repaired while the box writes.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from msgspec import msgpack

from companion.core.text import N_
from companion.history.history import History
from companion.history.plays import Remarks, read_remarks
from companion.history.ratings import Ratings, rated
from companion.history.renamed_and_hidden import People, Persons
from companion.history.results import GameResult
from companion.history.selection import counted
from companion.journal import Journal
from companion.ui.faces import Faces, places_of
from companion.ui.saved_games import played

from .error_answers import RequestError

Answer = TypeVar("Answer")
Item = TypeVar("Item")
Figures = TypeVar("Figures")

ROOT = "/history"  # the address of the list of games; all other pages are below
WAITING = 8  # maximum number of requests that wait or are answered; one is answered at a time

PATIENCE = 0.3
"""Seconds of reading games for one request: few, because the box reads them, too, and keeps what it has read."""

STAYS_OPEN = 60.0  # seconds that games are kept between two requests while not all are read
THREAD = "history"  # the beginning of the thread's name
LOGGED = 1000  # the most warnings that are remembered, so that each is logged once

LOGS = tuple(logging.getLogger(f"companion.{name}") for name in ("history.history", "journal.journal"))
"""The logs of what cannot be read."""


class StillReadingError(Exception):
    """Not all games are read yet, so there are no figures."""

    def __init__(self, remaining: int) -> None:
        super().__init__(remaining)
        self.remaining = remaining  # how many games are left


class KeptFigures:
    """Figures that are kept from request to request, and worked out again when what they are made from has changed."""

    def __init__(self) -> None:
        self._kept: dict[Callable[..., object], tuple[int, Any]] = {}

    def of(
        self, work_out: Callable[[Sequence[Item], People], Figures], games: Sequence[Item], people: People
    ) -> Figures:
        """Return what a function makes of games, oldest first, under the names of today."""
        fingerprint = hash(msgpack.encode((games, people.renamed)))  # the games themselves would take more memory
        if work_out not in self._kept or self._kept[work_out][0] != fingerprint:
            self._kept[work_out] = fingerprint, work_out(games, people)
        figures: Figures = self._kept[work_out][1]
        return figures


def _places(games: Sequence[tuple[int, str, tuple[str, ...]]], people: People) -> Mapping[str, int]:
    """Return the places of everybody who played one of some games, by their numbers, headers and players."""
    sat = ((number, played(header, players)) for number, header, players in games)
    return places_of(((number, by[1]) for number, by in sat if by is not None), people)


class OpenHistory:
    """The history as it is now, for one request; for several while not all games are read."""

    def __init__(self, folder: Path, kept: KeptFigures | None = None, journal: Journal | None = None) -> None:
        """Read a folder; use what an earlier request kept where nothing changed, and the journal that it opened."""
        self.journal = journal or Journal(folder, writes=False)  # the journal, which only reads
        self.journal.read_recent()
        self.history = History(self.journal, folder)
        self.last_used = time.monotonic()  # when it last answered, by the monotonic clock
        self._steps, self._found = self.history.each(), list[GameResult]()
        self._kept = kept or KeptFigures()

    @cached_property
    def results(self) -> Sequence[GameResult]:
        """Return the results of all finished games, oldest first.

        Raises StillReadingError if there was no time to read all of them; the next call goes on.
        """
        until = time.monotonic() + PATIENCE
        for result in self._steps:
            self._found += () if result is None else (result,)
            if time.monotonic() > until and self.history.remaining:
                raise StillReadingError(self.history.remaining)
        return self._found

    @cached_property
    def by_name(self) -> Mapping[str, GameResult]:
        return {result.name: result for result in self.results}

    @cached_property
    def paths(self) -> Mapping[str, str]:
        """Return the addresses of the games that have pages, by their names."""
        return game_paths(self.results)

    @property
    def unreadable(self) -> int:
        """Return how many games `results` leaves out because they cannot be read."""
        return len(self.history.unreadable)

    @cached_property
    def people(self) -> People:
        return self.history.people()

    @cached_property
    def remarks(self) -> Remarks:
        """Return the places and notes of games."""
        return read_remarks(self.journal)

    @cached_property
    def persons(self) -> Persons:
        return Persons(self.people)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Return the places that people's colours come from."""
        seated = [(game.number, game.header, game.players) for game in self.journal.games()[::-1]]
        return self._kept.of(_places, seated, self.people)

    def faces(self, *names: str) -> Faces:
        """Return everybody's face; people with some names, who sat at one table, are told apart."""
        return Faces.at(names, self.places)

    def counted(self, *, ended_early: bool) -> Sequence[GameResult]:
        """Return the results that count in figures; those of games that the table ended early, too, if wanted."""
        return counted(self.results, ended_early=ended_early)

    def ratings(self, *, ended_early: bool) -> Ratings:
        """Return the ratings after each game that counts."""
        return self._kept.of(rated, self.counted(ended_early=ended_early), self.people)


def game_paths(results: Iterable[GameResult]) -> dict[str, str]:
    """Return the addresses of games by their names. A number that several games have is not an address.

    Plays imported from other programs have no page, because they have no log.
    """
    named: dict[int, list[str]] = {}
    for result in results:
        named.setdefault(result.number, []).append(result.name)
    named.pop(0, None)
    return {
        name: f"{ROOT}/games/{number if len(names) == 1 else name}" for number, names in named.items() for name in names
    }


class HistoryAccess:
    """Answers questions about the history, one at a time."""

    def __init__(self, folder: Path) -> None:
        """Use the journal in a folder; it is read at each question."""
        self._folder = folder
        self._worker = ThreadPoolExecutor(1, THREAD)  # the thread begins with the first question
        self._pending = 0
        self._unfinished: OpenHistory | None = None
        self._kept = KeptFigures()
        self._journal: Journal | None = None  # opened with the first question
        self._once_filter = _OnceFilter()
        for log in LOGS:
            log.addFilter(self._once_filter)

    async def ask(self, question: Callable[[OpenHistory], Answer]) -> Answer:
        """Return the answer to a question, which is called in the thread.

        Raises RequestError if too many questions wait; StillReadingError if not all games are read yet, and the next
        question goes on; JournalError if the journal cannot be read.
        """
        if self._pending >= WAITING:
            raise RequestError(503, N_("Too many pages of the history are asked for at once."), again=2)
        self._pending += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, self._answer, question)
        finally:
            self._pending -= 1

    def _answer(self, question: Callable[[OpenHistory], Answer]) -> Answer:
        opened, self._unfinished = self._unfinished, None
        if opened is None or time.monotonic() > opened.last_used + STAYS_OPEN:
            opened = OpenHistory(self._folder, self._kept, self._journal)
            self._journal = opened.journal
        opened.last_used = time.monotonic()
        try:
            return question(opened)
        except StillReadingError:
            self._unfinished = opened
            raise

    def close(self) -> None:
        """Drop the questions that wait; the one under way ends by itself."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        for log in LOGS:
            log.removeFilter(self._once_filter)


class _OnceFilter(logging.Filter):
    """Drops warnings of the history's thread that it has logged before: each request reads the journal again."""

    def __init__(self) -> None:
        super().__init__()
        self._logged: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if not (record.threadName or "").startswith(THREAD):
            return True
        if message in self._logged:
            return False
        if len(self._logged) >= LOGGED:
            self._logged.clear()
        self._logged.add(message)
        return True
