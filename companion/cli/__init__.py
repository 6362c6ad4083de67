"""The command line: parses arguments and runs one command.

Modules are imported only when a command needs them.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from .board_lookup import USUAL
from .common import WRONG, CommandFault, why

Command = Callable[[argparse.Namespace], int]

TRACKINGS = ("full", "quick", "round")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    try:
        parser = _parser()
        wanted = parser.parse_args(argv)
        command: Command | None = getattr(wanted, "command", None)
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # characters the terminal lacks become "?"
        if command is None:
            parser.print_help()
        status = 0 if command is None else command(wanted)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except CommandFault as fault:
        print(f"companion: {fault}", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except OSError as error:  # the reader of the output has gone, the disk is full, or a file cannot be read
        if not isinstance(error, BrokenPipeError):
            what = "the output cannot be written" if error.filename is None else error.filename
            print(f"companion: {what}: {why(error)}", file=sys.stderr)
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="companion", description="A scorekeeper beside the card table.")
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    _add_commands(parser.add_subparsers(title="commands", metavar="COMMAND"))
    return parser


def _add_commands(commands: Any) -> None:
    def command(name: str, run: Command, about: str) -> argparse.ArgumentParser:
        one: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about)
        one.set_defaults(command=run)
        return one

    def with_data(one: argparse.ArgumentParser) -> None:
        one.add_argument("--data", metavar="DIR", type=Path, help="where the journal is kept")

    def with_config(one: argparse.ArgumentParser) -> None:
        with_data(one)
        one.add_argument("--config", metavar="FILE", type=Path, help="the settings (default: /etc/companion.toml)")

    boards = f"(see hardware/boards; default: {USUAL})"

    def with_language(one: argparse.ArgumentParser) -> None:
        one.add_argument("--lang", metavar="LANGUAGE", default="en", help="its two letters (default: en)")

    one = command("simulate", _from("simulate", "simulate"), "Serve the box as a page, with panel, keypad and lamp.")
    with_data(one)
    one.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this computer only)")
    one.add_argument("--port", type=_port, default=8080)
    one.add_argument("--board", metavar="NAME", default=USUAL, help=f"the board shown {boards}")
    one.add_argument("--oled", metavar="BUS", type=int, help="show the picture on an SSD1306 on this I2C bus too")
    one.add_argument("--open", action="store_true", help="open a browser where there is one")

    one = command("run", _from("device", "run"), "Run the box on its board: what the service does.")
    with_config(one)
    one.add_argument("--hdmi", action="store_true", help="draw the table on a screen at the HDMI socket, too")

    one = command("doctor", _from("device", "doctor"), "Check the box and what it runs on; say what to do.")
    with_config(one)

    one = command("replay", _from("replay_and_keys", "replay"), "Print the snapshot after each log's last event.")
    one.add_argument("--each", action="store_true", help="one line after every line below the header")
    one.add_argument("logs", metavar="LOG", nargs="+", help='a game log; "-" reads standard input')

    one = command("press", _from("press_export_draw", "press"), "Press keys and show the panel.")
    with_data(one)
    one.add_argument("--new", metavar="HEADER.json", type=Path, help="begin a game from a log's header")
    one.add_argument("--tracking", choices=TRACKINGS, help="how closely the new game is followed (default: full)")
    one.add_argument("--board", metavar="NAME", help=f"the board whose keys they are {boards}")
    with_language(one)
    one.add_argument("--png", metavar="OUT.png", type=Path, help="write the panel as a picture")
    one.add_argument("--text", action="store_true", help="print the panel as text blocks")
    one.add_argument("keys", metavar="KEYS", nargs="*", help='0-9 A-D * # < o > ^ v, h# h* ho held; "-" reads them')

    one = command("keys", _from("replay_and_keys", "keys"), "Print the shortest keys that enter each line of a log.")
    one.add_argument("log", metavar="LOG", help='a game log; "-" reads standard input')

    one = command(
        "suggest", _from("suggest", "suggest"), "Print likely corrections of a log whose last entry raised an alert."
    )
    one.add_argument("--refused", metavar="EVENT", help="an event (JSON) that the log refuses, instead of an alert")
    one.add_argument("--keys", metavar="FILE", help='the keys typed, as the command "keys" prints them')
    one.add_argument("log", metavar="LOG", help='a game log; "-" reads standard input')

    one = command("export", _from("press_export_draw", "export"), "Print a game's log, or list the games.")
    with_data(one)
    which = one.add_mutually_exclusive_group()
    which.add_argument("game", metavar="GAME", nargs="?", help="its number or its whole name (default: the latest)")
    which.add_argument("--list", action="store_true", help="list the games instead, the latest first")

    one = command(
        "screens",
        _from("press_export_draw", "screens"),
        "Write a picture of every kind of screen, and all of them on one sheet.",
    )
    one.add_argument("--out", metavar="DIR", type=Path, required=True)
    with_language(one)
    one.add_argument("--board", metavar="NAME", default=USUAL, help=f"the board whose keys it has {boards}")


class _Version(argparse.Action):
    """Prints the version that is installed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib import metadata  # noqa: PLC0415

        try:
            print(f"companion {metadata.version('tabletop-companion')}")
        except metadata.PackageNotFoundError:
            raise CommandFault("only an installed companion knows its version") from None
        sys.exit(0)


def _from(module: str, name: str) -> Command:
    """Return a command whose module is imported when it runs."""

    def run(wanted: argparse.Namespace) -> int:
        command: Command = getattr(importlib.import_module(f".{module}", __package__), name)
        return command(wanted)

    return run


def _port(written: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", written) or int(written) > 65535:
        raise argparse.ArgumentTypeError(f"{written!r} is not a port from 0 to 65535")
    return int(written)


def run() -> NoReturn:
    """Run the command line and exit."""
    sys.exit(main())
