"""The journal: saves every game line by line, the settings and the draft. It knows nothing of games.

The chains in memory are authoritative. Lines that the disk refuses wait there, and are written once it accepts them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import MsgspecError, convert, to_builtins
from msgspec.structs import replace

from companion.core.program_log import ProgramLog
from companion.core.text import N_, Text, why

from . import chain, damage_notices
from .drafts import Draft
from .entry_origin import note_of, note_of_state, stored_game, typed_keys
from .folder import JournalError, StoredGame, number
from .journal_files import JournalFiles
from .mirrored_chain import MOST_SUPERSEDED, Chain
from .removed import RemovedGames

_LOG = ProgramLog(__name__)

LATEST = 30  # unindexed games that are read at once; earlier ones are read while the box idles
LATEST_NUMBER = "latest number"  # the setting that keeps the highest number of a game that was deleted


class Journal(JournalFiles):
    """Saves games, settings and the draft in files."""

    def __init__(self, path: Path | None = None, *, writes: bool = True, scratch: Path | None = None) -> None:
        """Open the journal in a folder for writing or only for reading; without a folder it is kept in memory.

        Typed keys of an unfinished answer go to the scratch folder, if there is one. It is in memory, so that they do
        not wear the SD card. Raises JournalInUseError if another process writes to it (only one can, while any number
        read), JournalError if it cannot be read or made.
        """
        self.left_out: dict[str, Text] = {}  # games that cannot be read, or not with all lines that they had, and why
        self._indexed = False  # whether the index was read
        self._changed: set[str] = set()  # games whose row in the index is out of date
        self._unread: list[str] = []  # games not read since the start, the latest last
        self._removed = RemovedGames(path)
        super().__init__(path, writes=writes, scratch=scratch)

    # Games

    def games(self) -> list[StoredGame]:
        """Return every known game, the latest first."""
        self._read_index()
        return [
            self._with_tracking(self._saved[name]) for name in sorted(sorted(self._saved), key=number, reverse=True)
        ]

    def saved(self, game: str) -> StoredGame:
        """Return a game as the list has it; raises JournalError if it is missing or unreadable."""
        self._chain(game)
        return self._with_tracking(self._saved[game])

    def lines(self, game: str) -> list[str]:
        """Return a game's lines after the header; raises JournalError if it is missing or unreadable."""
        return [chain.text(row) for row in self._chain(game).rows[1:]]

    def log(self, game: str) -> str:
        """Return a game's log, a line for its header and each entry; as `lines`."""
        return "".join(f"{chain.text(row)}\n" for row in self._chain(game).rows)

    def timed_lines(self, game: str) -> list[tuple[str, float]]:
        """Return a game's header and lines, each with when it was written, in seconds since 1970, or 0; as `lines`."""
        return [(chain.text(row), note_of(row).at) for row in self._chain(game).rows]

    def keys(self, game: str) -> dict[int, str]:
        """Return the keys typed for the latest lines of a game, by line; see `typed_keys`."""
        return typed_keys(self._chain(game).rows)

    def names(self) -> list[str]:
        """Return the names of all games, by number; reads no game."""
        self._read_index()
        return sorted(sorted({*self._saved, *self._unread}), key=number)

    def name_for(self, kind: str) -> str:
        """Return a name for a new game: the next number and the kind of game (small letters and hyphens)."""
        latest = max(map(number, (*self.names(), *self.removed_names())), default=0)
        latest = max(latest, int(self.setting(LATEST_NUMBER) or 0))
        return f"{latest + 1:06d}-{kind}-{os.urandom(4).hex()}"

    # Games that were removed

    def removed_names(self) -> list[str]:
        """Return the names of the games that were removed, by number; none if they cannot be listed."""
        with suppress(OSError):
            return self._removed.names()
        return []

    def removed(self) -> list[StoredGame]:
        """Return the games that were removed, the latest first; without those that cannot be read or have no entry."""
        chains = [self._removed.chain(name) for name in reversed(self.removed_names())]
        games = [stored_game(each.name, each.rows) for each in chains if each.rows]
        return [game for game in games if game.has_entries]

    def put_away(self, game: str) -> None:
        """Move a game into the folder for removed games; raises JournalError if it stays where it is."""
        kept = self._chain(game)
        self._write(kept)
        if self.fault is not None or kept.failing:
            raise JournalError(
                Text(
                    damage_notices.NOT_MOVED,
                    what=damage_notices.named(game),
                    why=self.fault or damage_notices.ONE_FAILS,
                )
            )
        try:
            self._removed.put_away(kept)
        except OSError as error:
            self._games.pop(game, None)  # its files are read again
            raise JournalError(
                Text(damage_notices.NOT_MOVED, what=damage_notices.named(game), why=why(error))
            ) from error
        if game == self.open_game():
            self.set_open_game(None)
        self._unread = [name for name in self._unread if name != game]
        for known in (self._games, self._saved, self.left_out):
            known.pop(game, None)
        self._changed.add(game)
        self.update_index()

    def bring_back(self, game: str) -> None:
        """Move a game that was removed back; raises JournalError if that fails."""
        try:
            found = self._removed.bring_back(game)
        except OSError as error:
            raise JournalError(
                Text(damage_notices.NOT_MOVED, what=damage_notices.named(game), why=why(error))
            ) from error
        if found is not None:
            self._games[game] = found
            self._register(game, found)
        self._chain(game)
        self._changed.add(game)
        self.update_index()

    def empty_removed(self) -> list[str]:
        """Delete the games that were removed, for good, and return their names; raises OSError if the disk fails."""
        names = self.removed_names()
        if names:  # later games get later numbers, by which people are known who were renamed
            self.keep_setting(LATEST_NUMBER, str(max(map(number, (*self.names(), *names)))))
            self._removed.empty()
        return names

    def read_recent(self) -> None:
        """Read the games written since the index was: for a process that only reads while another one writes."""
        self._read_index()
        for name in self._folder.games_since("index")[-LATEST:]:
            with suppress(JournalError):
                self._chain(name)

    def begin(self, game: str, header: str, tracking: str, now: float) -> None:
        """Begin a game with the header of its log. ``now`` is in seconds since 1970, here and in `append`."""
        self._add(game, self._folder.game(game), (header, {"at": now, "tracking": tracking}))

    def add_game(self, game: str, lines: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Add a whole game of another box: its header and lines, each with its note. All is written at once."""
        self._add(game, self._folder.game(game), *lines)

    def add_lines(self, game: str, lines: Sequence[tuple[str, dict[str, Any]]]) -> None:
        """Add the lines by which another box went on with a game, each with its note. All is written at once."""
        self._add(game, self._chain(game), *lines)

    def append(
        self,
        game: str,
        line: str,
        *,
        now: float,
        tracking: str,
        keys: str | None = None,
        over: bool = False,
        empty: bool = False,
        players: Sequence[str] = (),
    ) -> None:
        """Write the next line of a game; see `companion.journal.entry_origin.Note` for what is noted beside it."""
        note: dict[str, Any] = {"at": now, "tracking": tracking, "keys": keys or ""}
        note |= ({"chosen": True} if keys == "" else {}) | note_of_state(over=over, empty=empty, players=players)
        self._add(game, self._chain(game), (line, note))

    def _add(self, game: str, entered: Chain, *lines: tuple[str, dict[str, Any]]) -> None:
        for line in lines:
            entered.add(*line)
        self._cache(game, entered)
        self._register(game, entered)
        self._changed.add(game)
        self._write(entered)

    def _cache(self, game: str, loaded: Chain) -> None:
        """Keep a game in memory, and drop the others that are saved."""
        if game not in self._games:
            self._write(loaded)
            keep = (name for name, each in self._games.items() if each.unsaved or not self._folder.path)
            self._games = {name: self._games[name] for name in keep} | {game: loaded}

    def track(self, game: str, tracking: str) -> None:
        self._write(*self._drafts.keep(game, replace(self._draft_of(game), tracking=tracking), sync=True))

    def unsaved(self, game: str | None = None) -> int:
        """Return how many lines are not on the disk, of all games or of one."""
        return sum(each.unsaved for name, each in self._games.items() if game in (None, name))

    # The draft

    def open_game(self) -> str | None:
        """Return the name of the game that was open last; None if none was."""
        return self._drafts.open_game()

    def set_open_game(self, game: str | None) -> None:
        """Write which game is open; before, so that a kill finds one of both, the index gets the one that is left."""
        self.update_index()
        self._write(*self._drafts.set_open_game(game))

    def draft(self, game: str | None) -> Any:
        """Return the unfinished entry of a game, empty if there is none; None is for a set-up."""
        draft = self._draft_of(game)
        return draft.given or draft.keys

    def keep_draft(self, game: str | None, given: object, *, sync: bool = False) -> None:
        """Save the unfinished entry, as JSON values. A kill loses nothing, a power cut only what is not synced."""
        self._write(*self._drafts.keep(game, replace(self._draft_of(game), given=given, keys=""), sync=sync))

    def _draft_of(self, game: str | None) -> Draft:
        """Return the draft that belongs after a game's last line."""
        kept, lines = self._drafts.of(game), 0
        if game is not None:
            loaded = self._chain(game)
            self._cache(game, loaded)
            lines = len(loaded.rows) - 1
        return kept if kept.lines == lines else Draft(lines)

    # The index

    def update_index(self) -> None:
        """Bring the index up to date; a failure loses nothing."""
        if self._changed:
            self._read_index()
            if len(self._index.rows) > 2 * len(self._saved) + MOST_SUPERSEDED:
                self._index.replace_values({name: to_builtins(saved) for name, saved in self._saved.items()})
            for name in self._changed:
                self._index.keep(name, to_builtins(self._saved.get(name)))
            self._changed.clear()
            with suppress(OSError):
                if self._writes and self.fault is None:
                    self._index.write()

    def check_next(self) -> bool:
        """Check and repair the next game not read since the start; return whether there are more."""
        self._read_index()
        if self._unread:
            with suppress(JournalError):  # its files are kept as they are
                self._chain(self._unread.pop())
            if not self._unread:
                self.update_index()
        return bool(self._unread)

    def check_all(self) -> None:
        """Check and repair every game not read since the start; the index then has all."""
        while self.check_next():
            pass

    def close(self) -> None:
        """Try once more to write what is not saved, and release the folder."""
        if self.fault is not None or self.draft_fault is not None:
            self.save()
        self.update_index()
        self._folder.release()

    # Reading

    def _read_index(self) -> None:
        """Read the games of the index, and the latest games that it lacks."""
        if self._indexed:
            return
        listed = dict[str, StoredGame | None]()
        try:
            self._load(self._index)
            listed = convert(self._index.values, dict[str, StoredGame | None])
        except (OSError, MsgspecError) as error:
            _LOG.warning("companion: index: all games are read instead: %s", error)
        try:
            self._unread = self._folder.games()  # after the index, which another process may be writing
        except OSError as error:
            self._report_once("games", Text(damage_notices.NOT_LISTED, why=why(error)))
            return
        self._indexed, present, removed = True, {*self._unread, *self._saved}, self.removed_names()
        for name, saved in listed.items():
            if saved is not None and name not in present:
                if self._folder.fault is None:
                    if name not in removed:
                        self._report(name, Text(damage_notices.GONE, what=damage_notices.named(name)))
                    self._changed.add(name)
            elif saved and saved.lines > self._saved.setdefault(name, saved).lines and name not in self.left_out:
                self.left_out[name] = damage_notices.missing(name, self._saved[name].lines, saved.lines)
                self._report(name, self.left_out[name])
        self._changed |= {name for name, saved in self._saved.items() if listed.get(name) != saved}
        for name in [name for name in self._unread if name not in self._saved][-LATEST:]:
            with suppress(JournalError):
                self._chain(name)

    def _chain(self, game: str) -> Chain:
        if game in self._games:
            return self._games[game]
        read, known, draft = self._folder.game(game), self._saved.get(game), self._drafts.of(game)
        try:
            lacking = self._load(read, max(draft.lines, known.lines if known else 0))
        except OSError as error:
            self.left_out[game] = fault = damage_notices.unreadable(game, error)
            self._report_once(game, fault)
            raise JournalError(fault) from error
        if lacking is not None:
            self.left_out[game] = lacking
        if not read.rows:
            self._saved.pop(game, None)
            self._changed.add(game)
            raise JournalError(Text(N_("there is no game {number}"), number=number(game)))
        if draft.lines >= len(read.rows):  # it was reported
            self._write(*self._drafts.keep(game, Draft(len(read.rows) - 1), sync=True))
        self._register(game, read)
        if game == self.open_game():
            self._cache(game, read)
        return read

    def _register(self, game: str, read: Chain) -> None:
        saved = stored_game(game, read.rows)
        if self._saved.get(game) != saved:
            self._saved[game] = saved
            if self._indexed:
                self._changed.add(game)

    def _with_tracking(self, saved: StoredGame) -> StoredGame:
        """Return a game as the list has it, with the tracking chosen after its last line."""
        kept = self._drafts.of(saved.name)
        return replace(saved, tracking=kept.tracking) if kept.tracking and kept.lines == saved.lines else saved
