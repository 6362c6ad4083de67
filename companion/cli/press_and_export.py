"""Commands that need no device: press keys, export a game."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.printing import say

from .board_by_name import board_named
from .common import CommandError, controller_on, finish, folder, journal_in, standard_input, standard_output, why

if TYPE_CHECKING:
    from companion.core.game import LogHeader
    from companion.core.prompt import DetailLevel
    from companion.journal import Journal, StoredGame


def _header(file: Path) -> LogHeader:
    from companion.gamelog import LogError, decode_header

    try:
        first, *more = file.read_bytes().strip().split(b"\n{")
        if more:
            raise CommandError(f"{file}: more than a header; its first line alone begins a game")
        return decode_header(first)
    except OSError as error:
        raise CommandError(f"{file}: {why(error)}") from None
    except LogError as error:
        raise CommandError(f"{file}: {error}") from None


def _tracking(arguments: argparse.Namespace) -> DetailLevel:
    from companion.core.prompt import DetailLevel

    return DetailLevel(arguments.tracking or "full")


def _language(arguments: argparse.Namespace) -> str:
    from companion.ui.translations import languages

    if arguments.lang not in languages():
        raise CommandError(f"there are no words in {arguments.lang!r}; there are {', '.join(languages())}")
    return str(arguments.lang)


def _copy_of(place: Path) -> Journal:
    """Return the journal in a folder, with all that is entered kept in memory alone; an empty one if there is none."""
    from companion.journal import Journal

    return Journal(place if place.exists() else None, writes=False)


def press(arguments: argparse.Namespace) -> int:
    from companion.app.clock import SystemClock
    from companion.app.headless import converse
    from companion.app.memory_panel import MemoryPanel, blocks
    from companion.app.outputs import Outputs
    from companion.journal import JournalError
    from companion.journal.owner import as_owner_of
    from companion.ui.keys import UnknownKeyError, parse

    if arguments.tracking and not arguments.new:
        raise CommandError("--tracking goes with --new; in a game under way the menu switches")
    language = _language(arguments)
    reading = arguments.keys == ["-"]
    board = board_named(arguments.board) if arguments.board else None
    try:
        keys = () if reading else parse(" ".join(arguments.keys), board)
    except UnknownKeyError as error:
        raise CommandError(str(error)) from None
    header = _header(arguments.new) if arguments.new else None
    tracking = _tracking(arguments)
    if header is not None and tracking not in header.game.trackings:
        raise CommandError(f"{header.game.title} cannot be followed that way ({tracking.value})")
    if arguments.png and not arguments.png.absolute().parent.is_dir():
        raise CommandError(f"{arguments.png}: there is no such folder")
    if arguments.png and arguments.png.resolve().is_relative_to(folder(arguments).resolve()):
        raise CommandError(f"{arguments.png}: the journal is kept in this folder; write the picture into another")
    with as_owner_of(folder(arguments)):
        journal = _copy_of(folder(arguments)) if arguments.dry else journal_in(folder(arguments))
        try:
            clock = SystemClock()
            box = controller_on(journal, Outputs(MemoryPanel(), clock), clock, language=language, board=board)
            if header is not None:
                box.begin(header, tracking)
            if reading:
                converse(box, standard_input(), standard_output(), board)
            for key in keys:
                box.press(key)
            picture, status = box.picture, 0 if arguments.dry else finish(box)
        except JournalError as fault:
            raise CommandError(str(fault)) from None
        finally:
            journal.close()
    if arguments.png:
        try:
            picture.save(arguments.png, "PNG")
        except OSError as error:
            raise CommandError(f"{arguments.png}: {why(error)}") from None
    if arguments.text or not (arguments.png or reading):
        for line in blocks(picture).splitlines():
            say(line)
    return status


def export(arguments: argparse.Namespace) -> int:
    """Print or write a game's log or the results, or list the games."""
    from companion.journal import Journal, JournalError

    from .exports import content_of, left_out, write_out

    place = folder(arguments)
    if not place.exists() or not os.listdir(place):
        raise CommandError(f"there is no journal in {place}")
    if arguments.list and (arguments.form or arguments.out):
        raise CommandError("--list prints a list only; it goes with no other option")
    try:
        journal = Journal(place, writes=False)
        names = journal.names()
        if not names and (arguments.form in (None, "log") or not journal.imported()):
            raise CommandError(f"there is no game in {place} yet")
        if arguments.list:
            while journal.check_next():  # adds the games missing from the index
                pass
            for game in journal.games():
                say(_listed(game))
            return 0
        name = None if arguments.game is None else _chosen(arguments.game, names, place)
        if arguments.form is None:
            name = name or journal.open_game() or names[-1]
        content = content_of(journal, place, arguments.form or "log", name)
    except JournalError as fault:
        raise CommandError(str(fault)) from None
    write_out(content, arguments.out, place)
    return left_out(journal, name)


def _chosen(game: str, names: list[str], place: Path) -> str:
    from companion.journal import number

    position = int(game) if game.isdecimal() else None
    found = [name for name in names if game == name or number(name) == position]
    if not found:
        raise CommandError(f"there is no game {game} in {place}; the latest is {number(names[-1])}")
    if len(found) > 1:
        raise CommandError(
            f"{len(found)} games in {place} have the number {game}: {' and '.join(found)}; export one by its name"
        )
    return found[0]


def _listed(saved: StoredGame) -> str:
    """Return a line about a game: number, date, name, whether it is over, size, players."""
    from companion.gamelog import LogError, decode_header
    from companion.history.days import local

    try:
        header = decode_header(saved.header)
        game, players = header.game.title, ", ".join(header.players)
    except LogError as error:
        game, players = "?", f"({error})"
    time = local(saved.begun)
    begun = f"{time:%Y-%m-%d %H:%M}" if time else "?"
    entries = "entry" if saved.lines == 1 else "entries"
    state = "over" if saved.over else "open"
    return f"{saved.number:>3}  {begun:16}  {game:10}  {state}  {saved.lines:>3} {entries:7}  {players}"
