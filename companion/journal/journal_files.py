"""The files of a journal: loads and writes its chains, and reports what fails or is damaged."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

from companion.core.program_log import ProgramLog
from companion.core.text import N_, Text, why

from . import damage_notices, disk
from .drafts import Drafts
from .folder import Folder, JournalError, JournalInUseError, StoredGame
from .mirrored_chain import MOST_SUPERSEDED, Chain, NamedValues

_LOG = ProgramLog(__name__)

_QUIET = {"index", "draft", "typed"}  # made again, or lost without harm: their damage is only logged
_NO_USE = {errno.EACCES, errno.EPERM, errno.EEXIST, errno.ENOTDIR, errno.ENAMETOOLONG}  # waiting does not help


class JournalFiles:
    """A journal's files, each a chain of lines that prove each other; in a folder, or in memory only."""

    def __init__(self, path: Path | None, *, writes: bool, scratch: Path | None) -> None:
        """Lock the folder, unless it is only read, and load settings and drafts; see `Journal`."""
        self.path = path  # the folder; None in memory
        self.fault: Text | None = None  # why the last try to write failed; None while everything is on the disk
        self.draft_fault: Text | None = None  # the same of drafts, which delay nothing
        self.notices: list[Text] = []  # notices of damage for the table, until the caller removes them
        self._writes = writes
        self._folder = Folder(path, scratch)
        self._settings = self._folder.named_values("settings", copies=2)
        self._imported = self._folder.named_values("imported", copies=2)
        self._remarks = self._folder.named_values("remarks", copies=2)
        self._saved: dict[str, StoredGame] = {}  # every known game
        self._drafts = Drafts(self._folder, self._saved)
        self._index = self._folder.named_values("index", synced=False)
        self._games: dict[str, Chain] = {}  # the game used last, and games that are not saved
        self._reported: set[str] = set()  # files and folders whose faults were reported
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        if not self._writes and (fault := disk.fault_of(path)) is not None:
            raise JournalError(f"the journal cannot be read in {path}: {why(fault)}")
        try:
            if self._writes:
                self._folder.lock()
        except OSError as error:
            self.fault = why(error)
            if error.errno in _NO_USE:
                raise JournalError(f"the journal cannot be kept in {path}: {self.fault}") from error
        self._load_values(self._settings)
        typed = self._folder.typed()
        for each in (self._drafts.chains[0], typed):
            try:
                self._load(each)
            except OSError as error:
                self._report_once("draft", Text(damage_notices.NO_DRAFT, why=why(error)))
        self._drafts.use_typed(typed)
        self._write(self._settings, *self._drafts.chains)  # what a start shows is on the disk

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
            self._folder.tell_unsaved(sum(each.unsaved for each in self._games.values()))

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

    # Settings and imports

    def setting(self, name: str) -> str | None:
        """Return a setting's value; None if it was never chosen."""
        value = self._settings.values.get(name)
        return value if isinstance(value, str) else None

    def keep_setting(self, name: str, value: str) -> None:
        if not self._settings.rows:
            self._load_values(self._settings)  # it may be readable again
        self._keep(self._settings, name, value)

    def _keep(self, kept: NamedValues, name: str, value: Any) -> None:
        """Write a named value, unless it is there; a file that grew too long is replaced."""
        values = kept.values
        if values.get(name) != value:
            if len(kept.rows) > MOST_SUPERSEDED + len(values):
                kept.replace_values(dict(values))
            kept.keep(name, value)
            self._write(kept)

    def imported(self) -> dict[str, Any]:
        """Return what was imported, by its source's id; raises JournalError if it cannot be read now."""
        return self._loaded_values(self._imported, N_("imported games cannot be read: {why}"))

    def remarks(self) -> dict[str, Any]:
        """Return what people noted of games, by an id of the game; raises JournalError if it cannot be read now."""
        return self._loaded_values(self._remarks, N_("places and notes of games cannot be read: {why}"))

    def keep_remark(self, game: str, value: Any) -> None:
        """Save what people noted of a game, by an id of the game; raises JournalError as `remarks`."""
        self.remarks()
        self._keep(self._remarks, game, value)

    def _loaded_values(self, kept: NamedValues, template: str) -> dict[str, Any]:
        """Return named values, which are read when somebody first asks."""
        if not kept.rows:
            try:
                self._load(kept)
            except OSError as error:
                raise JournalError(Text(template, why=why(error))) from error
        return kept.values

    def keep_imported(self, values: dict[str, Any]) -> None:
        """Save what was imported, all of it at once."""
        self.imported()
        for each in values.items():
            self._imported.keep(*each)
        self._write(self._imported)

    # Reading

    def _load_values(self, read: NamedValues) -> None:
        """Read a chain that the box can do without."""
        try:
            self._load(read)
        except OSError as error:
            self._report_once(read.name, damage_notices.unreadable(read.name, error))

    def _load(self, read: Chain, before: int = 0) -> Text | None:
        """Read a chain, repair its files, and report damage; return the report of a game that lacks entries.

        ``before`` is how many entries it had, at least.
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

    def _report_failing(self, read: Chain) -> None:
        """Add a notice that one of two files cannot be used, once for each file."""
        for file, fault in read.failing.items() if read.name not in _QUIET else ():
            self._report_once(*damage_notices.failing(read.name, file, fault))

    def _report_once(self, what: str, text: Text) -> None:
        if what not in self._reported:
            self._reported.add(what)
            self._report(what, text)

    def _report(self, name: str, text: Text) -> None:
        _LOG.warning("companion: %s: %s", name, text)
        self.notices.append(text)
