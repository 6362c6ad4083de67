"""The journal: saves every game line by line, the settings and the draft. It knows nothing of games.

The chains in memory are authoritative. Lines that the disk refuses wait there, and are written once it accepts them.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import MsgspecError, to_builtins
from msgspec.structs import replace

from companion.core.program_log import ProgramLog
from companion.core.text import N_, Text, why
from companion.decoding import convert

from . import chain, damage_notices, disk
from .drafts import NEW, OPEN, Draft, Drafts
from .folder import Folder, JournalError, JournalInUseError, RemovedGames, StoredGame, number
from .mirrored_chain import MOST_SUPERSEDED, Chain, NamedValues

_LOG = ProgramLog(__name__)

LATEST = 30  # unindexed games that are read at once; earlier ones are read while the box idles
LATEST_NUMBER = "latest number"  # the setting that keeps the highest number of a game that was deleted

_QUIET = {"index", "draft", "typed"}  # made again, or lost without harm: their damage is only logged
_NO_USE = {errno.EACCES, errno.EPERM, errno.EEXIST, errno.ENOTDIR, errno.ENAMETOOLONG}  # waiting does not help


class Journal:
    """Saves games, settings and the draft in files, each a chain of lines that prove each other; or in memory only."""

    def __init__(self, path: Path | None = None, *, writes: bool = True, scratch: Path | None = None) -> None:
        """Open the journal in a folder for writing or only for reading; without a folder it is kept in memory.

        Typed keys of an unfinished answer go to the scratch folder, if there is one. It is in memory, so that they do
        not wear the SD card. Raises JournalInUseError if another process writes to it (only one can, while any number
        read), JournalError if it cannot be read or made.
        """
        self.path = path  # the folder; None in memory
        self.fault: Text | None = None  # why the last try to write failed; None while everything is on the disk
        self.draft_fault: Text | None = None  # the same of drafts, which delay nothing
        self.notices: list[Text] = []  # notices of damage for the table, until the caller removes them
        self.left_out: dict[str, Text] = {}  # games that cannot be read, or not with all lines that they had, and why
        self._writes = writes
        self._folder = Folder(path, scratch)
        self._settings, self._imported, self._remarks = (
            self._folder.named_values(name, copies=2) for name in ("settings", "imported", "remarks")
        )
        self._index = self._folder.named_values("index", synced=False)
        self._indexed = False  # whether the index was read
        self._saved: dict[str, StoredGame] = {}  # every known game
        self._changed: set[str] = set()  # games whose row in the index is out of date
        self._unread: list[str] = []  # games not read since the start, the latest last
        self._games: dict[str, Chain] = {}  # the game used last, and games that are not saved
        self._removed = RemovedGames(path)
        self._drafts = Drafts(self._folder, self._saved)
        self._reported: set[str] = set()  # files and folders whose faults were reported
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        """Lock the folder, unless it is only read, and load settings and drafts."""
        self._check_readable()
        try:
            if self._writes:
                self._folder.lock()
        except OSError as error:
            self.fault = why(error)
            if error.errno in _NO_USE:
                raise JournalError(f"the journal cannot be kept in {path}: {self.fault}") from error
        self._load_quietly(self._settings)
        self._load_drafts(self._folder.typed())
        self._write(self._settings, *self._drafts.chains)  # what a start shows is on the disk

    def _check_readable(self) -> None:
        if self.path is not None and not self._writes and (fault := disk.fault_of(self.path)) is not None:
            raise JournalError(f"the journal cannot be read in {self.path}: {why(fault)}")

    def close(self) -> None:
        """Try once more to write what is not saved, and release the folder."""
        if self.fault is not None or self.draft_fault is not None:
            self.save()
        self.update_index()
        self._folder.release()

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
        return [(chain.text(row), chain.note_of(row).at) for row in self._chain(game).rows]

    def keys(self, game: str) -> dict[int, str]:
        """Return the keys typed for the latest lines of a game, by line; see `companion.journal.chain.typed_keys`."""
        return chain.typed_keys(self._chain(game).rows)

    def names(self) -> list[str]:
        """Return the names of all games, by number; reads no game."""
        self._read_index()
        return sorted(sorted({*self._saved, *self._unread}), key=number)

    def name_for(self, kind: str) -> str:
        """Return a name for a new game: the next number and the kind of game (small letters and hyphens)."""
        latest = max(map(number, (*self.names(), *self.removed_names())), default=0)
        latest = max(latest, int(self.setting(LATEST_NUMBER) or 0))
        return f"{latest + 1:06d}-{kind}-{os.urandom(4).hex()}"

    def unsaved(self, game: str | None = None) -> int:
        """Return how many lines are not on the disk, of all games or of one."""
        return sum(each.unsaved for name, each in self._games.items() if game in (None, name))

    # Entering

    def begin(self, game: str, header: str, tracking: str, now: float) -> None:
        """Begin a game with the header of its log. ``now`` is in seconds since 1970, here and in `append`."""
        self.add_game(game, [(header, {"at": now, "tracking": tracking})])

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
        """Write the next line of a game; see `companion.journal.chain.Note` for what is noted beside it."""
        note: dict[str, Any] = {"at": now, "tracking": tracking, "keys": keys or ""}
        note |= ({"chosen": True} if keys == "" else {}) | chain.note_of_state(over=over, empty=empty, players=players)
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

    # Games that were removed

    def removed_names(self) -> list[str]:
        """Return the names of the games that were removed, by number; none if they cannot be listed."""
        with suppress(OSError):
            return self._removed.games()
        return []

    def removed(self) -> list[StoredGame]:
        """Return the games that were removed, the latest first; without those that cannot be read or have no entry."""
        chains = [self._removed.loaded(name) for name in reversed(self.removed_names())]
        games = [StoredGame.of(each.name, each.rows) for each in chains if each.rows]
        return [game for game in games if game.has_entries]

    def put_away(self, game: str) -> None:
        """Move a game into the folder for removed games; raises JournalError if it stays where it is."""
        kept = self._chain(game)
        self._write(kept)
        if self.fault is not None or kept.failing:
            raise damage_notices.not_moved(game, self.fault or damage_notices.ONE_FAILS)
        try:
            self._removed.put_away(kept)
        except OSError as error:
            self._games.pop(game, None)  # its files are read again
            raise damage_notices.not_moved(game, why(error)) from error
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
            raise damage_notices.not_moved(game, why(error)) from error
        if found.rows:
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

    # Settings, imported plays and remarks

    def setting(self, name: str) -> str | None:
        """Return a setting's value; None if it was never chosen."""
        value = self._settings.values.get(name)
        return value if isinstance(value, str) else None

    def keep_setting(self, name: str, value: str) -> None:
        if not self._settings.rows:
            self._load_quietly(self._settings)  # they may be readable again
        self._keep(self._settings, name, value)

    def imported(self) -> dict[str, Any]:
        """Return what was imported, by its source's id; raises JournalError if it cannot be read now."""
        return self._values(self._imported, N_("imported games cannot be read: {why}"))

    def keep_imported(self, values: dict[str, Any]) -> None:
        """Save what was imported, all of it at once."""
        self.imported()
        for each in values.items():
            self._imported.keep(*each)
        self._write(self._imported)

    def remarks(self) -> dict[str, Any]:
        """Return what people noted of games, by an id of the game; raises JournalError if it cannot be read now."""
        return self._values(self._remarks, N_("places and notes of games cannot be read: {why}"))

    def keep_remark(self, game: str, value: Any) -> None:
        """Save what people noted of a game, by an id of the game; raises JournalError as `remarks`."""
        self.remarks()
        self._keep(self._remarks, game, value)

    def _values(self, kept: NamedValues, template: str) -> dict[str, Any]:
        """Return named values, which are read when somebody first asks."""
        if not kept.rows:
            try:
                self._load(kept)
            except OSError as error:
                raise JournalError(Text(template, why=why(error))) from error
        return kept.values

    def _keep(self, kept: NamedValues, name: str, value: Any) -> None:
        """Write a named value, unless it is there; a file that grew too long is replaced."""
        values = kept.values
        if values.get(name) != value:
            if len(kept.rows) > MOST_SUPERSEDED + len(values):
                kept.replace_values(dict(values))
            kept.keep(name, value)
            self._write(kept)

    # The draft

    def open_game(self) -> str | None:
        """Return the name of the game that was open last; None if none was."""
        return self._drafts.open_game

    def set_open_game(self, game: str | None) -> None:
        """Write which game is open; before, so that a kill finds one of both, the index gets the one that is left."""
        self.update_index()
        self._write(*self._drafts.keep(OPEN, game, sync=True))

    def draft(self, game: str | None) -> Any:
        """Return the unfinished entry of a game, empty if there is none; None is for a set-up."""
        draft = self._draft_of(game)
        return draft.given or draft.keys

    def keep_draft(self, game: str | None, given: object, *, sync: bool = False) -> None:
        """Save the unfinished entry, as JSON values. A kill loses nothing, a power cut only what is not synced."""
        self._keep_draft(game, replace(self._draft_of(game), given=given, keys=""), sync=sync)

    def track(self, game: str, tracking: str) -> None:
        """Save how closely a game is entered from here on."""
        self._keep_draft(game, replace(self._draft_of(game), tracking=tracking), sync=True)

    def _keep_draft(self, game: str | None, draft: Draft, *, sync: bool) -> None:
        self._write(*self._drafts.keep(game or NEW, draft, sync=sync))

    def _draft_of(self, game: str | None) -> Draft:
        """Return the draft that belongs after a game's last line."""
        kept, lines = self._drafts.of(game or NEW), 0
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

    def read_recent(self) -> None:
        """Read what another process has written since: for a process that only reads, which may call it again.

        Games that went on since the index was written are read, up to `LATEST` of them. Raises JournalError if the
        folder cannot be read any more.
        """
        self._check_readable()
        self._games.clear()
        if self._index.changed or self.left_out:  # what could not be read is tried again
            self._saved.clear()
            self.left_out.clear()
            self._indexed = False
        for each in (self._settings, self._imported, self._remarks):
            if each.changed:
                self._load_quietly(each)
        if any(each.changed for each in self._drafts.chains):
            self._load_drafts(self._drafts.chains[1])
        self._read_index()
        for name in self._folder.games_since("index")[-LATEST:]:
            with suppress(JournalError):
                self._chain(name)

    def _read_index(self) -> None:
        """Read the games of the index, and the latest games that it lacks."""
        if self._indexed:
            return
        listed = dict[str, StoredGame | None]()
        try:
            self._load(self._index)
            listed = convert(self._index.values, dict[str, StoredGame | None])
            self._index.values.clear()  # of thousands of games it takes megabytes
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

    # Reading

    def _chain(self, game: str) -> Chain:
        """Return a game's lines, read unless it is in memory; raise JournalError if it is missing or unreadable."""
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
            self._keep_draft(game, Draft(len(read.rows) - 1), sync=True)
        self._register(game, read)
        if game == self.open_game():
            self._cache(game, read)
        return read

    def _register(self, game: str, read: Chain) -> None:
        saved = StoredGame.of(game, read.rows)
        if self._saved.get(game) != saved:
            self._saved[game] = saved
            if self._indexed:
                self._changed.add(game)

    def _with_tracking(self, saved: StoredGame) -> StoredGame:
        """Return a game as the list has it, with the tracking chosen after its last line."""
        kept = self._drafts.of(saved.name)
        return replace(saved, tracking=kept.tracking) if kept.tracking and kept.lines == saved.lines else saved

    def _load(self, read: Chain, before: int = 0) -> Text | None:
        """Read a chain, repair its files, and report damage; return the report of a game that lacks entries.

        ``before`` is how many entries it had, at least. Raises OSError if it may be readable another time.
        """
        found = read.load()
        if not read.complete:
            self._write(read)
        self._report_failing(read)
        is_game = not isinstance(read, NamedValues)
        repaired = self._writes and self.fault is None and not read.failing
        notice = damage_notices.damage(read.name, found, len(read.rows) - is_game, before, repaired=repaired)
        if notice is not None and read.name not in _QUIET:
            self._report(read.name, notice)
            if is_game and (found.may_lack_entries or len(read.rows) <= before):
                return notice
        elif found.damaged or found.copy_damaged or found.may_lack_entries:
            _LOG.warning("companion: %s: a file is damaged", read.name)
        return None

    def _load_drafts(self, typed: NamedValues) -> None:
        for each in (self._drafts.chains[0], typed):
            self._load_quietly(each)
        self._drafts.use_typed(typed)

    def _load_quietly(self, read: NamedValues) -> None:
        """Read values that the box can do without."""
        try:
            self._load(read)
        except OSError as error:
            draft = read.name in ("draft", "typed")
            fault = (
                Text(damage_notices.NO_DRAFT, why=why(error)) if draft else damage_notices.unreadable(read.name, error)
            )
            self._report_once("draft" if draft else read.name, fault)

    # Writing

    def save(self) -> bool:
        """Try to write everything that is not on the disk; return whether all of it is now."""
        self.fault = None
        self._write(*self._chains_in_use())
        return self.fault is None

    def _chains_in_use(self) -> tuple[Chain, ...]:
        """Return all chains in use but the index; games first, so that no draft is ahead of its game."""
        return *self._games.values(), self._settings, self._imported, self._remarks, *self._drafts.chains

    def _write(self, *chains: Chain) -> None:
        """Write chains, and note how many entries are not on the disk. After a failure the rest waits for `save`."""
        if self._writes:
            if self.fault is None:
                self._try_to_write(*chains)
            self._folder.tell_unsaved(self.unsaved())

    def _try_to_write(self, *chains: Chain) -> None:
        found = False
        try:
            if self._folder.lock():
                chains = *chains, *self._chains_in_use()
        except (OSError, JournalInUseError) as error:
            self.fault = why(error) if isinstance(error, OSError) else error.text
            return
        for each in chains:
            try:
                found |= each.write()
            except OSError as error:  # the others are written all the same
                if each not in self._drafts.chains:
                    self.fault = self.fault or why(error)
            else:
                self._report_failing(each)
        self.draft_fault = self._drafts.fault
        if self.draft_fault is not None and self.fault is None:
            self._report_once("draft", Text(damage_notices.NO_DRAFT, why=self.draft_fault))
        if found:
            self._report("journal", Text(damage_notices.REWRITTEN))

    def _report_failing(self, read: Chain) -> None:
        """Add a notice that one of two files cannot be used, once for each file."""
        for file, fault in read.failing.items() if read.name not in _QUIET else ():
            self._report_once(*damage_notices.failing(read.name, file, fault))

    def _report_once(self, what: str, text: Text) -> None:
        if what not in self._reported:
            self._reported.add(what)
            self._report(what, text)

    def _report(self, name: str, text: Text) -> None:
        if not self._writes and text in self.notices:  # one that only reads may read the same often
            return
        _LOG.warning("companion: %s: %s", name, text)
        self.notices.append(text)
