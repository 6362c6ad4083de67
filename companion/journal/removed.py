"""The games that were removed: the folder `removed`, with the same two folders inside as the journal.

A game counts as removed only if no file of it is in `games` or `copies`. So a power cut between the renames leaves it
whole in one of the two places: the first file is moved last, and brought back first.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from . import disk
from .folder import Folder, number
from .mirrored_chain import Chain

REMOVED = "removed"
_FIRST, _SECOND = "games", "copies"


class RemovedGames:
    """Moves the files of games between a journal's folder and its folder `removed`.

    A journal in memory has no folder: there the chains of lines themselves are kept.
    """

    def __init__(self, path: Path | None) -> None:
        """Use the folder of a journal; None for one in memory."""
        self._path = path
        self.folder = Folder(None if path is None else path / REMOVED)
        self._journal = Folder(path)
        self._in_memory: dict[str, Chain] = {}

    def names(self) -> list[str]:
        """Return the names of the games that were removed, by number; raise OSError if they cannot be listed."""
        there = {*self._journal.games()}
        return sorted(self._in_memory, key=number) + [name for name in self.folder.games() if name not in there]

    def chain(self, name: str) -> Chain:
        """Return a game's header and lines; without any if they cannot be read."""
        if self._path is None:
            return self._in_memory[name]
        found = self.folder.game(name)
        with suppress(OSError):
            found.load()
        return found

    def put_away(self, game: Chain) -> None:
        """Move a game whose first file is whole and synced. The second one goes first: the other is then still there.

        Raises OSError if a file cannot be moved; the game is then still in the journal.
        """
        if self._path is None:
            self._in_memory[game.name] = game
            return
        for folder in (_SECOND, _FIRST):
            self._move(self._path / folder, self._path / REMOVED / folder, game.name)

    def bring_back(self, name: str) -> Chain | None:
        """Move a game back, the first file first; raise OSError if a file cannot be moved.

        Returns:
            The game of a journal in memory; None if it is to be read from its files.
        """
        if self._path is None:
            return self._in_memory.pop(name)
        for folder in (_FIRST, _SECOND):
            self._move(self._path / REMOVED / folder, self._path / folder, name)
        return None

    def empty(self) -> None:
        """Delete everything that was removed, for good."""
        self._in_memory.clear()
        if self._path is None:
            return
        for folder in (_FIRST, _SECOND):
            place = self._path / REMOVED / folder
            for name in self.folder.games():
                with suppress(FileNotFoundError):
                    os.unlink(place / f"{name}.jsonl")
            disk.make_folder(place)
            disk.sync_folder(place)

    def _move(self, place: Path, to: Path, name: str) -> None:
        disk.make_folder(to)
        with suppress(FileNotFoundError):
            os.rename(place / f"{name}.jsonl", to / f"{name}.jsonl")
            disk.sync_folder(to)
            disk.sync_folder(place)
