"""The arguments of each command, and which function runs it."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from companion.app.terminal import say
from companion.core.text import printable

from .board_key_layout import USUAL
from .common import CommandError, add_command

if TYPE_CHECKING:
    from datetime import date

TRACKINGS = ("full", "quick", "round")


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; without a command it prints them."""
    whole = _Parser(prog="companion", description="A scorekeeper beside the card table.")
    whole.add_argument("--version", action=_Version, nargs=0, help="print the version and leave")
    commands = whole.add_subparsers(title="commands", metavar="COMMAND")

    def printed(_arguments: argparse.Namespace) -> int:
        whole.print_help()
        return 0

    def command(name: str, about: str, function: str = "") -> argparse.ArgumentParser:
        return add_command(commands, name, about, function or f"{name}:{name}")

    whole.set_defaults(command=printed)
    _add_commands(command)
    return whole


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


def _add_commands(command: Callable[..., argparse.ArgumentParser]) -> None:
    boards = f"(see hardware/boards; default: {USUAL})"

    one = command("simulate", "Serve the box as a page, with panel, keypad and lamp.")
    _with_data(one)
    one.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this computer only)")
    one.add_argument("--port", type=_port, default=8080)
    one.add_argument("--board", metavar="NAME", default=USUAL, help=f"the board shown {boards}")
    one.add_argument("--oled", metavar="BUS", type=int, help="show the picture on an SSD1306 on this I2C bus too")
    one.add_argument("--club", action="store_true", help="be the box of a club, for `companion bridge`")
    one.add_argument("--open", action="store_true", help="open a browser where there is one")

    one = command("run", "Run the box on its board: what the service does.", "device:run")
    _with_data(one)
    _with_config(one)
    one.add_argument("--hdmi", action="store_true", help="draw the table on a screen at the HDMI socket, too")

    one = command("doctor", "Check the box and what it runs on; say what to do.")
    _with_data(one)
    _with_config(one)
    instead = one.add_mutually_exclusive_group()
    instead.add_argument("--quick", action="store_true", help="check the program alone: files, modules, games, screens")
    instead.add_argument("--reads", action="store_true", help="only try to read the settings and the journal")
    instead.add_argument("--panel", action="store_true", help="show a test picture, and ask whether it is whole")
    report = "also write findings, system, settings and sizes of files into one file, for asking for help"
    instead.add_argument("--report", metavar="FILE", type=Path, help=report)

    one = command("replay", "Print the snapshot after each log's last event.", "replay_and_keys:replay")
    _with_data(one)
    one.add_argument("--each", action="store_true", help="one line after every line below the header")
    one.add_argument("logs", metavar="LOG", nargs="+", help='a game log; "-" reads standard input')

    about = "Press keys and show the panel. What they enter is written into the journal: without --data into your own."
    one = command("press", about)
    _with_data(one)
    one.add_argument("--dry", action="store_true", help="write nothing: press in a copy of the journal, in memory")
    one.add_argument("--new", metavar="HEADER.json", type=Path, help="begin a game from a log's header")
    one.add_argument("--tracking", choices=TRACKINGS, help="how closely the new game is followed (default: full)")
    one.add_argument("--board", metavar="NAME", help=f"the board whose keys they are {boards}")
    letters = "its two letters, until one was chosen on the box (default: en)"
    one.add_argument("--lang", metavar="LANGUAGE", default="en", help=letters)
    one.add_argument("--png", metavar="OUT.png", type=Path, help="write the panel as a picture")
    one.add_argument("--text", action="store_true", help="print the panel as text blocks")
    one.add_argument("keys", metavar="KEYS", nargs="*", help='0-9 A-D * # < o > ^ v, h# h* ho held; "-" reads them')

    _add_update(command)
    _add_bridge(command)
    _add_log_commands(command)
    _add_exports(command)
    _add_history(command)
    _add_games(command)
    _add_club(command)


def _add_update(command: Callable[..., argparse.ArgumentParser]) -> None:
    one = command("update", "Install a newer version of this box.", "update.command:update")
    _with_config(one)
    one.add_argument("--yes", action="store_true", help="install it without asking")
    what = "a package, a folder with packages, or an address (default: the USB drives, and the address in the settings)"
    one.add_argument("source", metavar="SOURCE", nargs="?", help=what)
    one.add_argument("--box", choices=("look", "install"), help=argparse.SUPPRESS)  # for the units of the box's menu

    one = command("splash", "Show a sentence on the panel, and leave it there.", "splash:splash")
    _with_config(one)
    one.add_argument("words", metavar="WORD", nargs="+")


