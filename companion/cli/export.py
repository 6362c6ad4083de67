"""The command ``export``: logs, or results as CSV, JSON or for BG Stats; or a list of the games."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.terminal import say
from companion.gamelog import LogError, decode_header
from companion.history.days import known_time, written
from companion.journal import Journal, JournalError, StoredGame, number
from companion.journal.disk import written_beside

from .common import (
    WRONG,
    CommandError,
    existing_folder,
    find_added_games,
    journal_read_in,
    naming,
    output_file,
    with_data,
    write_data,
)

if TYPE_CHECKING:
    from companion.history.results import GameResult


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
    find_added_games(arguments)
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


def _finished(journal: Journal, folder: Path) -> list[GameResult]:
    """Return the results of all finished games, oldest first, and of imported plays. Unreadable games are left out."""
    from companion.history.history import History

    journal.check_all()
    return History(journal, folder).results()


def _content_of(journal: Journal, folder: Path, form: str, game: str | None) -> bytes:
    """Return an export of all games or of the one that is named, in a form that the command has an option for."""
    if form == "log":
        return _logs_zip(journal) if game is None else journal.log(game).encode()
    from companion.history import bgstats, csv_export, json_export, remarks, renamed_and_hidden

    forms = {"csv": csv_export.csv_of, "json": json_export.json_of, "bgstats": bgstats.bgsplay}
    results = [result for result in _finished(journal, folder) if game in (None, result.name)]
    if game is not None and not results:
        raise CommandError(f"game {journal.saved(game).number} is not finished, so it has no result yet")
    if form == "bgstats" and (undated := sum(not (each.begun or each.ended) for each in results)):
        games = "game was" if undated == 1 else "games were"
        say(f"companion: BG Stats wants dates: {undated} {games} played with the clock not set", error=True)
    people, notes = renamed_and_hidden.read(journal.setting("roster")), remarks.read_remarks(journal)
    return forms[form](results, people, notes)


def _logs_zip(journal: Journal) -> bytes:
    """Return a zip file with the logs of all readable games; the same games give the same bytes."""
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    written = BytesIO()
    with ZipFile(written, "w") as archive:
        for name in journal.names():
            member = ZipInfo(f"{name}.jsonl")
            member.compress_type, member.create_system, member.external_attr = ZIP_DEFLATED, 3, 0o644 << 16
            try:
                archive.writestr(member, journal.log(name).encode())
            except JournalError:  # said by `_left_out`
                continue
    return written.getvalue()


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
