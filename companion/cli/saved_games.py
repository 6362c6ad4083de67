"""The commands for saved games: ``export``, ``remove``, ``backup`` and ``restore``."""

from __future__ import annotations

import sys
from argparse import SUPPRESS, ArgumentParser, Namespace
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from companion.app.terminal import say
from companion.gamelog import LogError, decode_header
from companion.history import bgstats, exports, plays, renamed_and_hidden
from companion.history.days import known_time, written
from companion.history.history import History
from companion.journal import Journal, JournalError, JournalInUseError, StoredGame, number
from companion.journal.backup import MARK, write_backup
from companion.journal.backup import restore as restored_from
from companion.journal.disk import written_beside

from .common import (
    WRONG,
    CommandError,
    agreed,
    counted,
    existing_folder,
    folder,
    in_use,
    journal_in,
    journal_read_in,
    naming,
    output_file,
    with_data,
    write_data,
)

# export


def export_arguments(one: ArgumentParser) -> None:
    with_data(one)
    which = one.add_mutually_exclusive_group()
    which.add_argument("game", metavar="GAME", nargs="?", help="its number or its whole name (default: the latest)")
    which.add_argument("--list", action="store_true", help="list the games instead, the latest first")
    form = one.add_mutually_exclusive_group()
    forms = {
        "csv": "the results as CSV, a row for each seat of a game (default: of all finished games)",
        "json": "the results as JSON, likewise",
        "bgstats": "the results as a .bgsplay file for the app BG Stats, likewise",
        "log": "the game's log; without GAME the logs of all games, as a zip file",
    }
    for name, what in forms.items():
        form.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=what)
    one.add_argument("--out", metavar="FILE", type=Path, help="write to this file instead of printing")


def export(arguments: Namespace) -> int:
    """Print or write a game's log or the results, or list the games."""
    place = existing_folder(arguments)
    if arguments.list and (arguments.form or arguments.out):
        raise CommandError("--list prints a list only; it goes with no other option")
    with journal_read_in(place) as journal:
        names = journal.names()
        if not names and (arguments.form in (None, "log") or not journal.imported()):
            raise CommandError(f"there is no game in {place} yet")
        if arguments.list:
            journal.check_all()
            for game in journal.games():
                say(row(game))
            return 0
        name = None if arguments.game is None else chosen(arguments.game, names, place)
        if arguments.form is None:
            name = name or journal.open_game() or names[-1]
        content = _content_of(journal, place, arguments.form or "log", name)
    _write_out(content, arguments.out, place)
    return _left_out(journal, name)


def chosen(game: str, names: list[str], place: Path) -> str:
    position = int(game) if game.isdecimal() else None
    found = [name for name in names if game == name or number(name) == position]
    if not found:
        raise CommandError(f"there is no game {game} in {place}; the latest is {number(names[-1])}")
    if len(found) > 1:
        raise CommandError(
            f"{len(found)} games in {place} have the number {game}: {' and '.join(found)}; export one by its name"
        )
    return found[0]


def row(saved: StoredGame) -> str:
    """Return a line about a game: number, date, name, whether it is over, size, players."""
    try:
        header = decode_header(saved.header)
        game, players = header.game.title, ", ".join(saved.players or header.players)
    except LogError as error:
        game, players = "?", f"({error})"
    begun = written(known_time(saved.begun), "%Y-%m-%d %H:%M") or "?"
    entries = "entry" if saved.lines == 1 else "entries"
    state = "over" if saved.over else "open"
    return f"{saved.number:>3}  {begun:16}  {game:10}  {state}  {saved.lines:>3} {entries:7}  {players}"


def _content_of(journal: Journal, folder: Path, form: str, game: str | None) -> bytes:
    """Return an export of all games or of the one that is named, in a form that the command has an option for."""
    if form == "log":
        return _logs_zip(journal) if game is None else journal.log(game).encode()
    forms = {"csv": exports.csv_of, "json": exports.json_of, "bgstats": bgstats.bgsplay}
    journal.check_all()
    results = [result for result in History(journal, folder).results() if game in (None, result.name)]
    if game is not None and not results:
        raise CommandError(f"game {journal.saved(game).number} is not finished, so it has no result yet")
    if form == "bgstats" and (undated := sum(not (each.begun or each.ended) for each in results)):
        games = "game was" if undated == 1 else "games were"
        say(f"companion: BG Stats wants dates: {undated} {games} played with the clock not set", error=True)
    people, notes = renamed_and_hidden.read(journal.setting("roster")), plays.read_remarks(journal)
    return forms[form](results, people, notes)


