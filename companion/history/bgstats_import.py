"""Reads the export of the app BG Stats (``BGStatsExport.json`` or ``.bgsplay``): people and plays.

The format has no public description. What is read here was seen in the files of several programs; not sure are that
dates are UTC, and that booleans may be written as 0 and 1 (both are read).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from msgspec import MsgspecError, Raw, Struct, json

from companion.core.text import N_, Text
from companion.gamelog import LogError, check_names, name_key
from companion.games import GAMES

from .days import BEYOND
from .imported import LONGEST_TITLE, MOST_PLAYERS, MOST_POINTS, MOST_SECONDS, SOURCE_ID, ImportedGame

_LONGEST = 20
_SUM = re.compile(r"[+-]?[0-9]{1,9}(?:[+-][0-9]{1,9})*")
_NUMBER = re.compile(r"([+-]?[0-9]{1,9}(?:[.,][0-9]{1,2})?)(?:p|pts?|points?|vp|点)?\.?", re.IGNORECASE)
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?:[^0-9]|$))")
_DASHES = str.maketrans({"−": "-", "–": "-", "—": "-", " ": None, "\u00a0": None})

_ALONE = N_("played alone")
_TOGETHER = N_("played together, not against each other")
_NOBODY = N_("nobody won")
_IGNORED = N_("ignored in BG Stats")
_UNREADABLE = N_("cannot be read")
_UNKNOWN = N_("without a game or a player")


class _Player(Struct, frozen=True):
    id: int
    name: str | None = None


class _Game(Struct, frozen=True, rename="camel"):
    id: int
    name: str | None = None
    highest_wins: bool | None = True
    cooperative: bool | None = False


class _Score(Struct, frozen=True, rename="camel"):
    player_ref_id: int = 0
    score: str | int | float | None = None
    winner: bool | None = False
    start_player: bool | None = False
    rank: int | None = 0
    seat_order: int | None = 0
    team: Any = None


class _Play(Struct, frozen=True, rename="camel"):
    uuid: str
    game_ref_id: int
    play_date: str | None = ""
    duration_min: float | None = 0
    ignored: bool | None = False
    player_scores: list[_Score] = []


class _File(Struct, frozen=True):
    players: list[_Player]
    games: list[_Game]
    plays: list[Raw]


class BgStatsPlays(Struct, frozen=True):
    """The plays of a BG Stats export."""

    plays: dict[str, ImportedGame]  # the plays that can be taken, by their ids
    left_out: dict[Text, int]  # how many plays cannot be taken, by the reason in words

    @property
    def people(self) -> list[str]:
        """Return everybody's name once, in the order in which they appear."""
        return list({name_key(name): name for play in self.plays.values() for name in play.players}.values())


class BgStatsError(ValueError):
    """A file is not an export of BG Stats."""


class _RefusedError(Exception):
    """A play is not taken; the reason in words."""


def read_bgstats(data: bytes) -> BgStatsPlays:
    """Return the plays of an export; raise BgStatsError if it is none, or damaged.

    A play needs two players, a winner, and somebody to win against: cooperative games are left out.

    >>> read_bgstats(b'{"players":[],"games":[],"plays":[]}').plays
    {}
    """
    try:
        file = json.decode(data, type=_File, strict=False)
    except (MsgspecError, UnicodeError, RecursionError) as error:
        raise BgStatsError(str(error)) from None
    games, players = {game.id: game for game in file.games}, {player.id: player for player in file.players}
    plays: dict[str, ImportedGame] = {}
    left_out: Counter[Text] = Counter()
    for raw in file.plays:
        try:
            source_id, play = _play(raw, games, players)
            plays.setdefault(source_id, play)
        except _RefusedError as reason:
            left_out[Text(str(reason))] += 1
    return BgStatsPlays(plays, dict(left_out))


