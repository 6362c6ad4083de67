"""The folder of added games: a TOML file for each game, written by people. It is part of the journal and of backups.

Its name is not ``games``: there the journal keeps the games that were played. The journal does not read the rules; it
checks names, sizes and that a file is text.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path

from companion.core.text import N_, Text, why

from . import disk
from .folder import JournalError

FOLDER = "added-games"
SUFFIX = ".toml"
NAME = r"[a-z][a-z0-9-]{0,39}"
MOST_BYTES = 240_000  # 60,000 characters
MOST_FILES = 200

_TOO_LARGE = N_("it is larger than {most} bytes")
_NO_TEXT = N_("it is no text in UTF-8")
_NO_FILE = N_("it is no file, but a link, a folder or a device")
_UNREADABLE = N_("it cannot be read: {why}")


def is_name(name: str) -> bool:
    """Return whether a game may have this name; no other folder can be reached by it."""
    return re.fullmatch(NAME, name) is not None


def names(folder: Path) -> tuple[str, ...]:
    """Return the names of the games that a folder has files of, in the order of the alphabet, up to `MOST_FILES`."""
    found: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        stems = (entry.name.removesuffix(SUFFIX) for entry in entries if entry.name.endswith(SUFFIX))
        found = sorted(filter(is_name, stems))
    return tuple(found[:MOST_FILES])


def read(file: Path) -> str:
    """Return the text of a game's file; raise JournalError if it is missing, too large, no text or no regular file."""
    try:
        with disk.opened_file(file) as (descriptor, _found), open(descriptor, "rb", closefd=False) as reading:
            content = reading.read(MOST_BYTES + 1)
    except disk.OtherFileError:
        raise JournalError(Text(_NO_FILE)) from None
    except OSError as error:
        raise JournalError(Text(_UNREADABLE, why=why(error))) from None
    return text_of(content)


def text_of(content: bytes) -> str:
    """Return the content of a game's file as text; raise JournalError if it is too large or no text."""
    if len(content) > MOST_BYTES:
        raise JournalError(Text(_TOO_LARGE, most=MOST_BYTES))
    try:
        return content.decode().removeprefix("\ufeff").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise JournalError(Text(_NO_TEXT)) from None


def holds(file: Path, content: bytes) -> bool:
    """Return whether a game's file has this content already."""
    with suppress(JournalError):
        return read(file) == text_of(content)
    return False


def write(file: Path, content: bytes) -> None:
    """Write a game's file; at every moment the earlier one or the new one is there.

    A file with the same content stays as it is: its time says when the rules were changed.
    """
    if holds(file, content):
        return
    disk.make_folder(file.parent)
    with disk.written_beside(file) as writing:
        writing.write(content)
