"""Shared by the commands: errors, standard streams, opening the journal, making the application."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from companion.app.printing import say

if TYPE_CHECKING:
    from companion.app.box import Box
    from companion.app.machine import Feature
    from companion.app.machine.phones import Pairing
    from companion.app.outputs import Outputs
    from companion.app.ports import Clock, Power
    from companion.journal import Journal, JournalInUseError
    from companion.ui.keys import KeyLayout

WRONG = 1

MOST_BYTES = 64 * 1024 * 1024
"""The most bytes of a file that a command reads."""


class CommandError(Exception):
    """A command cannot go on; the message is a sentence for people.

    Attributes:
        status: The exit status of the service: 78 counts as a failure of this version, and 75 does not.
    """

    status = os.EX_CONFIG


class InUseError(CommandError):
    """Another process uses the journal."""

    status = os.EX_TEMPFAIL


def folder(arguments: argparse.Namespace) -> Path:
    """Return the journal's folder: the argument, else the service's state directory, else the user's."""
    if arguments.data is not None:
        return Path(arguments.data)
    if os.environ.get("STATE_DIRECTORY"):
        return Path(os.environ["STATE_DIRECTORY"].split(":")[0])
    import platformdirs

    return platformdirs.user_data_path("tabletop-companion", appauthor=False)


def read_input(name: str, *, pipes: bool = True) -> bytes:
    """Return the content of a file, or of standard input for "-".

    Args:
        name: The file's name.
        pipes: Whether it may be a pipe or a device, which may never end.

    Raises:
        CommandError: It is too large, or no file.
        OSError: It cannot be read.
    """
    if name == "-":
        data = standard_input().buffer.read(MOST_BYTES + 1)
    else:
        waits = 0 if pipes else os.O_NONBLOCK  # for somebody who writes into a pipe
        with open(name, "rb", opener=lambda path, flags: os.open(path, flags | waits)) as file:
            if not pipes and not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise CommandError(f"{name}: this is no file")
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise CommandError(f"{name}: too large, more than {MOST_BYTES >> 20} MB")
    return data


def standard_input() -> TextIO:
    """Return standard input; bytes that cannot be decoded are replaced."""
    if sys.stdin is None:
        raise CommandError("there is no standard input to read from")
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    return sys.stdin


def standard_output() -> TextIO:
    """Return standard output in UTF-8, for output that programs read."""
    if sys.stdout is None:
        raise CommandError("there is no standard output to write to")
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return sys.stdout


def why(error: OSError) -> str:
    """Return the system's message for an error, in lower case."""
    return (error.strerror or str(error)).lower()


def _scratch() -> Path | None:
    """Return the folder for typed keys, in memory: the service's or user's runtime folder; None if there is none."""
    runtime = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or os.environ.get("XDG_RUNTIME_DIR")
    if not runtime or not os.access(
        runtime, os.W_OK | os.X_OK, effective_ids=True
    ):  # root's, while it works for another
        return None
    return Path(runtime) / "tabletop-companion"


def journal_in(folder: Path) -> Journal:
    """Open the journal in a folder; refused writes are kept in memory and retried."""
    from companion.journal import Journal, JournalError, JournalInUseError

    try:
        return Journal(folder, scratch=_scratch())
    except JournalInUseError as fault:
        raise in_use(fault, folder) from None
    except JournalError as fault:
        raise CommandError(str(fault)) from None


def in_use(fault: JournalInUseError, folder: Path) -> InUseError:
    """Return the fault of a journal that another process uses, with the process."""
    from hardware.system_probes import SystemProbes

    process = ": ".join(filter(None, (str(fault), SystemProbes().locker(folder))))
    return InUseError(f"{process}; stop it, or choose another folder with --data DIR")


def finish(box: Box) -> int:
    """Save what is not saved yet, report a failure on standard error, and return the exit status."""
    if box.upkeep.finish():
        return 0
    say(f"companion: the disk takes nothing; entries not saved: {box.upkeep.mark}", error=True, flush=True)
    return WRONG


def controller_on(
    journal: Journal,
    outputs: Outputs,
    clock: Clock,
    *,
    language: str | None = "en",
    power: Power | None = None,
    board: KeyLayout | None = None,
    pairing: Pairing | None = None,
    machine: Iterable[Feature] = (),
) -> Box:
    """Make the application on a journal."""
    from companion.app.box import Box
    from companion.journal import JournalError
    from companion.ui.keys import KEYPAD

    try:
        return Box(
            journal,
            outputs,
            clock,
            language=language,
            power=power,
            board=board or KEYPAD,
            pairing=pairing,
            machine=machine,
        )
    except JournalError as fault:
        raise CommandError(str(fault)) from None
