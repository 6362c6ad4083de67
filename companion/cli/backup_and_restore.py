"""The commands ``backup`` and ``restore``: the whole journal as one file, and back."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from companion.app.terminal import say
from companion.journal import JournalInUseError
from companion.journal.backup import MARK, write_backup
from companion.journal.restore_backup import restore as restored_from

from .common import WRONG, CommandError, existing_folder, folder, in_use, naming, output_file, with_data


def backup_arguments(one: ArgumentParser) -> None:
    with_data(one)
    one.add_argument("--newest", metavar="COUNT", type=int, help=SUPPRESS)  # for installations
    one.add_argument("file", metavar="FILE", type=Path, help="the file; it may be on a USB drive")


def backup(arguments: Namespace) -> int:
    place, file = existing_folder(arguments), output_file(arguments.file)
    with naming(arguments.file):
        if file.exists() and file.stat().st_size and not _is_backup(file):
            raise CommandError(f"{arguments.file}: this is no backup, and stays as it is: choose another name")
        written = write_backup(place, file)
        if arguments.newest is not None:
            _remove_older(arguments.file, arguments.newest)
    say(f"{_games(written.games)} in {arguments.file}")
    if written.game_files:
        say(f"added games: {', '.join(written.game_files)}")
    for name in written.unreadable:
        say(f"companion: {_what(name)} cannot be read, and is not in the backup", error=True)
    for name in written.shortened:
        say(f"companion: {_what(name)} may not be whole; what can be read of it is in the backup", error=True)
    return WRONG if written.damaged else 0


def _is_backup(file: Path) -> bool:
    """Return whether a file has the mark of a backup; what is in it is not read."""
    with suppress(BadZipFile), ZipFile(file) as archive:
        return archive.comment.startswith(MARK)
    return False


def _remove_older(file: Path, newest: int) -> None:
    """Remove the oldest backups that installations wrote beside a file, until so many are left.

    The file itself stays in any case: its time may be the earliest, as many boxes have no clock of their own.
    """
    others = [backup for backup in file.parent.glob("before-*.zip") if backup.name != file.name]
    for backup in sorted(others, key=lambda each: each.lstat().st_mtime, reverse=True)[max(newest - 1, 0) :]:
        backup.unlink()


def restore_arguments(one: ArgumentParser) -> None:
    with_data(one)
    one.add_argument("file", metavar="FILE", type=Path, help="what companion backup wrote")


def restore(arguments: Namespace) -> int:
    place = folder(arguments)
    try:
        with naming(arguments.file):
            restored = restored_from(place, arguments.file)
    except JournalInUseError as fault:
        raise in_use(fault, place) from None
    say(
        f"added: {_games(restored.added)}; with more entries: {len(restored.extended)}; as before: {len(restored.same)}"
    )
    if restored.game_files:
        say(f"added games: {', '.join(restored.game_files)}")
    for name in restored.other_rules:
        say(f"{name} has other rules here: they were kept, and those of the backup were not taken")
    if restored.other_notes:
        say(f"{_games(restored.other_notes)} with another place or notes here: they were kept")
    if restored.refused:
        say("the backup holds paired phones; they were not taken: pair them again at the table")
    for name in restored.conflicting:
        say(f"{name} went on differently here: the game of the backup was added under this name")
    return 0


def _what(name: str) -> str:
    return f"game {name}" if name[:1].isdecimal() else name if name.endswith(".toml") else f"{name}.jsonl"


def _games(names: list[str]) -> str:
    return "1 game" if len(names) == 1 else f"{len(names)} games"
