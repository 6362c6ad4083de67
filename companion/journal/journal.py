"""The journal: saves every game line by line, the settings and the draft. It knows nothing of games.

The chains in memory are authoritative. Lines that the disk refuses wait there, and are written once it accepts them.
"""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import MsgspecError, Struct, convert, to_builtins
from msgspec.structs import replace

from companion.core.disk_errors import why
from companion.core.text import N_, Text

from . import chain
from .chain_files import Chain
from .folder import Folder, JournalFault, JournalInUse, StoredGame, number
from .note import noted

_LOG = logging.getLogger(__name__)

LATEST = 30  # unindexed games that are read at once; earlier ones are read while the box idles
MANY = 300  # lines of the draft, or superseded lines of the index, after which the file is rewritten
DRAFTS = 20  # the latest values of the draft, kept when it is rewritten
RECENT = 200  # the latest lines of a game whose typed keys are read: more than any round has
_NO_USE = {errno.EACCES, errno.EPERM, errno.EEXIST, errno.ENOTDIR, errno.ENAMETOOLONG}  # waiting does not help

_MENDED = N_("{what}: a damaged file is mended from its copy")
_LOST = N_("{what}: damaged. Entries lost: {count}. The damaged files are kept")
_GONE = N_("{what}: damaged, and nothing of it can be read. Its files are kept")


class _Draft(Struct, frozen=True, omit_defaults=True):
    lines: int = 0
    keys: str = ""
    tracking: str | None = None


