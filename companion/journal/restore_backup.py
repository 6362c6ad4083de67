"""Merges a backup into a journal's folder."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from companion.core.text import N_, Text, why

from . import added_game_files, chain
from .act_as_owner import as_owner_of
from .backup import NAMED_VALUES, PRIVATE, content_of, damages, is_game_file, opened_backup
from .folder import REMOVED, Folder, JournalError, JournalInUseError, RemovedGames, number
from .mirrored_chain import Chain, NamedValues

if TYPE_CHECKING:
    from zipfile import ZipFile

_GONE = N_("{file} cannot be read any more: {why}. What was restored stays; restore it again for the rest")

MOST_GAMES = 10**9
"""Games with a higher number get another: the next game would not be found under a number of too many digits."""


WAITING = "to-restore.zip"
"""The file in the journal's folder that is restored at the next start."""

REFUSED = "not-restored.zip"
"""The name that it gets if it cannot be restored."""


class BackupContent(Struct, frozen=True):
    """What is in a backup, for people who decide about it."""

    games: int
    lines: int  # the entries of all games


class RestoreResult(Struct):
    """The outcome of restoring a backup: names of games."""

    added: list[str] = field(default_factory=list)  # games that were not there
    extended: list[str] = field(default_factory=list)  # games of which the backup had more entries
    same: list[str] = field(default_factory=list)  # games that were there with all entries of the backup
    # Games that went on differently here and in the backup. Both are kept; these are the new names of the backup's.
    conflicting: list[str] = field(default_factory=list)
    game_files: list[str] = field(default_factory=list)  # added games whose files were not there
    other_rules: list[str] = field(default_factory=list)  # added games with another file here, which was kept
    other_notes: list[str] = field(default_factory=list)  # plays with another place or notes here, which were kept
    # settings in the backup that belong to a box alone, and were not taken: who may press keys
    refused: list[str] = field(default_factory=list)


def restore(folder: Path, file: Path) -> RestoreResult:
    """Merge a backup into the journal in a folder; the folder is made if it is not there.

    The whole backup is checked before anything is touched. No entry of the folder is lost: a game is only ever
    extended. If it went on differently in the backup, that one is added with the next number. Of settings, of
    places and notes, and of the files of added games, those that the folder has stay. The draft is only taken into a
    folder without one. Root does it as the folder's owner.

    Raises:
        JournalInUseError: A box uses the folder.
        JournalError: The backup is damaged, or the folder cannot be read or written.
        OSError: The backup cannot be read.
    """
    with opened_backup(file) as archive, as_owner_of(folder):
        target = Folder(folder)
        try:
            target.lock()
            return _merged(target, archive, file)
        except OSError as error:
            raise JournalError(f"the journal cannot be written in {folder}: {why(error)}") from error
        finally:
            target.release()


def restore_waiting(folder: Path) -> RestoreResult | None:
    """Restore the backup that waits in a journal's folder; return None if there is none.

    Raises JournalError if it cannot be restored; then it is kept under another name.
    """
    file = folder / WAITING
    if not file.is_file():
        return None
    try:
        restored = restore(folder, file)
    except JournalInUseError:
        raise
    except JournalError:
        file.replace(folder / REFUSED)
        raise
    file.unlink()
    return restored


def content_of_backup(file: Path) -> BackupContent:
    """Return what is in a backup; raise JournalError if it is damaged or foreign."""
    with opened_backup(file) as archive:
        games = [member for member in archive.infolist() if member.filename.startswith("games/")]
        lines = sum(max(0, content_of(archive, member).count(b"\n") - 1) for member in games)
        return BackupContent(len(games), lines)


def _merged(target: Folder, archive: ZipFile, file: Path) -> RestoreResult:
    games = _Games(target)
    for member in archive.infolist():
        try:
            content = content_of(archive, member)
        except OSError as error:
            raise JournalError(Text(_GONE, file=file, why=why(error))) from error
        except damages() as error:  # it was whole a moment ago
            raise JournalError(Text(_GONE, file=file, why=why(OSError(errno.EIO, "")))) from error
        name, rows = Path(member.filename).stem, chain.rows(content)
        if is_game_file(member.filename):
            games.take_file(name, content)
        elif name in NAMED_VALUES:
            _merge_values(target.named_values(name, copies=NAMED_VALUES[name]), rows, games.restored)
        else:
            games.merge(name, rows, removed=member.filename.startswith(REMOVED))
    return games.restored


class _Games:
    """Merges games into the folder. A game may have another number there, but keeps its id.

    A game that was removed here stays so, with the entries of the backup.
    """

    def __init__(self, target: Folder) -> None:
        self.restored = RestoreResult()
        self._target, self._removed = target, RemovedGames(target.path)
        self._names: dict[str, dict[str, Folder]] = {}
        self._latest = 0
        for folder in (target, self._removed):
            for name in folder.games():
                self._add_name(name, folder)

    def _add_name(self, name: str, folder: Folder) -> None:
        self._names.setdefault(_without_number(name), {})[name] = folder
        self._latest = max(self._latest, number(name))

    def merge(self, name: str, rows: chain.Rows, *, removed: bool = False) -> None:
        relatives = self._names.get(_without_number(name), {})
        for other in sorted(relatives, key=lambda other: other != name):
            ours = relatives[other].game(other)
            ours.load()
            if ours.rows[: len(rows)] == rows:
                self.restored.same.append(other)
                return
            if ours.rows == rows[: len(ours.rows)]:
                _replace(ours, rows)
                self.restored.extended.append(other)
                return
        new, kind = name, self.restored.added
        if name in relatives or number(name) > MOST_GAMES:
            new = f"{self._latest + 1:06d}-{_without_number(name)}"
        if name in relatives:
            kind = self.restored.conflicting
        folder = self._removed if removed else self._target
        _replace(folder.game(new), rows)
        self._add_name(new, folder)
        kind.append(new)

    def take_file(self, name: str, content: bytes) -> None:
        """Take the file of an added game, unless there is one: its rules may be other ones."""
        file = (self._target.path or Path()) / added_game_files.FOLDER / f"{name}{added_game_files.SUFFIX}"
        if not os.path.lexists(file):
            added_game_files.write(file, content)
            os.utime(file, (0, 0))  # when its rules were changed is not known
            self.restored.game_files.append(name)
        elif not added_game_files.holds(file, content):
            self.restored.other_rules.append(name)


def _without_number(name: str) -> str:
    return name.partition("-")[2]


def _merge_values(ours: NamedValues, rows: chain.Rows, restored: RestoreResult) -> None:
    """Take named values that the folder lacks, a draft only if there is none."""
    ours.load()
    theirs = NamedValues(ours.name)
    theirs.rows = rows
    theirs.read_values()
    if ours.name == "draft":
        if not ours.rows:
            _replace(ours, rows)
        return
    refused = PRIVATE & theirs.values.keys() if ours.name == "settings" else set()
    restored.refused += sorted(refused)
    for each, value in theirs.values.items():
        if each not in ours.values and each not in refused:
            ours.keep(each, value)
        elif ours.name == "remarks" and value != ours.values[each]:
            restored.other_notes.append(each)
    ours.write()


def _replace(stored: Chain, rows: chain.Rows) -> None:
    stored.rows = rows
    stored.write()
