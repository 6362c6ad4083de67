"""Results for spreadsheets and programs, as CSV and as JSON. `docs/commands.md` lists the columns."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from io import StringIO
from typing import Any

from msgspec import json

from companion.decoding import from_json
from companion.games import GAMES

from .plays import NO_REMARKS, Remarks
from .renamed_and_hidden import People
from .results import GameResult, Maker, makers, seat_ranks
from .selection import title

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # Japanese spreadsheets take the wide signs, too
_NUMBER = re.compile("-[0-9]+([.,][0-9]+)?")
_OF_GAME = ["game number", "id", "game", "begun", "minutes", "edition", "rules", "ended early", "place", "notes"]
_OF_SEAT = ["seat", "player", "started", "score", "rank", "won"]

Cell = str | int


def csv_of(results: Iterable[GameResult], people: People, remarks: Remarks = NO_REMARKS) -> bytes:
    r"""Return results as CSV, a row for each seat of each game: UTF-8 with a byte order mark, RFC 4180.

    Who left a seat to somebody else has a row of their own with the rounds and actions they made: without score and
    rank. What is not known is empty: a time, who began, the points of an imported game; as is the edition of a game
    with one only. An imported game has the number 0, and the name of its source as its id.
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


def csv_bytes(rows: Iterable[Sequence[Cell]], delimiter: str = ",") -> bytes:
    r"""Return rows as CSV: UTF-8 with a byte order mark, RFC 4180 but for another delimiter, no cell a formula.

    >>> csv_bytes([["name", "points"], ["=Bo", -3]]).decode("utf-8-sig")
    "name,points\r\n'=Bo,-3\r\n"
    """
    file = StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\r\n").writerows(map(_defused, row) for row in rows)
    return file.getvalue().encode("utf-8-sig")


def _row(
    result: GameResult, made: Maker, people: People, remarks: Remarks, rounds: int, actions: list[str]
) -> list[Cell]:
    remark = remarks.of(result)
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
    return "" if rule is None else str(from_json(result.rules).get(rule, ""))


def _actions(results: list[GameResult]) -> list[str]:
    """Return the names of all counted actions, in the order of the games' lists."""
    found = {action for result in results for action in result.counts}
    known = dict.fromkeys(action for game in GAMES.values() for action in game.optional.action_names)
    return [*(action for action in known if action in found), *sorted(found - known.keys())]


def _local(moment: float) -> str:
    return str(datetime.fromtimestamp(int(moment))) if moment else ""


def _defused(cell: Cell) -> Cell:
    if (
        isinstance(cell, str)
        and not _NUMBER.fullmatch(cell)
        and (cell.startswith(_FORMULA) or cell.lstrip().startswith(_FORMULA))
    ):
        return f"'{cell}"  # some spreadsheets skip blanks in front of a formula
    return cell


FORMAT = 1


def json_of(results: Iterable[GameResult], people: People, remarks: Remarks = NO_REMARKS) -> bytes:
    r"""Return results as JSON: one object with the number of the format and a list of games, one game a line.

    `format` is 1. The keys of a game do not change within a format:

    | key | what it holds |
    |---|---|
    | `id`, `number` | the name of its file, and its number on the box (0 if it was imported) |
    | `game`, `title` | the game's name in logs, and its title; both are the title where it is not one of our games |
    | `players` | the current names by seat |
    | `played_as` | the names by seat as they were then |
    | `rules` | the rules chosen |
    | `begun`, `ended` | UTC, ISO 8601; null if the clock was not set |
    | `seconds` | how long it was played, without pauses; 0 if it is not known |
    | `tracking` | the level of detail recorded; empty if it was imported |
    | `starter` | the seat that began, from 0; null if it is not known |
    | `scores`, `ranks` | the final points, null if they are not known, and the place of each seat |
    | `winners` | the seats that won |
    | `rounds` | for each round the points of each seat |
    | `course` | the totals of each seat before the first round and after each |
    | `deeds` | for each counted action its amount of each seat |
    | `entries` | the number of entries that stand; 0 if it was imported |
    | `declarers` | for each round the seats of the declarer's side; only in games that have such sides |
    | `ended_early` | `true`; only in games that the table ended before their end: the finished rounds count |
    | `place`, `notes` | where it was played, and what was noted; only if somebody wrote it down |
    | `left` | who left a seat to another: `seat`, `player`, `played_as`, `rounds`, `deeds`; only if somebody did |

    The `rounds` of somebody who left are the numbers, from 1, of those that ended while they sat there. These rounds
    and their `deeds` are theirs; all the rest is of those who sat there at the end.

    >>> json_of([], People())
    b'{"format":1,"games":[\n\n]}\n'
    """
    games = b",\n".join(json.encode(_game(result, people) | _remark(result, remarks)) for result in results)
    return b'{"format":%d,"games":[\n%b\n]}\n' % (FORMAT, games)


def _game(result: GameResult, people: People) -> dict[str, Any]:
    return {
        "id": result.name,
        "number": result.number,
        "game": result.game,
        "title": title(result.game),
        "players": [people.now(player, result.number) for player in result.players],
        "played_as": result.players,
        "rules": from_json(result.rules),
        "begun": _utc(result.begun),
        "ended": _utc(result.ended),
        "seconds": round(result.seconds),
        "tracking": result.tracking,
        "starter": result.starter,
        "scores": result.scores,
        "ranks": seat_ranks(result),
        "winners": result.winners,
        "rounds": result.rounds,
        "course": result.course,
        "deeds": result.counts,
        "entries": result.entries,
        **({"declarers": result.declarers} if result.declarers else {}),
        **({"ended_early": True} if result.ended_early else {}),
        **({"left": left_seats(result, people)} if result.earlier else {}),
    }


def _remark(result: GameResult, remarks: Remarks) -> dict[str, str]:
    remark = remarks.of(result)
    return {name: text for name, text in (("place", remark.place), ("notes", remark.notes)) if text}


def left_seats(result: GameResult, people: People) -> list[dict[str, Any]]:
    """Return who left a seat of a game to somebody else, and what they made there."""
    return [
        {
            "seat": made.seat,
            "player": people.now(made.name, result.number),
            "played_as": made.name,
            "rounds": made.rounds,
            "deeds": {what: amount for what, amount in made.counts.items() if amount},
        }
        for made in makers(result)
        if made.left
    ]


def _utc(moment: float) -> str | None:
    return f"{datetime.fromtimestamp(int(moment), UTC):%Y-%m-%dT%H:%M:%SZ}" if moment else None
