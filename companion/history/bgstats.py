"""Results for the app BG Stats: a link that adds one play, and a file of all plays.

A play, a person and a game have the same id in the link and in the file, each time: a second import changes nothing.
Times in the link are UTC, in the file local, as BG Stats itself writes them.
Only games that are over have a result, so no unfinished one arrives there as a loss. Of a game that the table ended
early the comment says so. BG Stats counts the games that count here; who wants to can change that there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo
from itertools import accumulate
from string import ascii_uppercase
from typing import Any
from urllib.parse import quote

from msgspec import json

from companion.core.game import Best
from companion.core.text import tell
from companion.gamelog import name_key
from companion.gamelog.player_names import without_last
from companion.games import GAMES

from .exports import edition
from .plays import NO_REMARKS, NOTHING, Remark, Remarks, id_of, play_id
from .renamed_and_hidden import People
from .results import GameResult
from .selection import counts, title
from .sides import best_of, round_points, seat_ranks, side_of, sides

LONGEST_LINK = 8000  # letters of a link: longer ones are cut on the way, or refused
CREATE_PLAY = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Tabletop Companion"
ENDED_EARLY, ROUNDS = "Ended early", "Rounds: "  # what the last line of a comment says

_ROUND = r"-?\d+\*?(?:/-?\d+\*?)+"
OWN_LINE = re.compile(rf"{ENDED_EARLY}|(?:{ENDED_EARLY}\. )?{ROUNDS}{_ROUND}(?:, {_ROUND})+")
"""The last line of a comment as it is written here; of notes it is none."""


def play_link(result: GameResult, people: People, remark: Remark = NOTHING) -> str | None:
    """Return the link that opens BG Stats with a finished game as a new play.

    Every boolean is there, and no number is written as text: BG Stats crashes otherwise. It wants a date, so the link
    is None if none is known. A long comment is cut, so that the link is no longer than `LONGEST_LINK`.
    """
    moment = result.begun or result.ended
    if not moment:
        return None
    any_points = any(points is not None for points in result.scores)
    play = {
        "sourceName": SOURCE,
        "sourcePlayId": play_id(result),
        "playDate": _date(moment, UTC),
        **({"durationMin": minutes} if (minutes := _minutes(result)) else {}),
        "comments": "",
        **({"location": remark.place} if remark.place else {}),
        **({"board": board} if (board := _board(result)) else {}),
        "game": {
            "name": title(result.game),
            "sourceGameId": result.game,
            "highestWins": best_of(result) is Best.HIGHEST,
            "noPoints": not any_points,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": id_of("player", name_key(name)),
                "startPlayer": result.starter == seat,
                "winner": seat in result.winners,
                **({} if (points := result.scores[seat]) is None else {"score": points}),
                "rank": seat_ranks(result)[seat],
                **_team(result, seat),
            }
            for seat, name in enumerate(_names(result, people))
        ],
    }
    room = LONGEST_LINK - len(CREATE_PLAY) - _length(play)
    play["comments"] = _cut(_comments(result, remark), room)
    return CREATE_PLAY + quote(json.encode(play), safe="")


def _length(value: object) -> int:
    """Return how long a value is in a link."""
    return len(quote(json.encode(value), safe=""))


def _cut(text: str, room: int) -> str:
    """Return a text that takes no more room in a link: its beginning if it is longer, and no half of a character."""
    quotes = _length("")
    if _length(text) - quotes <= room:
        return text
    ends = list(accumulate(_length(letter) - quotes for letter in text))
    fits = bisect_right(ends, room - (_length("…") - quotes))
    return f"{without_last(text[: fits + 1])}…"


def bgsplay(results: Iterable[GameResult], people: People, remarks: Remarks = NO_REMARKS) -> bytes:
    """Return the content of a ``.bgsplay`` file: games, players, places and plays, linked by numbers.

    Left out are plays that were imported, as BG Stats has them, and games of which no date is known.
    """
    results = [result for result in results if result.number and (result.begun or result.ended)]
    latest_of_game = {result.game: result for result in results}
    games = {game: number for number, game in enumerate(latest_of_game, 1)}
    names = {name_key(name): name for result in results for name in _names(result, people)}
    players = {key: number for number, key in enumerate(names, 1)}
    remark_of = {result.name: remarks.of(result) for result in results}
    named = dict.fromkeys(remark.place for remark in remark_of.values() if remark.place)
    places = {place: number for number, place in enumerate(named, 1)}
    latest = _date(max((result.begun or result.ended for result in results), default=0))
    file = {
        "about": f"Plays from {SOURCE}",
        "games": [_game(latest_of_game[game], number, latest) for game, number in games.items()],
        "players": [
            {
                "id": number,
                "uuid": id_of("player", key),
                "name": names[key],
                "isAnonymous": False,
                "modificationDate": latest,
            }
            for key, number in players.items()
        ],
        "locations": [
            {"id": number, "uuid": id_of("place", place), "name": place, "modificationDate": latest}
            for place, number in places.items()
        ],
        "plays": [
            _play(result, games[result.game], players, people, remark_of[result.name], places) for result in results
        ],
        "userInfo": {"meRefId": 0},
    }
    return json.encode(file) + b"\n"


def _game(result: GameResult, number: int, latest: str) -> dict[str, Any]:
    return {
        "id": number,
        "uuid": id_of("game", result.game),
        "name": title(result.game),
        "highestWins": best_of(result) is Best.HIGHEST,
        "noPoints": False,
        "cooperative": False,
        "usesTeams": False,
        "modificationDate": latest,
    }


def _play(
    result: GameResult, game: int, players: dict[str, int], people: People, remark: Remark, places: dict[str, int]
) -> dict[str, Any]:
    moment = result.begun or result.ended
    best = best_of(result).seats([points or 0 for points in result.scores])
    return {
        "uuid": play_id(result),
        "gameRefId": game,
        "playDate": _date(moment),
        "playDateYmd": int(f"{datetime.fromtimestamp(moment):%Y%m%d}"),
        "entryDate": _date(moment),
        "modificationDate": _date(result.ended or moment),
        "durationMin": _minutes(result),
        "rounds": len(result.rounds),
        "usesTeams": bool(_team(result, 0)),
        "manualWinner": sorted(result.winners) != sorted(best),
        "ignored": not counts(result),
        "board": _board(result),
        "comments": _comments(result, remark),
        **({"locationRefId": places[remark.place]} if remark.place else {}),
        "playerScores": [
            {
                "playerRefId": players[name_key(name)],
                "score": str(result.scores[seat]),
                "winner": seat in result.winners,
                "startPlayer": result.starter == seat,
                "newPlayer": False,
                "rank": seat_ranks(result)[seat],
                "seatOrder": seat + 1,
                **_team(result, seat),
            }
            for seat, name in enumerate(_names(result, people))
        ],
    }


def _names(result: GameResult, people: People) -> list[str]:
    return [people.now(name, result.number) for name in result.players]


def _team(result: GameResult, seat: int) -> dict[str, str]:
    """Return the team of a seat in a game of partners."""
    of = sides(result)
    return {} if len(of) == len(result.players) else {"team": ascii_uppercase[side_of(result, seat)]}


def _board(result: GameResult) -> str:
    """Return the edition in words; empty if the game has one only."""
    chosen = edition(result)
    if not chosen:
        return ""
    game = GAMES[result.game]
    choices = next(option.choices for option in game.options if option.name == game.optional.edition)
    return next((tell(choice.label) for choice in choices if choice.value == chosen), "")


def _comments(result: GameResult, remark: Remark) -> str:
    """Return the notes of a game, and below them that it was ended early, and the points of each round.

    A star marks the points of the declarer's side. The points are left out if there was one round only.
    """
    rounds = ROUNDS + ", ".join(map("/".join, round_points(result))) if len(result.rounds) > 1 else ""
    told = ". ".join(filter(None, (ENDED_EARLY if result.ended_early else "", rounds)))
    return "\n".join(filter(None, (remark.notes, told)))


def _minutes(result: GameResult) -> int:
    return round(result.seconds / 60)


def _date(moment: float, zone: tzinfo | None = None) -> str:
    """Return a date and time in a zone; by default of this machine."""
    return f"{datetime.fromtimestamp(int(moment), zone):%Y-%m-%d %H:%M:%S}"
