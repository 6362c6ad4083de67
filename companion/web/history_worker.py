"""Answers requests for the history on a thread of its own, from the journal's folder.

The box's loop is not asked: statistics take longer than a key may wait. The journal is opened for reading only, so that
nothing is written or repaired while the box writes. What was read is kept for a while: as it is until a file has
changed, and after that what the change leaves as it was.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from msgspec import msgpack

from companion.core.text import N_
from companion.games import GAMES
from companion.history.history import FILE, History
from companion.history.plays import Remarks, read_remarks
from companion.history.renamed_and_hidden import People
from companion.history.results import GameResult
from companion.history.selection import counted
from companion.history.statistics import Ratings, rated
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

STAYS_OPEN = 60.0  # seconds that what was read is kept after the latest request
LATEST = 30  # the latest games, whose files are looked at for changes
RETRIED = 10.0  # seconds after which games that could not be read are read once more
THREAD = "history"  # the beginning of the thread's name
LOGGED = 1000  # the most warnings that are remembered, so that each is logged once

LOGS = tuple(logging.getLogger(f"companion.{name}") for name in ("history.history", "journal.journal"))
"""The logs of what cannot be read."""


class StillReadingError(Exception):
    """Not all games are read yet, so there are no figures."""

    def __init__(self, remaining: int) -> None:
        super().__init__(remaining)
        self.remaining = remaining  # how many games are left


class Kept:
    """Figures worked out from all results, kept from one request to the next."""

    def __init__(self) -> None:
        self._figures: dict[Callable[..., object], tuple[int, Any]] = {}

    def of(
        self, work_out: Callable[[Sequence[Item], People], Figures], games: Sequence[Item], people: People
    ) -> Figures:
        """Return what a function makes of games, oldest first, under the names of today.

        It is worked out again when the games or the names have changed.
        """
        fingerprint = hash(msgpack.encode((games, people.renamed)))  # the games themselves would take more memory
        if work_out not in self._figures or self._figures[work_out][0] != fingerprint:
            self._figures[work_out] = fingerprint, work_out(games, people)
        figures: Figures = self._figures[work_out][1]
        return figures


def _places(games: Sequence[tuple[int, str, tuple[str, ...]]], people: People) -> Mapping[str, int]:
    """Return the places of everybody who played one of some games, by their numbers, headers and players."""
    sat = ((number, played(header, players)) for number, header, players in games)
    return places_of(((number, by[1]) for number, by in sat if by is not None), people)


def _version(file: Path) -> tuple[int, int] | None:
    """Return what differs once a file has changed; None if there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


class OpenHistory:
    """The history as it is now."""

    def __init__(self, folder: Path, kept: Kept | None = None, history: History | None = None) -> None:
        """Read a folder; use what an earlier request kept where nothing changed, and the history that it read."""
        self._kept = kept or Kept()
        self._rules = GAMES.fingerprint
        self._retry_at = time.monotonic() + RETRIED
        # the files that tell of a change as they are before they are read
        games, copies, others = folder / "games", folder / "copies", ("settings", "imported", "remarks")
        files = [games, copies, folder / FILE, folder / "index.jsonl", folder / "draft.jsonl"]
        files += [place / f"{name}.jsonl" for place in (folder, copies) for name in others]
        with suppress(OSError):
            files += [games / name for name in sorted(os.listdir(games))[-LATEST:]]
        self._files = {file: _version(file) for file in files}
        self.history = history or History(Journal(folder, writes=False), folder)
        self.journal = self.history.journal
        self.journal.read_recent()
        while (name := self.journal.open_game()) and (file := games / f"{name}.jsonl") not in self._files:
            self._files[file] = _version(file)  # an earlier game goes on
            self.journal.read_recent()
        self._steps: Iterator[GameResult | None] | None = None  # the reading of games that goes on at the next request
        self._found: list[GameResult] = []
        self._ratings: dict[bool, Ratings] = {}

    @property
    def is_current(self) -> bool:
        """Return whether nothing has changed, or games are being read, which goes on.

        What could not be read may be readable after a while, without any change.
        """
        if self._steps is not None:
            return True
        if self.history.unreadable and time.monotonic() >= self._retry_at:
            return False
        return self._rules == GAMES.fingerprint and all(_version(file) == seen for file, seen in self._files.items())

    @cached_property
    def results(self) -> Sequence[GameResult]:
        """Return the results of all finished games, oldest first.

        Raises StillReadingError if there was no time to read all of them; the next call goes on.
        """
        steps, self._steps = self._steps, None
        if steps is None:
            steps, self._found = self.history.each(), []
        until = time.monotonic() + PATIENCE
        for result in steps:
            self._found += () if result is None else (result,)
            if time.monotonic() > until and self.history.remaining:
                self._steps = steps
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
    def names(self) -> Mapping[str, str]:
        """Return the names of everybody who is not hidden, by person."""
        return self.people.visible(self.results)

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
        if ended_early not in self._ratings:
            self._ratings[ended_early] = self._kept.of(rated, self.counted(ended_early=ended_early), self.people)
        return self._ratings[ended_early]


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
        """Use the journal in a folder; it is read again once it has changed."""
        self._folder = folder
        self._worker = ThreadPoolExecutor(1, THREAD)  # the thread begins with the first question
        self._pending = 0
        self._opened: OpenHistory | None = None
        self._kept = Kept()
        self._timer: asyncio.TimerHandle | None = None  # when what was read is forgotten
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
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._worker, self._answer, question)
        finally:
            self._pending -= 1
            if self._timer is not None:
                self._timer.cancel()
            self._timer = loop.call_later(STAYS_OPEN, self._forget)

    def _answer(self, question: Callable[[OpenHistory], Answer]) -> Answer:
        opened = self._opened
        if opened is None or not opened.is_current:
            history = None if opened is None else opened.history  # it reads what has changed since
            opened = self._opened = OpenHistory(self._folder, self._kept, history)
        return question(opened)

    def _forget(self) -> None:
        self._opened = None

    def close(self) -> None:
        """Drop the questions that wait; the one under way ends by itself."""
        self._worker.shutdown(wait=False, cancel_futures=True)
        for log in LOGS:
            log.removeFilter(self._once_filter)
        if self._timer is not None:
            self._timer.cancel()


class _OnceFilter(logging.Filter):
    """Drops warnings of the history's thread that it has logged before: a game is read several times."""

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
