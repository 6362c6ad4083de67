"""The commands ``companion club evening``: their arguments, and what they print."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.terminal import say

from .common import CommandError, add_command, read_input, write_data

if TYPE_CHECKING:
    from companion.club.evening.lists import Rows


def add_evening(actions: Any) -> None:
    """Add the command to the actions of ``companion club``, which are subparsers."""
    about = "Run an evening of rounds: players, tables by standing, results, ranking."
    evening = actions.add_parser("evening", help=about, description=about)
    evening.add_argument("file", metavar="FILE", type=Path, help="the evening's file, one event a line")
    parts = evening.add_subparsers(metavar="ACTION", required=True)

    def action(name: str, about: str) -> argparse.ArgumentParser:
        return add_command(parts, name, about, f"club_evening:{name}_")

    one = action("new", "Begin an evening.")
    one.add_argument("--name", help="its name, which stands on every list (default: the file's name)")
    for size, usual in (("table", 4), ("smallest", 3), ("largest", 5)):
        about = "the wanted size of a table" if size == "table" else f"the {size} size of a table that is allowed"
        one.add_argument(f"--{size}", metavar="N", type=int, choices=range(2, 6), default=usual, help=about)
    one.add_argument("--lowest", action="store_true", help="the fewest points of a table win")
    one.add_argument("--seed", metavar="N", type=int, help="makes the draws; the same seed makes the same draws")

    one = action("players", "Register players; without any, list those who are registered.")
    one.add_argument("--csv", metavar="FILE", help='a list of names as CSV; "-" reads standard input')
    one.add_argument("--late", action="store_true", help="they are awaited, and no table is drawn for them yet")
    one.add_argument("names", metavar="NAME", nargs="*")

    one = action("round", "Draw the tables of the next round by the ranking, without meeting again.")
    one.add_argument("--seed", metavar="N", type=int, help="for another draw than the evening's seed makes")

    one = action("result", "Enter the points of a table, by seat; without a table, list all results.")
    one.add_argument("--round", metavar="N", type=int, help="a round before the last")
    one.add_argument("--correct", action="store_true", help="replace the result that the table has")
    one.add_argument("--csv", action="store_true", help="list all results as CSV")
    one.add_argument("table", metavar="TABLE", type=int, nargs="?")
    one.add_argument("points", metavar="POINTS", type=int, nargs="*")

    who = "the name or the number of a player"
    action("drop", "A player leaves, in the middle of a round, too.").add_argument("player", metavar="NAME", help=who)
    one = action("late", "A player comes late, is back or is new, and plays from the next round on.")
    one.add_argument("player", metavar="NAME", help=who)

    one = action("merge", "The players of a table sit down at another one.")
    one.add_argument("table", metavar="TABLE", type=int)
    one.add_argument("into", metavar="INTO", type=int, help="the table where they sit down")

    one = action("standing", "Print the ranking.")
    one.add_argument("--csv", action="store_true", help="as CSV")

    one = action("seats", "Print who sits where.")
    one.add_argument("--round", metavar="N", type=int, help="a round before the last")
    form = one.add_mutually_exclusive_group()
    form.add_argument("--by-name", action="store_true", help="sorted by name")
    form.add_argument("--csv", action="store_true", help="as CSV")

    action("undo", "Take the last event back.")


def new_(arguments: argparse.Namespace) -> int:
    from secrets import randbelow

    from companion.club.evening import evening_actions
    from companion.core.game import Best

    sizes = arguments.table, arguments.smallest, arguments.largest
    best = Best.LOWEST if arguments.lowest else Best.HIGHEST
    seed = randbelow(1_000_000) if arguments.seed is None else arguments.seed
    return _print(evening_actions.new(arguments.file, arguments.name or arguments.file.stem, sizes, best, seed))


def players_(arguments: argparse.Namespace) -> int:
    from companion.club.evening import evening_actions, lists
    from companion.club.evening.log_file import read_log

    if arguments.csv is None and not arguments.names:
        return _print(lists.player_lines(read_log(arguments.file).evening))
    table = None if arguments.csv is None else read_input(arguments.csv)
    return _print(evening_actions.register(arguments.file, arguments.names, table, late=arguments.late))


def round_(arguments: argparse.Namespace) -> int:
    from companion.club.evening import evening_actions

    return _print(evening_actions.draw_round(arguments.file, arguments.seed))


def result_(arguments: argparse.Namespace) -> int:
    from companion.club.evening import evening_actions, lists
    from companion.club.evening.log_file import read_log

    if arguments.table is None:
        if arguments.correct or arguments.round is not None:
            raise CommandError("--correct and --round go with a table and its points")
        evening = read_log(arguments.file).evening
        return _write(lists.result_table(evening)) if arguments.csv else _print(lists.result_lines(evening))
    if arguments.csv:
        raise CommandError("--csv lists all results; it goes with no table")
    entered = evening_actions.enter_result(
        arguments.file, arguments.table, arguments.points, arguments.round, correct=arguments.correct
    )
    return _print(entered)


def drop_(arguments: argparse.Namespace) -> int:
    from companion.club.evening import evening_actions

    return _print(evening_actions.drop(arguments.file, arguments.player))


def late_(arguments: argparse.Namespace) -> int:
    from companion.club.evening import evening_actions

    return _print(evening_actions.arrive(arguments.file, arguments.player))


def merge_(arguments: argparse.Namespace) -> int:
    from companion.club.evening import evening_actions

    return _print(evening_actions.merge(arguments.file, arguments.table, arguments.into))


def standing_(arguments: argparse.Namespace) -> int:
    from companion.club.evening import lists
    from companion.club.evening.log_file import read_log

    evening = read_log(arguments.file).evening
    return _write(lists.ranking_table(evening)) if arguments.csv else _print(lists.ranking_lines(evening))


def seats_(arguments: argparse.Namespace) -> int:
    from companion.club.evening import lists
    from companion.club.evening.log_file import read_log

    evening = read_log(arguments.file).evening
    number = len(evening.rounds) if arguments.round is None else arguments.round
    if arguments.csv:
        return _write(lists.seat_table(evening, number))
    return _print(lists.seat_lines(evening, number, by_name=arguments.by_name))


def undo_(arguments: argparse.Namespace) -> int:
    from companion.club.evening import evening_actions

    return _print(evening_actions.undo(arguments.file))


def _print(lines: Iterable[str]) -> int:
    for line in lines:
        say(line)
    return 0


def _write(rows: Rows) -> int:
    from companion.history.csv_export import csv_bytes

    write_data(csv_bytes(rows))
    return 0
