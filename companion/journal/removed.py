"""The games that were put away: the folder `removed`, with the same two folders inside as the journal.

A game counts as put away only if no file of it is in `games` or `copies`. So a power cut between the renames leaves it
whole in one of the two places: the first file is moved last, and brought back first.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from . import disk
from .folder import Folder

REMOVED = "removed"
_FIRST, _SECOND = "games", "copies"


class RemovedGames:
    """Moves the files of games between a journal's folder and its folder `removed`."""

    def __init__(self, path: Path) -> None:
        """Use the folder of a journal."""
        self.folder = Folder(path / REMOVED)
        self._journal = Folder(path)
        self._path = path

    def names(self) -> list[str]:
        """Return the names of the games that were put away, by number; raise OSError if they cannot be listed."""
        there = {*self._journal.games()}
        return [name for name in self.folder.games() if name not in there]

    def put_away(self, name: str) -> None:
        """Move a game whose first file is whole and synced. The second one goes first: the other is then still there.

        Raises OSError if a file cannot be moved; the game is then still in the journal.
        """
        for folder in (_SECOND, _FIRST):
            self._move(self._path / folder, self._path / REMOVED / folder, name)

    def bring_back(self, name: str) -> None:
        """Move a game back, the first file first; raise OSError if a file cannot be moved."""
        for folder in (_FIRST, _SECOND):
            self._move(self._path / REMOVED / folder, self._path / folder, name)

    def empty(self) -> list[str]:
        """Delete everything that was put away, for good; return the names of the games."""
        names = self.names()
        for folder in (_FIRST, _SECOND):
            place = self._path / REMOVED / folder
            for name in self.folder.games():
                with suppress(FileNotFoundError):
                    os.unlink(place / f"{name}.jsonl")
            disk.make_folder(place)
            disk.sync_folder(place)
        return names

    def _move(self, place: Path, to: Path, name: str) -> None:
        disk.make_folder(to)
        with suppress(FileNotFoundError):
            os.rename(place / f"{name}.jsonl", to / f"{name}.jsonl")
            disk.sync_folder(to)
            disk.sync_folder(place)
