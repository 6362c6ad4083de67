"""Results as CSV for spreadsheets: a row for each seat of each game. `docs/commands.md` lists the columns.

Who left a seat to somebody else has a row of their own with the rounds and actions they made: without score and rank.

What is not known is empty: a time, who began, the points of an imported game; as is the edition of a game with one
only. An imported game has the number 0, and the name of its source as its id.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from datetime import datetime
from io import StringIO

from msgspec import json

from companion.games import GAMES

from .game_titles import title
from .remarks import NOTHING, Remarks
from .renamed_and_hidden import People
from .results import GameResult, Maker, makers
from .sides import seat_ranks

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # Japanese spreadsheets take the wide signs, too
_OF_GAME = ["game number", "id", "game", "begun", "minutes", "edition", "rules", "ended early", "place", "notes"]
_OF_SEAT = ["seat", "player", "started", "score", "rank", "won"]

Cell = str | int


def csv_of(results: Iterable[GameResult], people: People, remarks: Remarks | None = None) -> bytes:
    r"""Return results as CSV: UTF-8 with a byte order mark, RFC 4180.

    Text that a spreadsheet would take for a formula gets an apostrophe in front. Numbers stay numbers.

    >>> csv_of([], People()).decode("utf-8-sig")
    'game number,id,game,begun,minutes,edition,rules,ended early,place,notes,seat,player,started,score,rank,won\r\n'
    """
    results = list(results)
    rounds = max((len(result.rounds) for result in results), default=0)
    actions = _actions(results)
    each_round = (f"r{number}" for number in range(1, rounds + 1))
    heads: list[Cell] = [*_OF_GAME, *_OF_SEAT, *each_round, *(f"did {action}" for action in actions)]
    rows = (_row(result, made, people, remarks, rounds, actions) for result in results for made in makers(result))
    return csv_bytes([heads, *rows])


def csv_bytes(rows: Iterable[Sequence[Cell]]) -> bytes:
    r"""Return rows as CSV: UTF-8 with a byte order mark, RFC 4180, no cell a formula.

    >>> csv_bytes([["name", "points"], ["=Bo", -3]]).decode("utf-8-sig")
    "name,points\r\n'=Bo,-3\r\n"
    """
    file = StringIO()
    csv.writer(file, lineterminator="\r\n").writerows(map(_defused, row) for row in rows)
    return file.getvalue().encode("utf-8-sig")


def _row(
    result: GameResult, made: Maker, people: People, remarks: Remarks | None, rounds: int, actions: list[str]
) -> list[Cell]:
    remark = NOTHING if remarks is None else remarks.of(result)
    seat, minutes = made.seat, round(result.seconds / 60) if result.seconds else ""
    started: Cell = "" if result.starter is None else int(result.starter == seat)
    points = result.scores[seat]
    won: Cell = int(seat in result.winners)
    of_game: list[Cell] = [started, "" if points is None else points, seat_ranks(result)[seat], won]
    of_rounds = {number: result.rounds[number - 1][seat] for number in made.rounds}
    return [
        result.number,
        result.name,
        title(result.game),
        _local(result.begun),
        minutes,
        edition(result),
        result.rules,
        int(result.ended_early),
        remark.place,
        remark.notes,
        seat + 1,
        people.now(made.name, result.number),
        *([""] * len(of_game) if made.left else of_game),
        *[of_rounds.get(number, "") for number in range(1, rounds + 1)],
        *[made.counts.get(action, "") for action in actions],
    ]


def edition(result: GameResult) -> str:
    """Return the edition that a game was played by, as in the log; empty if there is only one."""
    rule = GAMES[result.game].optional.edition if result.game in GAMES else None
    return "" if rule is None else str(json.decode(result.rules).get(rule, ""))


def _actions(results: list[GameResult]) -> list[str]:
    """Return the names of all counted actions, in the order of the games' lists."""
    found = {action for result in results for action in result.counts}
    known = dict.fromkeys(action for game in GAMES.values() for action in game.optional.action_names)
    return [*(action for action in known if action in found), *sorted(found - known.keys())]


def _local(moment: float) -> str:
    return str(datetime.fromtimestamp(int(moment))) if moment else ""


def _defused(cell: Cell) -> Cell:
    if isinstance(cell, str) and (cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA)):
        return f"'{cell}"  # some spreadsheets skip blanks in front of a formula
    return cell
