"""What commands share: what they cannot go on from, where the journal is, and a box on it."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from companion.app.box import Box
    from companion.app.front import Front
    from companion.app.ports import Clock, Power
    from companion.journal import Journal
    from companion.ui.keys import Board

WRONG = 1


class Fault(Exception):
    """Something a command cannot go on from; the message is a sentence for people."""


def folder(wanted: argparse.Namespace) -> Path:
    """Return where the journal is kept: as told, else the service's state directory, else the user's."""
    if wanted.data is not None:
        return Path(wanted.data)
    if os.environ.get("STATE_DIRECTORY"):
        return Path(os.environ["STATE_DIRECTORY"].split(":")[0])
    import platformdirs  # noqa: PLC0415

    return platformdirs.user_data_path("tabletop-companion", appauthor=False)


def content(name: str) -> bytes:
    """Read a file, or standard input for "-"."""
    return standard_input().buffer.read() if name == "-" else Path(name).read_bytes()


def standard_input() -> TextIO:
    """Return standard input, where there is one."""
    if sys.stdin is None:
        raise Fault("there is no standard input to read from")
    return sys.stdin


def why(error: OSError) -> str:
    """Return what the system says of an error."""
    return (error.strerror or str(error)).lower()


def journal_in(folder: Path) -> tuple[Journal, str | None]:
    """Open the journal in a folder, and return what there is to be said about that."""
    from companion.journal import JournalFault  # noqa: PLC0415
    from companion.journal.opening import open_journal  # noqa: PLC0415

    try:
        return open_journal(folder, time.time())
    except JournalFault as fault:
        raise Fault(str(fault)) from None


def box_on(
    journal: Journal,
    notice: str | None,
    front: Front,
    clock: Clock,
    *,
    language: str | None = "en",
    power: Power | None = None,
    board: Board | None = None,
) -> Box:
    """Make a box on a journal, the notice on it said on standard error, too."""
    from companion.app.box import Box  # noqa: PLC0415
    from companion.core.text import Text  # noqa: PLC0415
    from companion.journal import JournalFault  # noqa: PLC0415
    from companion.ui.keys import KEYPAD  # noqa: PLC0415

    if notice is not None:
        print(f"companion: {notice}", file=sys.stderr)
    told = None if notice is None else Text("{notice}", notice=notice)
    try:
        return Box(journal, front, clock, told, language, power, board or KEYPAD)
    except JournalFault as fault:
        raise Fault(str(fault)) from None