def _add_bridge(command: Callable[..., argparse.ArgumentParser]) -> None:
    one = command("bridge", "Publish the table over MQTT, for Home Assistant or a club, until told to stop.")
    _with_data(one)
    _with_config(one)
    what = "as root: let its unit reach the broker, and start it now and at every start"
    one.add_argument("--set-up", action="store_true", help=what)
    gone = "take the device out of Home Assistant: clear all that the broker keeps; as root also stop the unit"
    one.add_argument("--remove", action="store_true", help=gone)
    where = "where it keeps how far the games have arrived (default: beside the journal)"
    one.add_argument("--state", metavar="DIR", type=Path, help=where)


def _add_log_commands(command: Callable[..., argparse.ArgumentParser]) -> None:
    one = command("keys", "Print the shortest keys that enter each line of a log.", "replay_and_keys:keys")
    _with_log(one)

    one = command("suggest", "Print likely corrections of a log whose last entry raised an alert.")
    one.add_argument("--refused", metavar="EVENT", help="an event (JSON) that the log refuses, instead of an alert")
    one.add_argument("--keys", metavar="FILE", help='the keys typed, as the command "keys" prints them')
    _with_log(one)

    about = "Try a game, and say what is wrong or missing, one sentence each."
    one = command("check-game", about, "check_game:check_game")
    one.add_argument(
        "game", metavar="NAME|FILE|PACKAGE", help="a game's name, a .toml or .py file, or a Python package"
    )
    one.add_argument("--games", metavar="N", type=_count, default=30, help="random games to play (default: 30)")
    one.add_argument("--seed", metavar="N", type=int, default=1, help="for other random games (default: 1)")

    one = command("rescore", "Print what a game would have come to by other rules.")
    one.add_argument("--rules", metavar="JSON", required=True, help='the rules that differ: {"edition": "fr"}')
    _with_log(one)


def _add_games(command: Callable[..., argparse.ArgumentParser]) -> None:
    one = command("game", "Add a game that a TOML file declares, list the games, remove one, or begin a new one.")
    actions = one.add_subparsers(metavar="ACTION", required=True)

    def action(name: str, about: str) -> argparse.ArgumentParser:
        return add_command(actions, name, about, f"manage_game_files:{name}")

    one = action("add", "Look a game's file over, say what it declares, and add it if that is wanted.")
    _with_data(one)
    one.add_argument("--yes", action="store_true", help="add it without asking")
    one.add_argument("file", metavar="FILE", type=Path, help="a TOML file that declares a game")

    one = action("list", "List all games by family: when they were last played, where those that were added are.")
    _with_data(one)
    about = "list the games with this word in their title, in any language, or of this family"
    one.add_argument("word", metavar="WORD", nargs="?", default="", help=about)

    for name, about in (
        ("remove", "Remove an added game. Games of it that were played stay."),
        ("hide", "Offer a game no more when a game is set up."),
        ("show", "Offer a hidden game again."),
    ):
        one = action(name, about)
        _with_data(one)
        one.add_argument("name", metavar="NAME", help="the game's name, as in the list")
        if name == "remove":
            one.add_argument("--yes", action="store_true", help="remove it without asking")

    about = "Write the beginning of a game's file, which can be played as it is, into this folder."
    action("new", about).add_argument("name", metavar="NAME", help="the game's name: small letters, digits and hyphens")


def _add_club(command: Callable[..., argparse.ArgumentParser]) -> None:
    from .club import add_hub
    from .club_evening import add_evening

    about = "Run an evening of a club, or the hub that stores and shows all its tables."
    if find_spec("companion.club") is None:
        command("club", about, "club:missing").add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
        return
    one = command("club", about)
    actions = one.add_subparsers(metavar="ACTION", required=True)
    add_evening(actions)
    add_hub(actions)


def _with_data(one: argparse.ArgumentParser) -> None:
    one.add_argument("--data", metavar="DIR", type=Path, help="where the journal is kept")