def _play(raw: Raw, games: dict[int, _Game], players: dict[int, _Player]) -> tuple[str, ImportedGame]:
    try:
        play = json.decode(raw, type=_Play, strict=False)
    except (MsgspecError, UnicodeError, RecursionError):
        raise _RefusedError(_UNREADABLE) from None
    game = games.get(play.game_ref_id)
    scores = _partners_across(sorted(play.player_scores, key=lambda score: score.seat_order or 0))
    title = _our_name(game.name or "") if game else ""
    if not SOURCE_ID.fullmatch(play.uuid) or len(scores) > MOST_PLAYERS:
        raise _RefusedError(_UNREADABLE)
    if play.ignored:
        raise _RefusedError(_IGNORED)
    if game is None or not title or any(score.player_ref_id not in players for score in scores):
        raise _RefusedError(_UNKNOWN)
    if len(scores) < 2:
        raise _RefusedError(_ALONE)
    if game.cooperative:
        raise _RefusedError(_TOGETHER)
    winners = tuple(seat for seat, score in enumerate(scores) if score.winner)
    if not winners:
        raise _RefusedError(_NOBODY)
    points = tuple(_points(score.score) for score in scores)
    starters = [seat for seat, score in enumerate(scores) if score.start_player]
    return play.uuid.upper(), ImportedGame(
        game=title,
        players=_names([players[score.player_ref_id].name or "" for score in scores]),
        scores=points,
        winners=winners,
        places=_places(scores, points, game.highest_wins is not False),
        begun=_timestamp(play.play_date or ""),
        seconds=_seconds(play.duration_min or 0),
        starter=starters[0] if len(starters) == 1 else None,
    )


def _partners_across(scores: list[_Score]) -> list[_Score]:
    """Return the scores of teams of equal size in turn, as partners sit at our tables; others as they are."""
    teams: dict[str, list[_Score]] = {}
    for score in scores:
        teams.setdefault("" if score.team is None else str(score.team), []).append(score)
    if "" in teams or len({len(team) for team in teams.values()}) != 1:
        return scores
    return [score for turn in zip(*teams.values(), strict=True) for score in turn]


def _our_name(title: str) -> str:
    """Return the name of our game with this title; the title if there is none."""
    printable = "".join(filter(str.isprintable, " ".join(title.split())))[:LONGEST_TITLE]
    titles = GAMES.titles().items()
    return next((name for name, title in titles if title.casefold() == printable.casefold()), printable)


def _points(score: str | float | None) -> int:
    """Return points as a whole number: 12+5-3 is added up, 12 pts and 1,5 are numbers; what is none is 0."""
    written = _THOUSANDS.sub("", str("" if score is None else score).translate(_DASHES))
    points = 0
    if _SUM.fullmatch(written):
        points = sum(map(int, re.findall("[+-]?[0-9]+", written)))
    else:
        number = _NUMBER.fullmatch(written)
        with suppress(ValueError, OverflowError):
            points = round(float(written if number is None else number[1].replace(",", ".")))
    return points if abs(points) <= MOST_POINTS else 0


def _seconds(minutes: float) -> float:
    """Return minutes in seconds; 0 if they are no time that a play can take."""
    return minutes * 60 if 0 <= minutes * 60 <= MOST_SECONDS else 0.0


def _places(scores: Sequence[_Score], points: Sequence[int], highest_wins: bool) -> tuple[int, ...]:
    """Return the rank of each seat: winners first, then by the ranks of the file, or by points if it has none."""
    ranked, sign = all((score.rank or 0) > 0 for score in scores), -1 if highest_wins else 1
    keys = [(score.rank or 0) if ranked else sign * own for score, own in zip(scores, points, strict=True)]
    order = [(0, 0) if score.winner else (1, key) for score, key in zip(scores, keys, strict=True)]
    return tuple(1 + sum(other < own for other in order) for own in order)


def _names(written: Iterable[str]) -> tuple[str, ...]:
    """Return names that can be shown and differ: shortened, without invisible characters, numbered if equal."""
    names: list[str] = []
    for name in written:
        printable = _printable(name)
        keys = set(map(name_key, names))
        names.append(next(one for one in (printable, *_numbered(printable)) if name_key(one) not in keys))
    return tuple(names)


def _printable(name: str) -> str:
    with suppress(LogError):
        return check_names([" ".join(name.split())])[0]
    letters = "".join(one for one in " ".join(name.split()) if unicodedata.category(one)[0] not in "CZ" or one == " ")
    with suppress(LogError):
        return check_names([letters[:_LONGEST]])[0]
    return "?"


def _numbered(name: str) -> list[str]:
    return [f"{name[: _LONGEST - 4]} {number}" for number in range(2, MOST_PLAYERS + 2)]


def _timestamp(written: str) -> float:
    """Return a date and time of UTC in seconds since 1970; 0 if it is none."""
    with suppress(ValueError, OverflowError):
        timestamp = datetime.fromisoformat(written[:19]).replace(tzinfo=UTC).timestamp()
        return timestamp if 0 <= timestamp < BEYOND else 0.0
    return 0.0
