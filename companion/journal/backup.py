"""Writes the whole journal to one file, and checks such a file before it is restored.

A backup is a zip file of chains as `docs/journal.md` describes them, without the space reserved after them:
``games/NAME.jsonl``, ``settings.jsonl``, ``imported.jsonl``, ``remarks.jsonl`` and ``draft.jsonl``; and of the files of
added games, ``added-games/NAME.toml``. Files that can be made again are left out, and so are the settings that belong
to this box alone. Its comment ends in the BLAKE2b digest (256 bits, in hex) of
everything before that digest, so that a change of any byte is seen. The same games always give the same bytes.

It may be written while a box runs: a chain only ever grows, and what is read of it is valid.
"""

from __future__ import annotations

import os
from _blake2 import blake2b  # as in `chain`
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from msgspec import MsgspecError, Struct, convert, field

from companion.core.text import N_, Text, why

from . import added_game_files, chain, disk
from .folder import GAME, REMOVED, Folder, JournalError, RemovedGames, StoredGame
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
_DIGEST = 64  # hex digits
_PIECE = 1024 * 1024
_SHOWN = 60  # characters of a wrong name

_NOT_WHOLE = N_("{file} is no backup, or it is damaged: nothing was restored")
_NOT_OURS = N_("{file} holds something that is not of a journal ({what}): nothing was restored")
_TOO_LARGE = N_("{file} is too large for a backup: nothing was restored")
_NO_ROOM = N_("{name} is too large for a backup: none was written")
_NO_FILE = N_("{file} is no file, but a link, a folder or a device: nothing was restored")
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
    """Return a chain's lines, and note in the backup if they are not all; ``known`` is how many there were."""
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

    with _reading(file) as reading:
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
        except damages():
            raise JournalError(Text(_NOT_WHOLE, file=file)) from None
        with archive:
            yield archive


@contextmanager
def _reading(file: Path) -> Iterator[BinaryIO]:
    try:
        with disk.opened_file(file) as (descriptor, _found), open(descriptor, "rb", closefd=False) as reading:
            yield reading
    except disk.OtherFileError:
        raise JournalError(Text(_NO_FILE, file=file)) from None


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


def damages() -> tuple[type[Exception], ...]:
    """Return the exceptions that a damaged zip file raises."""
    import zlib
    from zipfile import BadZipFile

    return BadZipFile, EOFError, RuntimeError, UnicodeError, zlib.error


def content_of(archive: ZipFile, member: ZipInfo) -> bytes:
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
        is_ours = _is_ours(name) and name not in seen and member.compress_type in (ZIP_DEFLATED, ZIP_STORED)
        if not is_ours or not _is_valid(archive, member):
            raise JournalError(Text(_NOT_OURS, file=file, what=name[:_SHOWN]))
        seen.add(name)


def _is_valid(archive: ZipFile, member: ZipInfo) -> bool:
    """Return whether a file is the text of an added game, or one valid chain and nothing else.

    A chain is read line by line, up to the first line that is not valid: no more than a line is in memory.
    """
    if is_game_file(member.filename):
        with suppress(JournalError):
            return bool(added_game_files.text_of(content_of(archive, member)))
        return False
    before, count = _seed(member.filename), 0
    with archive.open(member) as reading:
        for count, row in enumerate(reading, 1):
            if count > MOST_LINES or not row.endswith(b"\n") or not chain.is_valid(before, row):
                return False
            before = chain.check(row)
    return count > 0


def is_game_file(name: str) -> bool:
    """Return whether a file of a backup has the place of an added game's."""
    folder, _, file = name.rpartition("/")
    return folder == added_game_files.FOLDER and file.endswith(added_game_files.SUFFIX)


def _is_ours(name: str) -> bool:
    """Return whether a file of this name may be in a backup; no other folder can be reached by such a name."""
    folder, _, file = name.rpartition("/")
    if is_game_file(name):
        return added_game_files.is_name(file.removesuffix(added_game_files.SUFFIX))
    if folder in ("games", REMOVED):
        return GAME.fullmatch(file) is not None
    return name.removesuffix(".jsonl") in NAMED_VALUES and name.endswith(".jsonl")


def _seed(name: str) -> bytes:
    stem = Path(name).stem
    return (stem if stem in NAMED_VALUES else stem[-8:]).encode()