def _with_config(one: argparse.ArgumentParser) -> None:
    one.add_argument("--config", metavar="FILE", type=Path, help="the settings (default: /etc/companion.toml)")


def _with_log(one: argparse.ArgumentParser) -> None:
    _with_data(one)
    one.add_argument("log", metavar="LOG", help='a game log; "-" reads standard input')


def _add_history(command: Callable[..., argparse.ArgumentParser]) -> None:
    def with_dates(one: argparse.ArgumentParser) -> None:
        _with_data(one)
        one.add_argument(
            "--game", metavar="GAME", dest="only_game", help="only this game, by its title or its name in a log"
        )
        one.add_argument("--since", metavar="DATE", type=_date, help="only games from this day on, such as 2026-11-20")
        one.add_argument("--until", metavar="DATE", type=_date, help="only games up to this day; it ends at 5:00")
        one.add_argument("--json", action="store_true", help="print JSON")

    one = command("history", "List the finished games, the oldest first.", "history_and_stats:history")
    with_dates(one)
    one.add_argument("--person", metavar="PERSON", help="only games that this person played")

    one = command("stats", "Print a person's statistics, or the league table.", "history_and_stats:stats")
    with_dates(one)
    one.add_argument("person", metavar="PERSON", nargs="?", help="whose statistics (default: the league table)")
    one.add_argument(
        "--least", metavar="GAMES", type=int, help="how many games a place in the table needs (default: 3)"
    )
    one.add_argument("--ended-early", action="store_true", help="count games that the table ended early, too")


def _add_exports(command: Callable[..., argparse.ArgumentParser]) -> None:
    one = command("export", "Print a game's log or the results, or list the games.")
    _with_data(one)
    which = one.add_mutually_exclusive_group()
    which.add_argument("game", metavar="GAME", nargs="?", help="its number or its whole name (default: the latest)")
    which.add_argument("--list", action="store_true", help="list the games instead, the latest first")
    form = one.add_mutually_exclusive_group()
    forms = {
        "csv": "the results as CSV, a row for each seat of a game (default: of all finished games)",
        "json": "the results as JSON, likewise",
        "bgstats": "the results as a .bgsplay file for the app BG Stats, likewise",
        "log": "the game's log; without GAME the logs of all games, as a zip file",
    }
    for name, what in forms.items():
        form.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=what)
    one.add_argument("--out", metavar="FILE", type=Path, help="write to this file instead of printing")

    one = command(
        "import", "Take game logs, or plays of the app BG Stats, after looking them over.", "imports:import_files"
    )
    _with_data(one)
    one.add_argument("--yes", action="store_true", help="take them without asking")
    files = "logs, files from the folder games of another box, BGStatsExport.json or .bgsplay"
    one.add_argument("files", metavar="FILE", nargs="+", type=Path, help=files)

    one = command("backup", "Write all games and settings to one file.", "backup_and_restore:backup")
    _with_data(one)
    one.add_argument("--newest", metavar="COUNT", type=int, help=argparse.SUPPRESS)  # for installations
    one.add_argument("file", metavar="FILE", type=Path, help="the file; it may be on a USB drive")

    about = "Remove games, bring them back, or delete those that were removed."
    one = command("remove", about, "remove_games:remove")
    _with_data(one)
    action = one.add_mutually_exclusive_group()
    action.add_argument("--back", action="store_true", help="bring the games back")
    action.add_argument("--list", action="store_true", help="list the games that were removed")
    action.add_argument("--empty", action="store_true", help="delete them for good, after asking")
    one.add_argument("--yes", action="store_true", help="delete without asking")
    one.add_argument("games", metavar="GAME", nargs="*", help="the number or the whole name of a game")

    one = command("restore", "Add the games and settings of a backup.", "backup_and_restore:restore")
    _with_data(one)
    one.add_argument("file", metavar="FILE", type=Path, help="what companion backup wrote")


def _port(written: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", written) or int(written) > 65535:
        raise argparse.ArgumentTypeError(f"{written!r} is not a port from 0 to 65535")
    return int(written)


def _count(written: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", written) or not int(written):
        raise argparse.ArgumentTypeError(f"{written!r} is not a number from 1 to 99999")
    return int(written)


def _date(written: str) -> date:
    from datetime import date

    try:
        return date.fromisoformat(written)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{written!r} is not a date such as 2026-11-20") from None
