"""What commands share: what they cannot go on from, where the journal is, and a box on it."""

from __future__ import annotations

import argparse
import os
import sys
import time
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from companion.app.box import Box
    from companion.app.front import Front
    from companion.app.ports import Clock, Power
    from companion.core.text import Text
    from companion.journal import Journal
    from companion.journal.opening import Notice
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
    """Return standard input, where there is one; what is no text in it can be read, too."""
    if sys.stdin is None:
        raise Fault("there is no standard input to read from")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin


def standard_output() -> TextIO:
    """Return standard output for what programs read: in UTF-8, whatever people's words are written in here."""
    if sys.stdout is None:
        raise Fault("there is no standard output to write to")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return sys.stdout


def why(error: OSError) -> str:
    """Return what the system says of an error."""
    return (error.strerror or str(error)).lower()


def journal_in(folder: Path) -> tuple[Journal, Notice | None]:
    """Open the journal in a folder, and return what there is to be said about that.

    Where its disk takes nothing now, what is there can be read, and what is entered waits for the disk.
    """
    from companion.journal import DiskFault, JournalFault, JournalInUse  # noqa: PLC0415
    from companion.journal.opening import open_journal  # noqa: PLC0415
    from companion.journal.patient import PatientJournal  # noqa: PLC0415

    def reopen() -> tuple[Journal, Text | None]:
        journal, notice = open_journal(folder, time.time())
        return journal, _said(notice)

    try:
        journal, notice = open_journal(folder, time.time())
        return PatientJournal(journal, reopen=reopen), notice
    except DiskFault as fault:
        return PatientJournal(_there(folder), fault, reopen), None
    except JournalInUse as fault:
        raise Fault(f"{fault}; stop it, or choose another folder with --data DIR") from None
    except JournalFault as fault:
        raise Fault(str(fault)) from None


def _there(folder: Path) -> Journal:
    from companion.journal import JournalFault  # noqa: PLC0415
    from companion.journal.apart import read_what_there_is  # noqa: PLC0415

    try:
        return read_what_there_is(folder)
    except JournalFault as unreadable:
        raise Fault(str(unreadable)) from None


def _said(notice: Notice | None) -> Text | None:
    """Say a notice on standard error, and return what of it is for the panel."""
    if notice is None:
        return None
    with suppress(OSError):  # whatever became of standard error, the box goes on
        print(f"companion: {notice.details}", file=sys.stderr)
    return notice.text


def finished(box: Box) -> int:
    """Save whatever is not saved yet, and return the exit status: what could not be is said on standard error."""
    if box.saving.finish():
        return 0
    print(f"companion: the disk takes nothing; entries not saved: {box.saving.mark}", file=sys.stderr, flush=True)
    return WRONG


def box_on(
    journal: Journal,
    notice: Notice | None,
    front: Front,
    clock: Clock,
    *,
    language: str | None = "en",
    power: Power | None = None,
    board: Board | None = None,
) -> Box:
    """Make a box on a journal, the notice on it said on standard error, too."""
    from companion.app.box import Box  # noqa: PLC0415
    from companion.journal import JournalFault  # noqa: PLC0415
    from companion.ui.keys import KEYPAD  # noqa: PLC0415

    told = _said(notice)
    try:
        return Box(journal, front, clock, told, language, power, board or KEYPAD)
    except JournalFault as fault:
        raise Fault(str(fault)) from None
