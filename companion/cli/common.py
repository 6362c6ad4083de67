"""Shared by the commands: arguments, errors, files, standard streams, opening the journal."""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from companion.app.terminal import say
from companion.core.text import SentenceError

if TYPE_CHECKING:
    import argparse

    from companion.app.box import Box
    from companion.gamelog import InvalidLineError, LogError
    from companion.journal import Journal, JournalInUseError

WRONG = 1

SERVICE_DATA = Path("/var/lib/companion")  # the folder of the service's journal

MOST_BYTES = 64 * 1024 * 1024  # the most bytes of a file that a command reads


class CommandError(SentenceError):
    """A command cannot go on; the message is a sentence for people.

    Attributes:
        status: The exit status of the service: 78 counts as a failure of this version, and 75 does not.
    """

    status = os.EX_CONFIG


class InUseError(CommandError):
    """Another process uses the journal."""

    status = os.EX_TEMPFAIL


class InvalidLogError(CommandError):
    """A line of a log cannot be read."""

    at_places = True


EXTRAS = {
    "page": ("the page", ("jinja2", "segno", "starlette", "uvicorn")),
    "pi": ("the box", ("gpiod", "gpiozero", "luma", "smbus2")),
    "bridge": ("the bridge", ("inotify_simple", "paho")),
    "club": ("the hub", ("psycopg", "yoyo")),
}
"""The optional parts of the program by their names for pip: what each is, and the packages that it needs."""


def missing_package(error: ModuleNotFoundError) -> CommandError:
    """Return an error that names a missing package and the command that installs it for this Python.

    Raises the error itself if the module belongs to no optional part.
    """
    if error.name in ("companion.club", "companion.cli.club"):
        return CommandError("a box comes without the club; docs/club.md says how another computer runs it")
    for extra, (what, packages) in EXTRAS.items():
        if (error.name or "").partition(".")[0] in packages:
            import shlex  # only when something is missing

            pip = f"{shlex.quote(sys.executable)} -m pip install 'tabletop-companion[{extra}]'"
            return CommandError(f"{what} needs {error.name}; to install it: {pip}")
    raise error


def with_data(one: argparse.ArgumentParser, *, games: bool = True) -> None:
    """Add the argument of a command that works on a journal; with ``games`` those that were added are found first."""
    one.add_argument("--data", metavar="DIR", type=Path, help="where the journal is kept")
    if games:
        one.set_defaults(finds_games=True)


def with_config(one: argparse.ArgumentParser) -> None:
    """Add the argument of a command that reads the owner's settings."""
    one.add_argument("--config", metavar="FILE", type=Path, help="the settings (default: /etc/companion.toml)")


def folder(arguments: argparse.Namespace) -> Path:
    """Return the journal's folder: the argument, else the service's state directory, else the user's."""
    if getattr(arguments, "data", None) is not None:
        return Path(arguments.data)
    if state := service_folder("STATE_DIRECTORY"):
        return Path(state)
    import platformdirs

    return platformdirs.user_data_path("tabletop-companion", appauthor=False)


def service_folder(variable: str) -> str:
    """Return the folder that systemd names in a variable, the first of several; empty outside the service."""
    return os.environ.get(variable, "").split(":")[0]


def find_added_games(arguments: argparse.Namespace) -> None:
    """Let games of the journal's folder be found once one is asked for, and the calls of all games be measured."""
    from companion.app.games import find_added_games, measure_games

    measure_games()
    find_added_games(lambda: folder(arguments))


def existing_folder(arguments: argparse.Namespace) -> Path:
    """Return the folder of a journal that is there."""
    place = folder(arguments)
    with naming(place):
        if not place.exists() or not os.listdir(place):
            raise CommandError(f"there is no journal in {place}")
    return place


@contextmanager
def naming(file: Path | str) -> Iterator[None]:
    """Name a file in the sentence on an error of the system in the block."""
    try:
        yield
    except OSError as error:
        raise CommandError(f"{file}: {why(error)}") from None


def read_input(name: Path | str, *, pipes: bool = True) -> bytes:
    """Return the content of a file, or of standard input for "-", without a byte order mark.

    Raises CommandError if it cannot be read, is too large, or no file.

    Without ``pipes`` it may be no pipe or device, which may never end.
    """
    if name == "-":
        data = standard_input().buffer.read(MOST_BYTES + 1)
    else:
        waits = 0 if pipes else os.O_NONBLOCK  # for somebody who writes into a pipe
        with naming(name), open(name, "rb", opener=lambda path, flags: os.open(path, flags | waits)) as file:
            if not pipes and not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise CommandError(f"{name}: this is no file")
            data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise CommandError(f"{name}: too large, more than {MOST_BYTES >> 20} MB")
    return data.removeprefix(codecs.BOM_UTF8)  # some editors begin every text with it


