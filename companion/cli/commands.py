"""The commands: where each one is, and its parser.

A command ``NAME`` is two functions of a module, which is imported when the command is called:
``NAME_arguments(parser)`` adds its arguments, and ``NAME(arguments)`` runs it and returns the exit status.
A command of several actions adds a parser for each (`Actions`), with the function that runs it.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from typing import NoReturn

from companion.app.terminal import say
from companion.core.text import printable

from .common import CommandError

COMMANDS = {
    "simulate": ("simulate:simulate", "Serve the box as a page, with panel, keypad and lamp."),
    "run": ("device:run", "Run the box on its board: what the service does."),
    "doctor": ("doctor:doctor", "Check the box and what it runs on; say what to do."),
    "replay": ("logs:replay", "Print the snapshot after each log's last event."),
    "press": (
        "press:press",
        "Press keys and show the panel. What they enter is written into the journal: without --data into your own.",
    ),
    "update": ("update:update", "Install a newer version of this box."),
    "bridge": ("bridge:bridge", "Publish the table over MQTT, for Home Assistant or a club, until told to stop."),
    "keys": ("logs:keys", "Print the shortest keys that enter each line of a log."),
    "suggest": ("logs:suggest", "Print likely corrections of a log whose last entry raised an alert."),
    "check-game": ("check_game:check_game", "Try a game, and say what is wrong or missing, one sentence each."),
    "rescore": ("logs:rescore", "Print what a game would have come to by other rules."),
    "export": ("saved_games:export", "Print a game's log or the results, or list the games."),
    "import": ("imports:import_files", "Take game logs, or plays of the app BG Stats, after looking them over."),
    "backup": ("saved_games:backup", "Write all games and settings to one file."),
    "remove": ("saved_games:remove", "Remove games, bring them back, or delete those that were removed."),
    "restore": ("saved_games:restore", "Add the games and settings of a backup."),
    "history": ("history_and_stats:history", "List the finished games, the oldest first."),
    "stats": ("history_and_stats:stats", "Print a person's statistics, or the league table."),
    "game": (
        "manage_game_files:game",
        "Add a game that a TOML file declares, list the games, remove one, or begin a new one.",
    ),
    "club": ("club:club", "Run the evenings of a club on pages, with or without boxes at the tables."),
}
"""Of each command its module, below this package, with its function there, and what it does."""


class Parser(ArgumentParser):
    """Refuses arguments in printable words: the shell may have taken them from names of files."""

    def error(self, message: str) -> NoReturn:
        """Print how to use the command and why it cannot run, and exit."""
        super().error(printable(message))


def parsed(words: Sequence[str]) -> Namespace:
    """Return the arguments of a command, with ``run``, the function that runs it; exit after help or for a mistake."""
    if words and words[0] in COMMANDS:
        return parser_of(words[0]).parse_args(words[1:])
    return _overview().parse_args(words)


def parser_of(name: str) -> ArgumentParser:
    """Return the parser of a command."""
    place, about = COMMANDS[name]
    module, _colon, function = place.partition(":")
    command = import_module(f".{module}", __package__)
    one = Parser(prog=f"companion {name}", description=about)
    one.set_defaults(run=getattr(command, function, None))
    getattr(command, f"{function}_arguments")(one)
    return one


def _overview() -> ArgumentParser:
    """Return the parser of a line without a command, which prints the commands or the version."""
    whole = Parser(prog="companion", description="A scorekeeper beside the card table.")
    whole.add_argument("--version", action="store_true", help="print the version and leave")
    commands = whole.add_subparsers(title="commands", metavar="COMMAND")
    for name, (_place, about) in COMMANDS.items():
        commands.add_parser(name, help=about)

    def run(arguments: Namespace) -> int:
        if not arguments.version:
            whole.print_help()
            return 0
        try:
            say(f"companion {metadata.version('tabletop-companion')}")
        except metadata.PackageNotFoundError:
            raise CommandError("only an installed companion knows its version") from None
        return 0

    whole.set_defaults(run=run)
    return whole


class Actions:
    """Adds the actions of a command, such as ``companion game add``; one of them is wanted if they are required."""

    def __init__(self, one: ArgumentParser, *, required: bool = True) -> None:
        self._parsers = one.add_subparsers(metavar="ACTION", required=required)

    def __call__(self, name: str, about: str, run: Callable[[Namespace], int] | None = None) -> ArgumentParser:
        """Return the parser of a new action; without ``run`` it has actions of its own."""
        one: ArgumentParser = self._parsers.add_parser(name, help=about, description=about)
        one.set_defaults(run=run)
        return one