def _logs_zip(journal: Journal) -> bytes:
    """Return a zip file with the logs of all readable games; the same games give the same bytes."""
    content = BytesIO()
    with ZipFile(content, "w") as archive:
        for name in journal.names():
            member = ZipInfo(f"{name}.jsonl")
            member.compress_type, member.create_system, member.external_attr = ZIP_DEFLATED, 3, 0o644 << 16
            try:
                archive.writestr(member, journal.log(name).encode())
            except JournalError:  # said by `_left_out`
                continue
    return content.getvalue()


def _write_out(content: bytes, out: Path | None, journal: Path) -> None:
    """Print an export, or write it to a file that is not in the journal's folder."""
    if out is None:
        if content[:2] == b"PK" and sys.stdout is not None and sys.stdout.isatty():
            raise CommandError("the logs of all games are a zip file: choose its name with --out FILE, or one game")
        write_data(content)
        return
    place = output_file(out)
    if place.is_relative_to(journal.resolve()):
        raise CommandError(f"{out}: the journal is kept in this folder; write the export into another")
    with naming(out), written_beside(place) as writing:
        writing.write(content)


def _left_out(journal: Journal, game: str | None) -> int:
    """Say which games, of all or of one, are not in an export, or not whole; return the exit status."""
    missing = [fault for name, fault in sorted(journal.left_out.items()) if game in (None, name)]
    for fault in missing:
        say(f"companion: {fault}", error=True)
    return WRONG if missing else 0


# remove


def remove_arguments(one: ArgumentParser) -> None:
    with_data(one)
    action = one.add_mutually_exclusive_group()
    action.add_argument("--back", action="store_true", help="bring the games back")
    action.add_argument("--list", action="store_true", help="list the games that were removed")
    action.add_argument("--empty", action="store_true", help="delete them for good, after asking")
    one.add_argument("--yes", action="store_true", help="delete without asking")
    one.add_argument("games", metavar="GAME", nargs="*", help="the number or the whole name of a game")


def remove(arguments: Namespace) -> int:
    place = existing_folder(arguments)
    if arguments.list:
        with journal_read_in(place) as journal:
            for game in journal.removed():
                say(row(game))
        return 0
    with journal_in(place) as journal:
        if arguments.empty:
            return _emptied(journal, asks=not arguments.yes)
        if not arguments.games:
            raise CommandError("which game? Its number or name: companion export --list shows them")
        names = journal.removed_names() if arguments.back else journal.names()
        if not names:
            raise CommandError(f"there is no game {'that was removed' if arguments.back else 'to remove'} in {place}")
        for name in [chosen(game, names, place) for game in arguments.games]:
            (journal.bring_back if arguments.back else journal.put_away)(name)
            say(f"{name} is {'back' if arguments.back else 'removed; companion remove --back brings it back'}")
    return 0


def _emptied(journal: Journal, *, asks: bool) -> int:
    count = len(journal.removed_names())
    games = counted(count, "game")
    if not count:
        say("no game was removed")
    elif not asks or agreed(f"Delete {games} for good?"):
        journal.empty_removed()
        say(f"{games} deleted")
    else:
        say("nothing is deleted")
    return 0


# backup and restore


def backup_arguments(one: ArgumentParser) -> None:
    with_data(one, games=False)
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
    say(f"{counted(len(written.games), 'game')} in {arguments.file}")
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
    with_data(one, games=False)
    one.add_argument("file", metavar="FILE", type=Path, help="what companion backup wrote")


def restore(arguments: Namespace) -> int:
    place = folder(arguments)
    try:
        with naming(arguments.file):
            restored = restored_from(place, arguments.file)
    except JournalInUseError as fault:
        raise in_use(fault, place) from None
    added, same = counted(len(restored.added), "game"), len(restored.same)
    say(f"added: {added}; with more entries: {len(restored.extended)}; as before: {same}")
    if restored.game_files:
        say(f"added games: {', '.join(restored.game_files)}")
    for name in restored.other_rules:
        say(f"{name} has other rules here: they were kept, and those of the backup were not taken")
    if restored.other_notes:
        say(f"{counted(len(restored.other_notes), 'game')} with another place or notes here: they were kept")
    if restored.refused:
        say("the backup holds paired phones; they were not taken: pair them again at the table")
    for name in restored.conflicting:
        say(f"{name} went on differently here: the game of the backup was added under this name")
    return 0


def _what(name: str) -> str:
    return f"game {name}" if name[:1].isdecimal() else name if name.endswith(".toml") else f"{name}.jsonl"
