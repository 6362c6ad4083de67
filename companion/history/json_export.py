"""Results as JSON: one object with the number of the format and a list of games, one game a line.

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
| `left` | who left a seat to somebody else: `seat`, `player`, `played_as`, `rounds`, `deeds`; only if somebody did |

The `rounds` of somebody who left are the numbers, from 1, of those that ended while they sat there. These rounds and
their `deeds` are theirs; all the rest is of those who sat there at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from msgspec import json

from .game_titles import title
from .remarks import NOTHING, Remarks
from .renamed_and_hidden import People
from .results import GameResult, makers
from .sides import seat_ranks

FORMAT = 1


def json_of(results: Iterable[GameResult], people: People, remarks: Remarks | None = None) -> bytes:
    r"""Return results as JSON.

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
        "rules": json.decode(result.rules),
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


def _remark(result: GameResult, remarks: Remarks | None) -> dict[str, str]:
    remark = NOTHING if remarks is None else remarks.of(result)
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