class Journal:
    """Saves games, settings and the draft in files."""

    def __init__(self, path: Path | None = None, *, writes: bool = True, scratch: Path | None = None) -> None:
        """Open the journal in a folder for writing or only for reading; without a folder it is kept in memory.

        Typed keys of an unfinished answer go to the scratch folder, if there is one. It is in memory, so that they do
        not wear the SD card.

        Raises:
            JournalInUse: Another process writes to it; only one can, while any number read.
            JournalFault: It cannot be read or made.
        """
        self.path = path  # the folder; None in memory
        self.fault: Text | None = None  # why the last try to write failed; None while everything is on the disk
        self.notices: list[Text] = []  # notices of damage for the table, until the caller removes them
        self._writes = writes
        self._folder = Folder(path, scratch)
        self._settings = self._folder.records("settings", copies=2)
        self._imported = self._folder.records("imported", copies=2)
        self._draft = self._folder.records("draft")
        self._typed = self._folder.records("typed")
        self._index = self._folder.records("index", synced=False)
        self._games: dict[str, Chain] = {}  # the game used last, and games that are not saved
        self._saved: dict[str, StoredGame] = {}  # every known game
        self._indexed = False  # whether the index was read
        self._short: set[str] = set()  # games known to have lost lines
        self._changed: set[str] = set()  # games whose row in the index is out of date
        self._unread: list[str] = []  # games not read since the start, the latest last
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        try:
            if self._writes:
                self._folder.reach()
        except OSError as error:
            self.fault = why(error)
            if error.errno in _NO_USE:
                raise JournalFault(f"the journal cannot be kept in {path}: {self.fault}") from error
        try:
            self._load(self._settings, "settings", Text(N_("Settings")))
        except OSError as error:
            self._folder.release()
            raise JournalFault(f"the journal cannot be read in {path}: {why(error)}") from error
        with suppress(OSError):
            self._load(self._draft, "draft", None)
            self._typed = self._folder.typed()
            self._load(self._typed, "typed keys", None)
            for slot, turn in self._typed.turns.items():
                if turn > self._draft.turns.get(slot, 0):
                    self._draft.values[slot], self._draft.turns[slot] = self._typed.values[slot], turn
        self._bring(self._settings, self._typed, self._draft)  # what a start shows is on the disk
        if os.path.exists(path / "journal.db"):
            _LOG.warning("companion: %s/journal.db is of an earlier program: it is left as it is, and not read", path)

    # Games

    def games(self) -> list[StoredGame]:
        """Return every known game, the latest first."""
        self._read_index()
        return [self._now(self._saved[name]) for name in sorted(sorted(self._saved), key=number, reverse=True)]

    def saved(self, game: str) -> StoredGame:
        """Return a game as the list has it; raises JournalFault if it is missing or unreadable."""
        self._chain(game)
        return self._now(self._saved[game])

    def lines(self, game: str) -> list[str]:
        """Return a game's lines after the header; raises JournalFault if it is missing or unreadable."""
        return [chain.text(row) for row in self._chain(game).rows[1:]]

    def timed_lines(self, game: str) -> list[tuple[str, float]]:
        """Return a game's header and lines, each with when it was written, in seconds since 1970, or 0; as `lines`."""
        return [(chain.text(row), noted(row).at) for row in self._chain(game).rows]

    def keys(self, game: str) -> dict[int, str]:
        """Return the keys typed for the latest lines of a game, by the number of the line; the header is line 1."""
        rows = self._chain(game).rows
        recent = enumerate(rows[1:][-RECENT:], max(2, len(rows) - RECENT + 1))
        return {number: keys for number, row in recent if (keys := noted(row).keys)}

    def names(self) -> list[str]:
        """Return the names of all games, by number; reads no game."""
        self._read_index()
        return sorted(sorted({*self._saved, *self._unread}), key=number)

    def name_for(self, kind: str) -> str:
        """Return a name for a new game: the next number and the kind of game (small letters and hyphens)."""
        latest = max(map(number, self.names()), default=0)
        return f"{latest + 1:06d}-{kind}-{os.urandom(4).hex()}"

    def read_recent(self) -> None:
        """Read the games written since the index was: for a process that only reads while another one writes."""
        self._read_index()
        for name in self._folder.games_since("index")[-LATEST:]:
            with suppress(JournalFault):
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

    def append(self, game: str, line: str, *, now: float, tracking: str, keys: str = "", over: bool = False) -> None:
        """Write the next line of a game, with its typed keys and whether it ends the game."""
        note = {"at": now, "tracking": tracking, "keys": keys} | ({"over": True} if over else {})
        self._add(game, self._chain(game), (line, note))

    def _add(self, game: str, entered: Chain, *lines: tuple[str, dict[str, Any]]) -> None:
        for line in lines:
            entered.add(*line)
        self._hold(game, entered)
        self._list(game, entered)
        self._changed.add(game)
        self._bring(entered)

    def _hold(self, game: str, held: Chain) -> None:
        """Keep a game in memory, and drop the others that are saved."""
        if game not in self._games:
            self._bring(held)
            keep = (name for name, each in self._games.items() if each.unsaved or not self._folder.path)
            self._games = {name: self._games[name] for name in keep} | {game: held}

    def track(self, game: str, tracking: str) -> None:
        """Save the tracking chosen for a game."""
        self._keep(f"draft {game or 'new'}", to_builtins(replace(self._half(game), tracking=tracking)), sync=True)

    def unsaved(self, game: str | None = None) -> int:
        """Return how many lines are not on the disk, of all games or of one."""
        return sum(each.unsaved for name, each in self._games.items() if game in (None, name))

    # Settings, and the draft

    def setting(self, name: str) -> str | None:
        """Return a setting's value; None if it was never chosen."""
        value = self._settings.values.get(name)
        return value if isinstance(value, str) else None

    def keep_setting(self, name: str, value: str) -> None:
        """Save a setting."""
        self._settings.keep(name, value)
        self._bring(self._settings)

    def imported(self) -> dict[str, Any]:
        """Return what was imported, by its source's id; raises JournalFault if it cannot be read now."""
        if not self._imported.rows:
            try:
                self._load(self._imported, "imported", Text(N_("Imported games")))
            except OSError as error:
                raise JournalFault(Text(N_("imported games cannot be read: {why}"), why=why(error))) from error
        return self._imported.values

    def keep_imported(self, values: dict[str, Any]) -> None:
        """Save what was imported, all of it at once."""
        self.imported()
        for each in values.items():
            self._imported.keep(*each)
        self._bring(self._imported)

    def open_game(self) -> str | None:
        """Return the name of the game that was open last; None if none was."""
        game = self._draft.values.get("open game")
        return game if isinstance(game, str) else None

    def set_open_game(self, game: str | None) -> None:
        """Save which game is open."""
        self._keep("open game", game, sync=True)

    def draft(self, game: str | None) -> str:
        """Return the keys of the unfinished entry of a game; None is for a set-up."""
        return self._half(game).keys

    def keep_draft(self, game: str | None, keys: str, *, sync: bool = False) -> None:
        """Save the keys of the unfinished entry. A kill loses none, a power cut only those not synced."""
        self._keep(f"draft {game or 'new'}", to_builtins(replace(self._half(game), keys=keys)), sync=sync)

    def _keep(self, slot: str, value: object, *, sync: bool) -> None:
        """Save a value of the draft, synced if asked."""
        values, chains = self._draft.values, (self._typed, self._draft) if sync else (self._typed,)
        turn = 1 + max((*self._draft.turns.values(), *self._typed.turns.values()), default=0)
        values.pop(slot, None)
        values[slot], self._draft.turns[slot] = value, turn  # the latest last
        for records in chains:
            if len(records.rows) > MANY:
                records.begin_anew({"open game": self.open_game()} | dict([*values.items()][-DRAFTS:]), turn)
            records.keep(slot, value, turn)
        self._bring(*chains)

    def _kept(self, game: str | None) -> _Draft:
        kept = self._draft.values.get(f"draft {game or 'new'}")
        if kept is not None:  # most games have none
            with suppress(MsgspecError):
                return convert(kept, _Draft)
        return _Draft()

    def _half(self, game: str | None) -> _Draft:
        """Return the draft that belongs after a game's last line."""
        kept, lines = self._kept(game), 0
        if game is not None:
            held = self._chain(game)
            self._hold(game, held)
            lines = len(held.rows) - 1
        return kept if kept.lines == lines else _Draft(lines)

    # The disk

    def save(self) -> bool:
        """Try to write everything that is not on the disk; return whether all of it is now."""
        self.fault = None
        self._bring(self._settings, self._imported, self._draft, self._typed, *self._games.values())
        return self.fault is None

    def update_index(self) -> None:
        """Bring the index up to date; a failure loses nothing."""
        if self._changed:
            self._read_index()
            if len(self._index.rows) > 2 * len(self._saved) + MANY:
                self._index.begin_anew({name: to_builtins(saved) for name, saved in self._saved.items()})
            for name in self._changed:
                self._index.keep(name, to_builtins(self._saved.get(name)))
            self._changed.clear()
            with suppress(OSError):
                if self._writes and self.fault is None:
                    self._index.bring()

    def check_next(self) -> bool:
        """Check and repair the next game not read since the start; return whether there are more."""
        self._read_index()
        if self._unread:
            with suppress(JournalFault):  # its files are kept as they are
                self._chain(self._unread.pop())
            if not self._unread:
                self.update_index()
        return bool(self._unread)

    def close(self) -> None:
        """Try once more to write what is not saved, and release the folder."""
        if self.fault is not None:
            self.save()
        self.update_index()
        self._folder.release()

    def _bring(self, *chains: Chain) -> None:
        """Write chains. After a failure the rest waits for `save`."""
        if not self._writes or self.fault is not None:
            return
        found = False
        try:
            if self._folder.reach():
                chains = (*chains, self._settings, self._imported, self._draft, self._typed, *self._games.values())
        except (OSError, JournalInUse) as error:
            self.fault = why(error) if isinstance(error, OSError) else error.text
            return
        for each in chains:
            try:
                found |= each.bring()
            except OSError as error:  # the others are written all the same
                self.fault = self.fault or why(error)
        if found:
            self._tell("journal", Text(N_("Files were gone or changed. All that is open is written anew")))

    # Reading

    def _read_index(self) -> None:
        """Read the games of the index, and the latest games that it lacks."""
        if self._indexed:
            return
        listed = dict[str, StoredGame | None]()
        with suppress(OSError, MsgspecError):
            self._load(self._index, "index", None)
            listed = convert(self._index.values, dict[str, StoredGame | None])
        try:
            self._unread = self._folder.games()  # after the index, which another process may be writing
        except OSError as error:
            _LOG.warning("companion: the games cannot be listed: %s", why(error))
            return
        self._indexed, there = True, {*self._unread, *self._saved}
        for name, saved in listed.items():
            if saved is not None and name not in there:
                self._tell(name, Text(N_("{what} is gone from the disk"), what=_game(name)))
                self._changed.add(name)
            elif saved and saved.lines > self._saved.setdefault(name, saved).lines and name not in self._short:
                self._tell(name, Text(_LOST, what=_game(name), count=saved.lines - self._saved[name].lines))
        self._changed |= {name for name, saved in self._saved.items() if listed.get(name) != saved}
        for name in [name for name in self._unread if name not in self._saved][-LATEST:]:
            with suppress(JournalFault):
                self._chain(name)

    def _chain(self, game: str) -> Chain:
        """Return a game's chain."""
        if game in self._games:
            return self._games[game]
        known, read, what = self._saved.get(game), self._folder.game(game), _game(game)
        try:
            self._load(read, game, what, 0 if known is None else known.lines + 1)
        except OSError as error:
            fault = Text(N_("{game} cannot be read: {why}"), game=what, why=why(error))
            if known is None:
                self._tell(game, fault)
            raise JournalFault(fault) from error
        if not read.rows:
            self._saved.pop(game, None)
            self._changed.add(game)
            raise JournalFault(Text(N_("there is no game {number}"), number=number(game)))
        self._list(game, read)
        if game == self.open_game():
            self._hold(game, read)
        return read

    def _load(self, read: Chain, name: str, what: Text | None, least: int = 0) -> None:
        """Read a chain, repair its files, and report damage.

        ``what`` is its name in notices to the table; ``least`` is how many lines it is known to have had.
        """
        damaged, copy_damaged, lost = read.load()
        lost = max(lost, least - len(read.rows))
        self._short |= {name} if lost else set()
        if not read.whole:
            self._bring(read)
        mended = damaged and self._writes and self.fault is None
        template = (_LOST if read.rows else _GONE) if lost else _MENDED if mended else None
        if template is not None and what is not None:
            self._tell(name, Text(template, what=what, count=lost))
        elif damaged or copy_damaged or lost:
            _LOG.warning("companion: %s: a file is damaged; no entry is lost", name)

    def _tell(self, name: str, text: Text) -> None:
        _LOG.warning("companion: %s: %s", name, text)
        self.notices.append(text)

    def _list(self, game: str, read: Chain) -> None:
        first, last = noted(read.rows[0]), noted(read.rows[-1])
        header, lines = chain.text(read.rows[0]), len(read.rows) - 1
        saved = StoredGame(game, number(game), header, last.tracking, last.over, lines, first.at)
        if self._saved.get(game) != saved:
            self._saved[game] = saved
            if self._indexed:
                self._changed.add(game)

    def _now(self, saved: StoredGame) -> StoredGame:
        """Return a game as the list has it, with the tracking chosen after its last line."""
        kept = self._kept(saved.name)
        return replace(saved, tracking=kept.tracking) if kept.tracking and kept.lines == saved.lines else saved


def _game(name: str) -> Text:
    return Text(N_("Game {number}"), number=number(name))
