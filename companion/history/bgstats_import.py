"""Reads the export of the app BG Stats (``BGStatsExport.json`` or ``.bgsplay``): people, plays, scores.

The format has no public description. What is read here was seen in the files of several programs: dates are the local
time of the phone, booleans may be written as 0 and 1.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from itertools import count
from typing import Any, NamedTuple, TypeVar

from msgspec import MsgspecError, Raw, Struct
from msgspec.structs import replace

from companion.core.game import Best
from companion.core.text import N_, Text
from companion.decoding import from_json
from companion.gamelog import LogError, check_names, name_key
from companion.gamelog.player_names import MOST_CODE_POINTS, is_too_long, without_last
from companion.games import GAMES

from .bgstats import OWN_LINE
from .days import BEYOND
from .plays import LONGEST_TITLE, MOST_PLAYERS, MOST_POINTS, MOST_SECONDS, SOURCE_ID, ImportedGame, Remark

_MOST_LETTERS = 200  # of a name that is shortened
_DEEPEST = 100  # levels of nesting that are read
_BRACKETS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}]', re.DOTALL)

_ALONE = N_("played alone")
_TOGETHER = N_("played together, not against each other")
_NOBODY = N_("nobody won")
_IGNORED = N_("ignored in BG Stats")
_UNREADABLE = N_("cannot be read")
_UNKNOWN = N_("without a game or a player")


class _Player(Struct, frozen=True, rename="camel"):
    id: int
    name: str | None = None
    is_anonymous: bool | None = False


class _Game(Struct, frozen=True, rename="camel"):
    id: int
    name: str | None = None
    highest_wins: bool | None = None
    no_points: bool | None = False
    cooperative: bool | None = False


class _Location(Struct, frozen=True, rename="camel"):
    id: int
    name: str | None = None


class _PlayerScore(Struct, frozen=True, rename="camel"):
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
    uses_teams: bool | None = None
    location_ref_id: int | None = None
    comments: str | None = None
    player_scores: list[_PlayerScore] = []


class _File(Struct, frozen=True):
    players: list[Raw]
    games: list[Raw]
    plays: list[Raw]
    locations: list[Raw] | None = None


class BgStatsPlays(NamedTuple):
    """The plays of a BG Stats export."""

    plays: dict[str, ImportedGame]  # the plays that can be taken, by their ids
    left_out: dict[Text, int]  # how many plays cannot be taken, by the reason in words
    rounded: int  # how many scores of the plays are rounded
    unreadable: int  # how many scores of the plays are no number, and not known here
    renamed: list[tuple[str, str]]  # people whose names are changed, so that they fit and differ: old and new name
    anonymous: list[str]  # the names here of anonymous players, whom lists should not offer

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
        try:
            file = from_json(data, _File, strict=False)
        except RecursionError:
            file = from_json(_without_deep(data), _File, strict=False)
    except (MsgspecError, UnicodeError, RecursionError) as error:
        raise BgStatsError(str(error)) from None
    games = {game.id: game for raw in file.games if (game := _read(raw, _Game)) is not None}
    players = {player.id: player for raw in file.players if (player := _read(raw, _Player)) is not None}
    places = {place.id: place.name or "" for raw in file.locations or () if (place := _read(raw, _Location))}
    found: dict[str, _Found] = {}
    left_out: Counter[Text] = Counter()
    for raw in file.plays:
        try:
            found.setdefault(*_play(raw, games, players, places))
        except _RefusedError as reason:
            left_out[Text(str(reason))] += 1
    names = _names(players, [each.seats for each in found.values()])
    taken = {seat: names[seat] for each in found.values() for seat in each.seats}
    written = {seat: " ".join((players[seat[0]].name or "").split()) for seat in taken}
    anonymous = {seat: name for seat, name in taken.items() if players[seat[0]].is_anonymous}
    scores = [score for each in found.values() for score in each.scores]
    return BgStatsPlays(
        {key: replace(each.play, players=tuple(names[seat] for seat in each.seats)) for key, each in found.items()},
        dict(left_out),
        rounded=sum(score.rounded for score in scores),
        unreadable=sum(score.unreadable for score in scores),
        renamed=[
            (written[seat], name) for seat, name in taken.items() if written[seat] != name and seat not in anonymous
        ],
        anonymous=list(anonymous.values()),
    )


_Entry = TypeVar("_Entry")


def _read(raw: Raw, kind: type[_Entry]) -> _Entry | None:
    """Return a player, a game or a play of a file; None if it cannot be read."""
    try:
        return from_json(raw, kind, strict=False)
    except (MsgspecError, UnicodeError, RecursionError):
        return None


def _without_deep(data: bytes) -> bytes:
    """Return a file in which ``{}`` stands for each entry of its lists that is nested too deep to be read."""
    kept, copied, depth, begins, deep = [], 0, 0, 0, False
    for found in _BRACKETS.finditer(data):
        if found[0] in b"[{":
            depth += 1
            deep = deep or depth > _DEEPEST
            if depth == 3:
                begins = found.start()
        elif found[0] in b"]}":
            depth -= 1
            if depth == 2 and deep:
                kept += [data[copied:begins], b"{}"]
                copied, deep = found.end(), False
    return b"".join((*kept, data[copied:]))


_Seat = tuple[int, int]
"""A seat of a play: the number of its player in the file, and how often the player sits at the play before."""


class _Found(NamedTuple):
    """A play that can be taken, its seats by number, and its scores."""

    play: ImportedGame
    seats: list[_Seat]
    scores: list[WrittenScore]


def _play(
    raw: Raw, games: Mapping[int, _Game], players: Mapping[int, _Player], places: Mapping[int, str]
) -> tuple[str, _Found]:
    play = _read(raw, _Play)
    if play is None:
        raise _RefusedError(_UNREADABLE)
    game = games.get(play.game_ref_id)
    entries = sorted(play.player_scores, key=lambda entry: entry.seat_order or 0)
    if play.uses_teams is not False:
        entries = _partners_across(entries)
    title = _our_name(game.name or "") if game else ""
    if not SOURCE_ID.fullmatch(play.uuid) or len(entries) > MOST_PLAYERS:
        raise _RefusedError(_UNREADABLE)
    if play.ignored:
        raise _RefusedError(_IGNORED)
    if game is None or not title or any(entry.player_ref_id not in players for entry in entries):
        raise _RefusedError(_UNKNOWN)
    if len(entries) < 2:
        raise _RefusedError(_ALONE)
    if game.cooperative:
        raise _RefusedError(_TOGETHER)
    winners = tuple(seat for seat, entry in enumerate(entries) if entry.winner)
    if not winners:
        raise _RefusedError(_NOBODY)
    ids = [entry.player_ref_id for entry in entries]
    seats = [(player, ids[:seat].count(player)) for seat, player in enumerate(ids)]
    scores = [read_score(entry.score) for entry in entries]
    if game.no_points and not any(score.exact for score in scores):
        scores = [WrittenScore()] * len(scores)
    best = {True: Best.HIGHEST, False: Best.LOWEST, None: None}[game.highest_wins]
    remark = Remark.of(places.get(play.location_ref_id or 0, ""), _without_own_line(play.comments or ""))
    starters = [seat for seat, entry in enumerate(entries) if entry.start_player]
    return play.uuid.upper(), _Found(
        ImportedGame(
            game=title,
            players=("",) * len(seats),  # named when everybody is known
            scores=tuple(score.points for score in scores),
            winners=winners,
            places=_places(entries, scores, best or Best.HIGHEST),
            begun=_timestamp(play.play_date or ""),
            seconds=_seconds(play.duration_min or 0),
            starter=starters[0] if len(starters) == 1 else None,
            best=best,
            teams=() if play.uses_teams is False else _teams(entries),
            place=remark.place,
            notes=remark.notes,
        ),
        seats,
        scores,
    )


def _without_own_line(comments: str) -> str:
    """Return comments without the line that our own export adds below the notes."""
    notes, _newline, last = comments.rpartition("\n")
    return notes if OWN_LINE.fullmatch(last) else comments


def _partners_across(scores: list[_PlayerScore]) -> list[_PlayerScore]:
    """Return the scores of teams of equal size in turn, as partners sit at our tables; others as they are."""
    teams: dict[str, list[_PlayerScore]] = {}
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


def _teams(entries: Sequence[_PlayerScore]) -> tuple[int, ...]:
    """Return the number of each seat's team, from 0; empty if they are no teams that won or lost as one.

    Who has no team is one alone.
    """
    named = ["" if entry.team is None else str(entry.team).strip() for entry in entries]
    teams = [(team, 0 if team else seat) for seat, team in enumerate(named)]
    numbers = {team: number for number, team in enumerate(dict.fromkeys(teams))}
    together = len({(team, bool(entry.winner)) for team, entry in zip(teams, entries, strict=True)}) == len(numbers)
    return tuple(numbers[team] for team in teams) if together and 1 < len(numbers) < len(teams) else ()


def _seconds(minutes: float) -> float:
    """Return minutes in seconds; 0 if they are no time that a play can take."""
    return minutes * 60 if 0 <= minutes * 60 <= MOST_SECONDS else 0.0


def _places(entries: Sequence[_PlayerScore], scores: Sequence[WrittenScore], best: Best) -> tuple[int, ...]:
    """Return the rank of each seat: winners first, then by the ranks of the file, or by points if it has none."""
    ranked, sign = all((entry.rank or 0) > 0 for entry in entries), best.key(1)

    def key(entry: _PlayerScore, score: WrittenScore) -> tuple[int, Decimal]:
        if entry.winner:
            return 0, Decimal(0)
        if ranked:
            return 1, Decimal(entry.rank or 0)
        return (2, Decimal(0)) if score.exact is None else (1, sign * score.exact)

    order = list(map(key, entries, scores))
    return tuple(1 + sum(other < own for other in order) for own in order)


def _names(players: Mapping[int, _Player], plays: Iterable[Sequence[_Seat]]) -> dict[_Seat, str]:
    """Return names that can be shown and differ over the whole file; a name that nobody else has stays as it is."""
    seats = [(player, 0) for player in players]
    seats += [seat for play in plays for seat in play if seat[1]]
    written = {seat: players[seat[0]].name or "" for seat in dict.fromkeys(seats)}
    names: dict[_Seat, str] = {}
    keys: set[str] = set()
    numbered: dict[str, Iterator[str]] = {}  # by name: what can still be tried
    for fitting in (True, False):  # who has a name that fits keeps it; those of others are made to differ
        for seat, name in written.items():
            printable = _printable(name)
            if seat in names or (fitting and (printable != " ".join(name.split()) or name_key(printable) in keys)):
                continue
            others = numbered.setdefault(printable, _numbered(printable))
            names[seat] = next(one for one in others if name_key(one) not in keys)
            keys.add(name_key(names[seat]))
    return names


def _printable(name: str) -> str:
    """Return a name as it can be shown: without invisible characters; a long one has initials at its end."""
    shown = " ".join(name[:_MOST_LETTERS].split())
    with suppress(LogError):
        return check_names([shown])[0]
    shown = "".join(one for one in shown if unicodedata.category(one)[0] not in "CZ" or one == " ").strip()
    for words in reversed([*re.finditer("[^ -]+", shown)][1:]):
        if is_too_long(shown):
            shown = f"{shown[: words.start() + 1]}.{shown[words.end() :]}"
    with suppress(LogError):
        return check_names([_shortened(shown)])[0]
    return "?"


def _numbered(name: str) -> Iterator[str]:
    """Yield a name, then the name with numbers."""
    yield name
    for number in count(2):
        yield _shortened(name, f" {number}")


def _shortened(name: str, end: str = "") -> str:
    while is_too_long(name + end) or len(name + end) > MOST_CODE_POINTS:
        name = without_last(name).rstrip()
    return name + end


def _timestamp(written: str) -> float:
    """Return a local date and time in seconds since 1970; 0 if it is none."""
    with suppress(ValueError, OverflowError):
        timestamp = datetime.fromisoformat(written.strip()).timestamp()
        return timestamp if 0 <= timestamp < BEYOND else 0.0
    return 0.0


# Scores as people and other programs write them


_LONGEST = 100  # letters of a score; a longer one is no number
_THOUSANDS = re.compile("(?<![0-9.,])[1-9][0-9]{0,2}(?:[., '’][0-9]{3})+(?![0-9])")
_NUMBER = "[0-9]+(?:[.,][0-9]+)?"
_SUM = re.compile(f"[+-]? ?{_NUMBER}(?: ?[+-] ?{_NUMBER})* ?(?:p|pts?|points?|vp|点)?\\.?", re.IGNORECASE)
_TERM = re.compile(f"([+-]?) ?({_NUMBER})")
_DASHES = str.maketrans("−–—", "---")


class WrittenScore(NamedTuple):
    """A score that was read."""

    exact: Decimal | None = None  # None if there is none, or if it is unreadable
    unreadable: bool = False

    @property
    def points(self) -> int | None:
        """The score as a whole number; a half is rounded away from 0."""
        return None if self.exact is None else int(self.exact.to_integral_value(ROUND_HALF_UP))

    @property
    def rounded(self) -> bool:
        return self.exact is not None and self.exact != self.points


def read_score(written: str | float | None) -> WrittenScore:
    """Return a score; three digits after a point, a comma or a blank of a text are thousands.

    >>> [read_score(written).points for written in ("12+5-3", "7 pts", "12,5", "1.250", "49-46ish")]
    [14, 7, 13, 1250, None]
    >>> read_score(1.125).points
    1
    """
    text = unicodedata.normalize("NFKC", "" if written is None else str(written)).translate(_DASHES).strip()
    if not text:
        return WrittenScore()
    text = text[: _LONGEST + 1]
    if isinstance(written, str):
        text = _THOUSANDS.sub(lambda found: re.sub("[^0-9]", "", found[0]), text)
    if len(text) > _LONGEST or not _SUM.fullmatch(text):
        return WrittenScore(unreadable=True)
    exact = sum((Decimal(sign + number.replace(",", ".")) for sign, number in _TERM.findall(text)), Decimal(0))
    return WrittenScore(exact) if abs(exact) <= MOST_POINTS else WrittenScore(unreadable=True)
