"""The command line: parses arguments and runs one command.

Modules are imported only when a command needs them.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from typing import NoReturn

from companion.app.terminal import say
from companion.core.errors import SentenceError
from companion.core.text import printable

from .arguments import add_commands, add_run
from .common import WRONG, CommandError, why
from .named_command import Command, add_command


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words[:1] != ["run"]:  # what the box itself imports logs nothing, unless it fails or has a page
        from companion.core.printable_log import escape_lines

        escape_lines()
    try:
        # The service's own command comes without the others: making all of them takes a tenth of the start.
        parser = _parser(add_run if words[:1] == ["run"] else add_commands)
        arguments = parser.parse_args(words)
        command: Command | None = getattr(arguments, "command", None)
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # characters the terminal lacks become "?"
        if command is None:
            parser.print_help()
        status = 0 if command is None else command(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except SentenceError as fault:
        say(f"companion: {fault}", error=True)
        return WRONG
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except OSError as error:  # the reader of the output has gone, the disk is full, or a file cannot be read
        if not isinstance(error, BrokenPipeError):
            what = "the output cannot be written" if error.filename is None else error.filename
            say(f"companion: {what}: {why(error)}", error=True)
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG


def _parser(add: Callable[..., None]) -> argparse.ArgumentParser:
    """Return the parser of the commands that a function adds."""
    parser = _Parser(prog="companion", description="A scorekeeper beside the card table.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, about: str, function: str = "") -> argparse.ArgumentParser:
        return add_command(commands, name, about, function or f"{name}:{name}")

    add(command)
    return parser


class _Parser(argparse.ArgumentParser):
    """Refuses arguments in printable words: the shell may have taken them from names of files."""

    def error(self, message: str) -> NoReturn:
        """Print how to use the command and why it cannot run, and exit."""
        super().error(printable(message))


class _Version(argparse.Action):
    """Prints the version that is installed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib import metadata

        try:
            say(f"companion {metadata.version('tabletop-companion')}")
        except metadata.PackageNotFoundError:
            raise CommandError("only an installed companion knows its version") from None
        sys.exit(0)


def run() -> NoReturn:
    sys.exit(main())
