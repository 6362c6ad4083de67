"""The command ``press``: presses keys and shows the panel."""

from __future__ import annotations

import hashlib
import json
from argparse import ArgumentParser, Namespace
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import IO

from PIL import Image

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import SystemClock
from companion.app.state import PANEL
from companion.app.terminal import say
from companion.core.game import LogHeader
from companion.core.prompt import DetailLevel
from companion.gamelog import LogError, decode_header
from companion.journal import Journal
from companion.ui.keys import KEYPAD, KeyLayout, UnknownKeyError, parse
from companion.ui.translations import languages
from hardware.board import USUAL, load

from .common import (
    CommandError,
    finish,
    folder,
    journal_in,
    journal_read_in,
    naming,
    standard_input,
    standard_output,
    with_data,
    with_place,
)

LONGEST = 100_000  # maximum characters of a line of keys: longer than any game, but bounded


def press_arguments(one: ArgumentParser) -> None:
    with_data(one)
    one.add_argument("--dry", action="store_true", help="write nothing: press in a copy of the journal, in memory")
    one.add_argument("--new", metavar="HEADER.json", type=Path, help="begin a game from a log's header")
    levels = [level.value for level in DetailLevel]
    one.add_argument("--tracking", choices=levels, help="how closely the new game is followed (default: full)")
    boards = f"(see hardware/boards; default: {USUAL})"
    one.add_argument("--board", metavar="NAME", help=f"the board whose keys they are {boards}")
    letters = "its two letters, until one was chosen on the box (default: en)"
    one.add_argument("--lang", metavar="LANGUAGE", default="en", help=letters)
    one.add_argument("--png", metavar="OUT.png", type=Path, help="write the panel as a picture")
    one.add_argument("--text", action="store_true", help="print the panel as text blocks")
    one.add_argument("keys", metavar="KEYS", nargs="*", help='0-9 A-D * # < o > ^ v, h# h* ho held; "-" reads them')


def _header(file: Path, arguments: Namespace) -> LogHeader:
    first, *more = file.read_bytes().strip().split(b"\n{")
    if more:
        raise CommandError(f"{file}: more than a header; its first line alone begins a game")
    try:
        return decode_header(first)
    except LogError as error:
        raise CommandError(f"{file}: {with_place(error, arguments)}") from None


def _language(arguments: Namespace) -> str:
    if arguments.lang not in languages():
        raise CommandError(f"there are no words in {arguments.lang!r}; there are {', '.join(languages())}")
    return str(arguments.lang)


def _copy_of(place: Path) -> AbstractContextManager[Journal]:
    """Open the journal in a folder, with all that is entered kept in memory alone; an empty one if there is none."""
    return journal_read_in(place) if place.exists() else closing(Journal(writes=False))


def press(arguments: Namespace) -> int:
    if arguments.tracking and not arguments.new:
        raise CommandError("--tracking goes with --new; in a game under way the menu switches")
    language = _language(arguments)
    reading = arguments.keys == ["-"]
    board = load(arguments.board).keyed() if arguments.board else None
    keys = () if reading else parse(" ".join(arguments.keys), board)
    header = _header(arguments.new, arguments) if arguments.new else None
    tracking = DetailLevel(arguments.tracking or "full")
    if header is not None and tracking not in header.game.trackings:
        raise CommandError(f"{header.game.title} cannot be followed that way ({tracking.value})")
    if arguments.png and not arguments.png.absolute().parent.is_dir():
        raise CommandError(f"{arguments.png}: there is no such folder")
    if arguments.png and arguments.png.resolve().is_relative_to(folder(arguments).resolve()):
        raise CommandError(f"{arguments.png}: the journal is kept in this folder; write the picture into another")
    with (_copy_of if arguments.dry else journal_in)(folder(arguments)) as journal:
        clock = SystemClock()
        box = Box(journal, Outputs(MemoryPanel(), clock), clock, language, board=board or KEYPAD)
        if header is not None:
            box.begin(header, tracking)
        if reading:
            converse(box, standard_input(), standard_output(), board)
        for key in keys:
            box.take(PANEL, key)
        picture, status = box.picture, 0 if arguments.dry else finish(box)
    if arguments.png:
        with naming(arguments.png):
            picture.save(arguments.png, "PNG")
    if arguments.text or not (arguments.png or reading):
        for line in blocks(picture).splitlines():
            say(line)
    return status


def blocks(picture: Image.Image) -> str:
    """Return a picture as text; each line shows two rows of pixels."""
    width, height = picture.size
    pixels = picture.load()
    assert pixels is not None  # loaded pictures always have pixels
    lines = [
        "".join(" ▀▄█"[bool(pixels[x, y]) + 2 * bool(pixels[x, y + 1])] for x in range(width)).rstrip()
        for y in range(0, height, 2)
    ]
    return "\n".join(lines)


# Keys from another program


def answer(box: Box, written: str, board: KeyLayout | None = None) -> str:
    """Press a line of keys. Return the new state, already in the journal, as one line of JSON.

    If any part of the line is not a key, none is pressed.
    """
    try:
        keys = parse(written, board)
    except UnknownKeyError as error:
        return _state(box, str(error))
    box.upkeep.look()
    for key in keys:
        box.take(PANEL, key)
    return _state(box, box.words())


def _state(box: Box, message: str | None) -> str:
    screen = hashlib.sha256(box.picture.tobytes()).hexdigest()
    return json.dumps({"events": box.lines, "screen": screen, "message": message}, ensure_ascii=False)


def converse(box: Box, lines: IO[str], out: IO[str], board: KeyLayout | None = None) -> None:
    """Answer every line of keys with a line of JSON at once. Keys that the board lacks are refused."""
    while written := lines.readline(LONGEST + 1):
        if len(written) > LONGEST and not written.endswith("\n"):
            _skip_line(lines)
            said = _state(box, f"a line has up to {LONGEST} characters")
        else:
            said = answer(box, written, board)
        out.write(said + "\n")
        out.flush()


def _skip_line(lines: IO[str]) -> None:
    """Read the rest of a line and discard it."""
    while (more := lines.readline(LONGEST)) and not more.endswith("\n"):
        pass