def output_file(file: Path) -> Path:
    """Return the file that a command writes: behind a link. Raise CommandError for a device, a pipe or a folder."""
    place = Path(os.path.realpath(file))  # a link that leads to itself stays a link
    if os.path.lexists(place) and not place.is_file():
        raise CommandError(f"{file}: this is no file")
    return place


def say_fault(fault: SentenceError) -> None:
    """Print an error, after the name of the program; one at places of a file as compilers do."""
    for line in str(fault).split("\n") if fault.at_places else [f"companion: {fault}"]:
        say(line, error=True)


def with_place(error: InvalidLineError | LogError, arguments: argparse.Namespace) -> str:
    """Return why a log cannot be read; where rules are looked for if those of its game are missing."""
    from companion.gamelog import NOT_INSTALLED
    from companion.journal import added_game_files

    if error.text.template != NOT_INSTALLED:
        return str(error)
    return f"{error}; they are looked for in {folder(arguments) / added_game_files.FOLDER} (--data DIR: another folder)"


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


def write_data(content: bytes) -> None:
    """Write a file's content to standard output: as it is for programs, and escaped at a terminal."""
    stream = standard_output()
    if stream.isatty():
        for line in content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n").removesuffix("\n").split("\n"):
            say(line)
        return
    stream.flush()
    stream.buffer.write(content)
    stream.flush()


def agreed(question: str, without: str = "") -> bool:
    """Ask on the terminal, or read a piped answer; return whether it is yes. Without any answer, say what follows."""
    answer = ""
    if sys.stdin is not None:
        say(f"{question} [y/N] ", end="" if sys.stdin.isatty() else "\n", flush=True)
        answer = standard_input().readline()
    if not answer and without:
        say(without)
    return answer.strip().lower() in ("y", "yes")


def counted(number: int, what: str) -> str:
    """Return a number with the noun that it counts.

    >>> counted(1, "game"), counted(2, "game")
    ('1 game', '2 games')
    """
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def why(error: OSError) -> str:
    """Return the system's message for an error, in lower case."""
    return (error.strerror or str(error)).lower()


def scratch(mode: int = os.W_OK | os.X_OK) -> Path | None:
    """Return the folder for typed keys, in memory: the service's or user's runtime folder; None if there is none.

    Args:
        mode: How it is used: written, unless only read.
    """
    runtime = service_folder("RUNTIME_DIRECTORY") or os.environ.get("XDG_RUNTIME_DIR", "")
    # root's folder is not for root's command that works for another
    usable = runtime and os.access(runtime, mode, effective_ids=True)
    return Path(runtime) / "tabletop-companion" if usable else None


@contextmanager
def journal_in(folder: Path) -> Iterator[Journal]:
    """Open the journal in a folder for a block, in which root acts as the folder's owner.

    Refused writes are kept in memory and retried.
    """
    from companion.journal import Journal, JournalInUseError
    from companion.journal.act_as_owner import as_owner_of

    with as_owner_of(folder):
        _restore_waiting(folder)
        try:
            journal = Journal(folder, scratch=scratch())
        except JournalInUseError as fault:
            raise in_use(fault, folder) from None
        with closing(journal):
            yield journal


@contextmanager
def journal_read_in(folder: Path) -> Iterator[Journal]:
    """Open the journal in a folder only for reading, for a block in which root acts as the folder's owner."""
    from companion.journal import Journal
    from companion.journal.act_as_owner import as_owner_of

    with as_owner_of(folder), closing(Journal(folder, writes=False)) as journal:
        yield journal


def _restore_waiting(folder: Path) -> None:
    """Restore the backup that somebody has chosen on the page."""
    from companion.journal import JournalError

    if not os.path.exists(folder / "to-restore.zip"):  # `restore` is imported for that alone
        return
    from companion.journal.backup import restore_waiting

    try:
        restored = restore_waiting(folder)
    except (JournalError, OSError) as error:
        say(f"companion: the backup is not restored: {error}", error=True, flush=True)
        return
    if restored is not None:
        more = len(restored.added) + len(restored.extended) + len(restored.conflicting)
        say(f"The backup is restored; games that are new or have more entries: {more}", flush=True)


def in_use(fault: JournalInUseError, folder: Path) -> InUseError:
    """Return the fault of a journal that another process uses, with the process."""
    from hardware.system import locker

    process = ": ".join(filter(None, (str(fault), locker(folder))))
    return InUseError(f"{process}; stop it, or choose another folder with --data DIR")


def finish(box: Box) -> int:
    """Save what is not saved yet, report a failure on standard error, and return the exit status."""
    if box.upkeep.finish():
        return 0
    say(f"companion: the disk takes nothing; entries not saved: {box.upkeep.mark}", error=True, flush=True)
    return WRONG
