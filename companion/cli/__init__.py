"""The command line: runs one command, and says in a sentence why it cannot go on."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Any, NoReturn

from companion.app.terminal import say
from companion.core.text import SentenceError

from .common import WRONG, find_added_games, missing_package, say_fault, why


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        try:
            return _done(words)
        except ModuleNotFoundError as error:
            raise missing_package(error) from None
    except SentenceError as fault:
        say_fault(fault)
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


def _done(words: Sequence[str]) -> int:
    """Read the arguments of a command, run it, and return its exit status."""
    arguments = _arguments(words)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # characters the terminal lacks become "?"
    if getattr(arguments, "finds_games", False):
        find_added_games(arguments)
    status: int = arguments.run(arguments)
    if sys.stdout is not None:
        sys.stdout.flush()
    return status


def _arguments(words: Sequence[str]) -> Any:
    """Return the arguments of a command; those of the service are read without argparse where that can be."""
    if words[:1] == ["run"]:
        from .device import plain_arguments

        found = plain_arguments(words[1:])
        if found is not None:
            return found
    else:  # what the box itself imports logs nothing, unless it fails or has a page
        from companion.core.program_log import escape_lines

        escape_lines()
    from .commands import parsed

    return parsed(words)


def run() -> NoReturn:
    sys.exit(main())
