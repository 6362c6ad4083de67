"""Backups: writes the whole journal to one file, checks such a file, and merges it into a journal's folder.

A backup is a zip file of chains as `docs/journal.md` describes them, without the space reserved after them:
``games/NAME.jsonl``, ``settings.jsonl``, ``imported.jsonl``, ``remarks.jsonl`` and ``draft.jsonl``; and of the files of
added games, ``added-games/NAME.toml``. Files that can be made again are left out, and so are the settings that belong
to this box alone. Its comment ends in the BLAKE2b digest (256 bits, in hex) of
everything before that digest, so that a change of any byte is seen. The same games always give the same bytes.

It may be written while a box runs: a chain only ever grows, and what is read of it is valid.
"""

from __future__ import annotations

import errno
import os
from _blake2 import blake2b  # as in `chain`
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from msgspec import MsgspecError, Struct, field

from companion.core.text import N_, Text, why
from companion.decoding import convert

from . import added_game_files, chain, disk
from .act_as_owner import as_owner_of
from .folder import (
    GAME,
    REMOVED,
    Folder,
    JournalError,
    JournalInUseError,
    RemovedGames,
    StoredGame,
    number,
)
from .mirrored_chain import Chain, NamedValues

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

NAMED_VALUES = {"settings": 2, "imported": 2, "remarks": 2, "draft": 1}
"""The chains of named values in a backup, and how many copies the journal has of each."""

MOST_BYTES = 32 * 1024 * 1024  # the most bytes of a chain; a long game has a thousandth of that
MOST_LINES = 200_000  # the most lines of a chain
MOST_LISTED = 4 * 1024 * 1024  # the most bytes of the zip file's list, some fifty thousand games
MOST_IN_ALL = 2 * 1024 * 1024 * 1024  # the most bytes of all chains of a backup
PRIVATE = frozenset({"phones"})  # settings in no backup: who may press keys is decided at the table, not by a file
MARK = b"companion backup 1 "
MOST_GAMES = 10**9  # games with a higher number get another: six to eighteen digits are read
WAITING = "to-restore.zip"  # the file in the journal's folder that is restored at the next start
REFUSED = "not-restored.zip"  # the name that it gets if it cannot be restored
_DIGEST = 64  # hex digits
_PIECE = 1024 * 1024
_SHOWN = 60  # characters of a wrong name

_NOT_WHOLE = N_("{file} is no backup, or it is damaged: nothing was restored")
_NOT_OURS = N_("{file} holds something that is not of a journal ({what}): nothing was restored")
_TOO_LARGE = N_("{file} is too large for a backup: nothing was restored")
_NO_ROOM = N_("{name} is too large for a backup: none was written")
_NO_FILE = N_("{file} is no file, but a link, a folder or a device: nothing was restored")
_GONE = N_("{file} cannot be read any more: {why}. What was restored stays; restore it again for the rest")
_IN_ITSELF = N_("{file} is in the journal's own folder; write the backup to another one")


class Backup(Struct):
    """The content of a backup: its games, and what could not be read when it was written."""

    games: list[str] = field(default_factory=list)  # the names of the games in it
    game_files: list[str] = field(default_factory=list)  # the names of the added games whose files are in it
    # the names of games, other chains and files of added games that could not be read, and are not in it
    unreadable: list[str] = field(default_factory=list)
    shortened: list[str] = field(default_factory=list)  # the names of those that had lost lines; what was left is in it

    @property
    def damaged(self) -> int:
        """Return how many games and other chains are not in it as they were entered."""
        return len(self.unreadable) + len(self.shortened)


def write_backup(folder: Path, file: Path) -> Backup:
    """Write the journal in a folder to a file, and return what the file holds. The folder is only read.

    Raises JournalError if the folder cannot be listed, the file is in it, or could not be restored for its size.
    """
    from zipfile import ZipFile

    if file.resolve().is_relative_to(folder.resolve()):
        raise JournalError(Text(_IN_ITSELF, file=file))
    source, backup = Folder(folder), Backup()
    expected = _line_counts(source)
    try:
        names = source.games()
        removed = RemovedGames(folder)
        away = removed.games()
    except OSError as error:
        raise JournalError(f"the journal cannot be read in {folder}: {why(error)}") from error
    backup.unreadable += sorted(expected.keys() - {*names, *away})
    with disk.written_beside(file) as writing:
        with ZipFile(writing, "w") as archive:
            archive.comment = MARK + b"0" * _DIGEST
            free = MOST_IN_ALL
            for name, copies in NAMED_VALUES.items():
                rows = _loaded_rows(source.named_values(name, copies=copies), backup)
                rows = _public_settings(rows) if name == "settings" else rows
                free = _add_chain(archive, f"{name}.jsonl", rows, free)
            for name in names:
                rows = _loaded_rows(source.game(name), backup, expected.get(name, 0))
                free = _add_chain(archive, f"games/{name}.jsonl", rows, free)
                backup.games += [name] if rows else []
            for name in away:
                rows = _loaded_rows(removed.game(name), backup)
                free = _add_chain(archive, f"{REMOVED}/{name}.jsonl", rows, free)
            _add_game_files(archive, folder / added_game_files.FOLDER, free, backup)
        end = writing.seek(-_DIGEST, os.SEEK_END)
        digest = _digest(writing, end)
        writing.seek(end)
        writing.write(digest)
    return backup


