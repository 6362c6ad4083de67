"""The command line: parses arguments and runs one command.

Modules are imported only when a command needs them.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

from companion.app.terminal import say
from companion.core.text import SentenceError

from .common import WRONG, named, why


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words[:1] != ["run"]:  # what the box itself imports logs nothing, unless it fails or has a page
        from companion.core.printable_log import escape_lines

        escape_lines()
    try:
        arguments: Any = run_arguments(words)
        if arguments is None:
            from .arguments import parser

            arguments = parser().parse_args(words)
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # characters the terminal lacks become "?"
        status: int = arguments.command(arguments)
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


def run_arguments(words: Sequence[str]) -> SimpleNamespace | None:
    """Read the arguments of ``companion run`` without argparse, whose import takes a twentieth of the start.

    None for another command, and for what argparse has to read: abbreviations, ``--data=x``, mistakes, ``--help``.
    """
    if words[:1] != ["run"]:
        return None
    found: dict[str, Any] = {"data": None, "config": None, "hdmi": False}
    rest = iter(words[1:])
    for word in rest:
        if word == "--hdmi":
            found["hdmi"] = True
        elif word in ("--data", "--config") and not (file := next(rest, "-")).startswith("-"):
            found[word[2:]] = Path(file)
        else:
            return None
    return SimpleNamespace(command=named("device:run"), **found)


def run() -> NoReturn:
    sys.exit(main())
