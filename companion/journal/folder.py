"""The journal's folder: file names, the lock that lets one process write, and the games that were removed."""

from __future__ import annotations

import fcntl
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.core.text import SentenceError, Text

from . import chain, disk
from .mirrored_chain import Chain, ChainFile, NamedValues

DIRECTOR_CALL = "director call"  # the setting with the number of the table's latest call; negative once it has ended
UNSAVED = "unsaved"  # what the name of the file with the number of unsaved entries begins with
GAME = re.compile(r"[0-9]{6,18}-[a-z0-9-]{1,40}-[0-9a-f]{8}\.jsonl")  # number, word for the game, id of the chain


class StoredGame(Struct, frozen=True):
    """A game in the journal: name, number, header, and how many lines it has."""

    name: str  # the name of its files, without the suffix
    number: int  # its number, counted from 1 on the box that began it; a game from another box may have the same
    header: str  # the first line of its log
    tracking: str  # its level of tracking, as last chosen
    over: bool  # whether it is finished
    lines: int  # the number of lines below the header
    begun: float  # when it began, in seconds since 1970
    empty: bool = False  # whether all its entries were undone
    players: tuple[str, ...] = ()  # the names by seat, if a line changed those of the header
    first_tracking: str = ""  # its level of tracking as chosen at its set-up; empty if that is not known

    @classmethod
    def of(cls, name: str, rows: chain.Rows) -> StoredGame:
        """Return a game as the list of games has it, from its header, its first note and its last."""
        first, last = chain.note_of(rows[0]), chain.note_of(rows[-1])
        header, lines = chain.text(rows[0]), len(rows) - 1
        told = header, last.tracking, last.over, lines, first.at, last.empty, last.players, first.tracking
        return cls(name, number(name), *told)

    @property
    def has_entries(self) -> bool:
        return self.lines > 0 and not self.empty


class JournalError(SentenceError):
    """The journal cannot be opened or read; ``text`` is the sentence for people."""

    def __init__(self, sentence: str | Text) -> None:
        super().__init__(str(sentence))
        self.text = sentence if isinstance(sentence, Text) else Text("{fault}", fault=sentence)


class JournalInUseError(JournalError):
    """Another process writes to the journal."""


def number(game: str) -> int:
    return int(game.partition("-")[0])


def scratch_file(path: Path | None, scratch: Path | None, name: str, suffix: str = "") -> Path | None:
    """Return a file of a journal in the scratch folder, which several may share; None if one of the folders is missing.

    It has the inode of the journal's folder in its name.
    """
    if path is None or scratch is None:
        return None
    with suppress(OSError):
        return scratch / f"{name}-{os.stat(path).st_ino}{suffix}"
    return None


def unsaved_entries(path: Path, scratch: Path | None) -> int:
    """Return how many entries of a journal its box could not write, as it has noted in the scratch folder."""
    file = scratch_file(path, scratch, UNSAVED)
    with suppress(OSError, ValueError):
        found = None if file is None else disk.read(file)
        return 0 if found is None else int(found[0])
    return 0


def setting(path: Path, name: str) -> Any:
    """Return a setting of a journal that another process writes; None if there is none."""
    settings = Folder(path).named_values("settings", copies=2)
    with suppress(OSError):
        settings.load()
    return settings.values.get(name)


def director_call(path: Path) -> int:
    """Return the number of the latest call of the director from a journal's table; negative once it has ended."""
    with suppress(ValueError):
        return int(setting(path, DIRECTOR_CALL) or 0)
    return 0