def backup_to_drive(folder: Path, drive: Path, day: date | None) -> tuple[Path, Backup]:
    """Write a backup to a USB drive, and return its file and what that holds; the day is None if the clock is not set.

    A backup of the same day is replaced, but not by one without games that the earlier one may have.
    """
    name = f"companion-backup-{day}" if day else "companion-backup"
    file, incomplete = drive / f"{name}.zip", drive / f"{name}-incomplete.zip"
    written = write_backup(folder, incomplete)
    if written.damaged:
        return incomplete, written
    os.rename(incomplete, file)
    disk.sync_folder(drive)
    return file, written


# Writing


def _line_counts(source: Folder) -> dict[str, int]:
    """Return the games that the index knows, and how many lines each has in its files."""
    index = source.named_values("index")
    try:
        index.load()
        listed = convert(index.values, dict[str, StoredGame | None])
    except (OSError, MsgspecError):
        return {}
    return {name: saved.lines + 1 for name, saved in listed.items() if saved is not None}


def _loaded_rows(stored: Chain, backup: Backup, expected: int = 0) -> chain.Rows:
    """Return a chain's lines, and note in the backup if they are not all; ``expected`` is how many there were."""
    try:
        may_lack_entries = stored.load().may_lack_entries
    except OSError:
        may_lack_entries = True
    if may_lack_entries or len(stored.rows) < expected:
        (backup.shortened if stored.rows else backup.unreadable).append(stored.name)
    return stored.rows


def _public_settings(rows: chain.Rows) -> chain.Rows:
    """Return the settings of a chain without earlier values, and without those that belong to the box alone."""
    settings, public = NamedValues("settings"), NamedValues("settings")
    settings.rows = rows
    settings.read_values()
    for name, value in settings.values.items():
        if name not in PRIVATE:
            public.keep(name, value)
    return public.rows


def _add_chain(archive: ZipFile, name: str, rows: chain.Rows, free: int) -> int:
    """Add a chain to a backup, unless it is empty; return how many bytes may still be added."""
    if len(rows) > MOST_LINES:
        raise JournalError(Text(_NO_ROOM, name=name))
    return _add(archive, name, b"".join(rows), free) if rows else free


def _add_game_files(archive: ZipFile, folder: Path, free: int, backup: Backup) -> None:
    """Add the files of added games, and note in the backup which of them cannot be read."""
    for name in added_game_files.names(folder):
        file = f"{name}{added_game_files.SUFFIX}"
        try:
            text = added_game_files.read(folder / file)
        except JournalError:
            backup.unreadable.append(file)
            continue
        free = _add(archive, f"{added_game_files.FOLDER}/{file}", text.encode(), free)
        backup.game_files.append(name)


def _add(archive: ZipFile, name: str, content: bytes, free: int) -> int:
    from zipfile import ZIP_DEFLATED, ZipInfo

    if len(content) > min(free, MOST_BYTES):
        raise JournalError(Text(_NO_ROOM, name=name))
    member = ZipInfo(name)  # of 1980, so that the same content gives the same bytes
    member.compress_type, member.create_system, member.external_attr = ZIP_DEFLATED, 3, 0o600 << 16
    archive.writestr(member, content)
    return free - len(content)


