"""Access to the history for pages: each request reads the journal's folder anew, on a thread of its own.

The box's loop is not asked: statistics take longer than a key may wait. The journal is opened for reading only, so that
nothing is written or repaired while the box writes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from companion.history.history import History
from companion.history.people import People
from companion.history.persons import Persons
from companion.history.ratings import Ratings
from companion.history.results import GameResult
from companion.journal import Journal

from .error_answers import ErrorAnswer

Answer = TypeVar("Answer")

WAITING = 8
"""Maximum number of requests that wait or are answered; one is answered at a time."""


class OpenHistory:
    """The history as it is now, for one request.

    Attributes:
        journal: The journal, which only reads.
        history: Its history.
    """

    def __init__(self, folder: Path) -> None:
        """Open the journal in a folder.

        Raises:
            JournalFault: It cannot be read.
        """
        self.journal = Journal(folder, writes=False)
        self.journal.read_recent()
        self.history = History(self.journal, folder)

    @cached_property
    def results(self) -> Sequence[GameResult]:
        """Return the results of all finished games, oldest first."""
        return self.history.results()

    @cached_property
    def people(self) -> People:
        """Return the renamed and hidden people."""
        return self.history.people()

    @cached_property
    def persons(self) -> Persons:
        """Return who the players of games are."""
        return Persons(self.people)

    @cached_property
    def ratings(self) -> Ratings:
        """Return the ratings after each game."""
        return self.history.ratings(self.results)


class HistoryAccess:
    """Answers questions about the history, one at a time."""

    def __init__(self, folder: Path) -> None:
        """Use the journal in a folder; it is read at each question."""
        self._folder = folder
        self._worker = ThreadPoolExecutor(1, "history")  # the thread begins with the first question
        self._asked = 0

    async def ask(self, question: Callable[[OpenHistory], Answer]) -> Answer:
        """Return the answer to a question.

        Args:
            question: Finds the answer; called in the thread.

        Raises:
            ErrorAnswer: Too many questions wait.
            JournalFault: The journal cannot be read.
        """
        if self._asked >= WAITING:
            raise ErrorAnswer(503, "Too many pages of the history are asked for at once.", again=2)
        self._asked += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(
                self._worker, lambda: question(OpenHistory(self._folder))
            )
        finally:
            self._asked -= 1

    def close(self) -> None:
        """Drop the questions that wait; the one under way ends by itself."""
        self._worker.shutdown(wait=False, cancel_futures=True)