class Folder:
    """The journal's folder and its lock."""

    def __init__(self, path: Path | None, scratch: Path | None = None) -> None:
        """Keep the folder's path and the scratch folder for typed keys; without a path there are no files."""
        self.path = path
        self.fault: OSError | None = None  # why a part of the games could not be listed
        self._scratch = scratch
        self._lock: int | None = None
        self._told: int | None = None  # how many entries the scratch folder says are not saved; None at the start

    def lock(self) -> bool:
        """Make the folder if needed and take its lock; return whether the folder was replaced since the last call."""
        before = self._lock
        if self.path is None:
            return False
        if before is not None:
            with suppress(FileNotFoundError, NotADirectoryError):
                if os.path.samestat(os.fstat(before), os.stat(self.path)):
                    return False
        disk.make_folder(self.path)
        lock = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(lock)
            if not isinstance(error, BlockingIOError):
                raise
            raise JournalInUseError(f"another companion already uses the journal in {self.path}") from None
        self.release()
        self._lock = lock
        return before is not None

    def release(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def games(self) -> list[str]:
        """Return the names of all games, by number; raise OSError if neither `games` nor `copies` can be listed."""
        names, listed = set[str](), 0
        self.fault = None
        if self.path is None:
            return []
        for folder in ("games", "copies"):
            try:
                names |= set(os.listdir(self.path / folder))
                listed += 1
            except FileNotFoundError:
                pass
            except OSError as error:
                self.fault = error
        if self.fault is not None and not listed:
            raise self.fault
        return sorted((name.removesuffix(".jsonl") for name in sorted(names) if GAME.fullmatch(name)), key=number)

    def games_since(self, name: str) -> list[str]:
        """Return the names of the games whose files were written since another file was, by number."""
        folder, written = self.path or Path(), dict[str, int]()
        with suppress(OSError), os.scandir(folder / "games") as entries:
            for entry in entries:
                with suppress(OSError):
                    written[entry.name.removesuffix(".jsonl")] = entry.stat(follow_symlinks=False).st_mtime_ns
        since = 0
        with suppress(OSError):
            since = os.stat(folder / f"{name}.jsonl").st_mtime_ns
        return [game for game in self.games() if written.get(game, 0) >= since]

    def game(self, name: str) -> Chain:
        """Return the chain of a game, not yet read."""
        return Chain(name, name[-8:].encode(), *self._files("games", name))

    def named_values(self, name: str, *, copies: int = 1, synced: bool = True) -> NamedValues:
        """Return a chain of named values, not yet read; one copy is enough for values that can be computed again."""
        return NamedValues(name, *self._files("", name)[:copies], synced=synced)

    def typed(self) -> NamedValues:
        """Return the chain of typed keys, not yet read; in the scratch folder, if there is one.

        Without one they stay in a folder that could not be made yet.
        """
        file = scratch_file(self.path, self._scratch, "typed", ".jsonl")
        if file is None:
            return self.named_values("typed")
        return NamedValues("typed", ChainFile(file, file.parent, durable=False), synced=False)

    def tell_unsaved(self, entries: int) -> None:
        """Note in the scratch folder, for the bridge, how many entries the disk refuses; a failure harms nothing."""
        if entries == self._told:
            return
        with suppress(OSError):
            file = scratch_file(self.path, self._scratch, UNSAVED)
            if file is not None and entries:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(str(entries))
            elif file is not None:
                file.unlink(missing_ok=True)
            self._told = entries

    def _files(self, folder: str, name: str) -> tuple[ChainFile, ...]:
        if self.path is None:
            return ()
        first, second = (self.path / place / f"{name}.jsonl" for place in (folder, "copies"))
        aside = self.path / "damaged"
        return ChainFile(first, aside, durable=True), ChainFile(second, aside, durable=False)


REMOVED = "removed"
_FIRST, _SECOND = "games", "copies"


class RemovedGames(Folder):
    """The folder `removed` in a journal's folder: the games that were removed, in the same two folders as there.

    A game counts as removed only if no file of it is in the journal's folders. So a power cut between the renames
    leaves it whole in one of the two places: the first file is moved last, and brought back first. A journal in memory
    has no folder: there the chains of lines themselves are kept.
    """

    def __init__(self, path: Path | None) -> None:
        """Use the folder of a journal; None for one in memory."""
        super().__init__(None if path is None else path / REMOVED)
        self._journal = Folder(path)
        self._in_memory: dict[str, Chain] = {}

    def games(self) -> list[str]:
        """Return the names of the games that were removed, by number; raise OSError if they cannot be listed."""
        there = {*self._journal.games()}
        return sorted(self._in_memory, key=number) + [name for name in super().games() if name not in there]

    def loaded(self, name: str) -> Chain:
        """Return a game's header and lines; without any if they cannot be read."""
        if name in self._in_memory:
            return self._in_memory[name]
        found = self.game(name)
        with suppress(OSError):
            found.load()
        return found

    def put_away(self, game: Chain) -> None:
        """Move a game whose first file is whole and synced. The second one goes first: the other is then still there.

        Raises OSError if a file cannot be moved; the game is then still in the journal.
        """
        if self.path is None:
            self._in_memory[game.name] = game
        for folder in (_SECOND, _FIRST):
            _move(self._journal.path, self.path, folder, game.name)

    def bring_back(self, name: str) -> Chain:
        """Move a game back, the first file first, and return it, not yet read unless it is in memory.

        Raises OSError if a file cannot be moved.
        """
        for folder in (_FIRST, _SECOND):
            _move(self.path, self._journal.path, folder, name)
        return self._in_memory.pop(name, None) or self._journal.game(name)

    def empty(self) -> None:
        """Delete everything that was removed, for good."""
        self._in_memory.clear()
        for place in (self.path / _FIRST, self.path / _SECOND) if self.path else ():
            for name in super().games():
                with suppress(FileNotFoundError):
                    os.unlink(place / f"{name}.jsonl")
            disk.make_folder(place)
            disk.sync_folder(place)


def _move(path: Path | None, to: Path | None, folder: str, name: str) -> None:
    """Move one of a game's two files from one of two folders to the other; nothing for a journal in memory."""
    if path is None or to is None:
        return
    disk.make_folder(to / folder)
    with suppress(FileNotFoundError):
        os.rename(path / folder / f"{name}.jsonl", to / folder / f"{name}.jsonl")
        disk.sync_folder(to / folder)
        disk.sync_folder(path / folder)