def _digest(file: BinaryIO, end: int) -> bytes:
    file.seek(0)
    digest = blake2b(digest_size=_DIGEST // 2)
    while piece := file.read(min(_PIECE, end - file.tell())):
        digest.update(piece)
    return digest.hexdigest().encode()


# Checking


@contextmanager
def opened_backup(file: Path) -> Iterator[ZipFile]:
    """Open a backup for a block, after everything in it was checked; raise JournalError if it is damaged or foreign."""
    from zipfile import ZipFile

    with ExitStack() as stack:
        try:
            descriptor, _found = stack.enter_context(disk.opened_file(file))
        except disk.OtherFileError:
            raise JournalError(Text(_NO_FILE, file=file)) from None
        reading = stack.enter_context(open(descriptor, "rb", closefd=False))
        end = reading.seek(0, os.SEEK_END) - _DIGEST
        prefix = b""
        if end >= len(MARK):
            digest = _digest(reading, end)
            reading.seek(end - len(MARK))
            prefix = reading.read()
        if not prefix or prefix != MARK + digest:
            raise JournalError(Text(_NOT_WHOLE, file=file))
        try:
            _check_list(reading, end - len(MARK), file)
            archive = ZipFile(reading)
            _check(archive, file)
        except _damages():
            raise JournalError(Text(_NOT_WHOLE, file=file)) from None
        yield stack.enter_context(archive)


def _check_list(reading: BinaryIO, end: int, file: Path) -> None:
    """Raise an exception unless a zip file ends before its comment, and its list of files fits in memory."""
    from zipfile import BadZipFile

    zip64, last = 20, 22  # bytes of the records at the end; where there is the first, its sizes count
    reading.seek(max(0, end - zip64 - last))
    records = reading.read(zip64 + last)
    if not records[-last:].startswith(b"PK\5\6"):
        raise BadZipFile
    if records.startswith(b"PK\6\7") or int.from_bytes(records[-10:-6], "little") > MOST_LISTED:
        raise JournalError(Text(_TOO_LARGE, file=file))


def _damages() -> tuple[type[Exception], ...]:
    """Return the exceptions that a damaged zip file raises."""
    import zlib
    from zipfile import BadZipFile

    return BadZipFile, EOFError, RuntimeError, UnicodeError, zlib.error


def _content_of(archive: ZipFile, member: ZipInfo) -> bytes:
    """Return a file of a backup. No more is unpacked than the size that it claims, which was checked."""
    with archive.open(member) as reading:
        return reading.read(max(1, member.file_size))


def _check(archive: ZipFile, file: Path) -> None:
    from zipfile import ZIP_DEFLATED, ZIP_STORED

    members, seen = archive.infolist(), set[str]()
    sizes = [member.file_size for member in members]
    if max(sizes, default=0) > MOST_BYTES or sum(sizes) > MOST_IN_ALL:
        raise JournalError(Text(_TOO_LARGE, file=file))
    for member in members:
        name = member.filename
        is_ours = _kind_of(name) is not None and name not in seen and member.compress_type in (ZIP_DEFLATED, ZIP_STORED)
        if not is_ours or not _is_valid(archive, member):
            raise JournalError(Text(_NOT_OURS, file=file, what=name[:_SHOWN]))
        seen.add(name)


def _is_valid(archive: ZipFile, member: ZipInfo) -> bool:
    """Return whether a file is the text of an added game, or one valid chain and nothing else.

    A chain is read line by line, up to the first line that is not valid: no more than a line is in memory.
    """
    kind, stem = _kind_of(member.filename), Path(member.filename).stem
    if kind == added_game_files.FOLDER:
        with suppress(JournalError):
            return bool(added_game_files.text_of(_content_of(archive, member)))
        return False
    before, count = (stem[-8:] if kind else stem).encode(), 0
    with archive.open(member) as reading:
        for count, row in enumerate(reading, 1):
            if count > MOST_LINES or not row.endswith(b"\n") or not chain.is_valid(before, row):
                return False
            before = chain.check(row)
    return count > 0


def _kind_of(name: str) -> str | None:
    """Return what a file of this name holds in a backup, by its folder; None if no backup has such a file.

    No other folder can be reached by a name that is in one.
    """
    folder, _, file = name.rpartition("/")
    stem, _, suffix = file.rpartition(".")
    known = {
        "": suffix == "jsonl" and stem in NAMED_VALUES and name == file,
        "games": GAME.fullmatch(file),
        REMOVED: GAME.fullmatch(file),
        added_game_files.FOLDER: suffix == "toml" and added_game_files.is_name(stem),
    }
    return folder if known.get(folder) else None


# Restoring


class BackupContent(Struct, frozen=True):
    """The contents of a backup, as they are told before somebody decides whether it is restored."""

    games: int
    lines: int  # the entries of all games


class RestoreResult(Struct):
    """The outcome of restoring a backup: names of games."""

    added: list[str] = field(default_factory=list)  # games that were not there
    extended: list[str] = field(default_factory=list)  # games that had more entries in the backup than here
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
        lines = sum(max(0, _content_of(archive, member).count(b"\n") - 1) for member in games)
        return BackupContent(len(games), lines)


def _merged(target: Folder, archive: ZipFile, file: Path) -> RestoreResult:
    games = _Games(target)
    for member in archive.infolist():
        try:
            content = _content_of(archive, member)
        except OSError as error:
            raise JournalError(Text(_GONE, file=file, why=why(error))) from error
        except _damages() as error:  # it was whole a moment ago
            raise JournalError(Text(_GONE, file=file, why=why(OSError(errno.EIO, "")))) from error
        name, rows = Path(member.filename).stem, chain.rows(content)
        match _kind_of(member.filename):
            case added_game_files.FOLDER:
                games.take_file(name, content)
            case "":
                _merge_values(target.named_values(name, copies=NAMED_VALUES[name]), rows, games.restored)
            case folder:
                games.merge(name, rows, removed=folder == REMOVED)
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
