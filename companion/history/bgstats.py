"""The app BG Stats: a link that adds one play, a file of all plays, and the reading of its own export.

A play, a person and a game have the same id in the link and in the file, each time: a second import changes nothing.
Times in the link are UTC, in the file local, as BG Stats itself writes them.
Only games that are over have a result, so no unfinished one arrives there as a loss. Of a game that the table ended
early the comment says so. BG Stats counts the games that count here; who wants to can change that there.

The format has no public description. What is read here was seen in the files of several programs
(``BGStatsExport.json`` or ``.bgsplay``): dates are the local time of the phone, booleans may be written as 0 and 1.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from decimal import ROUND_HALF_UP, Decimal
from itertools import accumulate, count
from string import ascii_uppercase
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

from msgspec import MsgspecError, Raw, Struct, json
from msgspec.structs import replace

from companion.core.game import Best
from companion.core.text import N_, Text, tell
from companion.decoding import from_json
from companion.gamelog import LogError, check_names, name_key
from companion.gamelog.player_names import MOST_CODE_POINTS, is_too_long, without_last
from companion.games import GAMES

from .days import BEYOND
from .exports import edition
from .plays import (
    LONGEST_TITLE,
    MOST_PLAYERS,
    MOST_POINTS,
    MOST_SECONDS,
    NO_REMARKS,
    NOTHING,
    SOURCE_ID,
    ImportedGame,
    Remark,
    Remarks,
    id_of,
    play_id,
)
from .renamed_and_hidden import People
from .results import GameResult, best_of, round_points, seat_ranks, side_of, sides
from .selection import counts, title

# Written for BG Stats

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
        **({"durationMin": minutes} if (minutes := round(result.seconds / 60)) else {}),
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
            for seat, name in enumerate(people.names(result))
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
    names = {name_key(name): name for result in results for name in people.names(result)}
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
        "durationMin": round(result.seconds / 60),
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
            for seat, name in enumerate(people.names(result))
        ],
    }


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


def _date(moment: float, zone: tzinfo | None = None) -> str:
    """Return a date and time in a zone; by default of this machine."""
    return f"{datetime.fromtimestamp(int(moment), zone):%Y-%m-%d %H:%M:%S}"


# Read from BG Stats

_MOST_LETTERS = 200  # of a name that is shortened
_DEEPEST = 100  # levels of nesting that are read
_BRACKETS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}]', re.DOTALL)

_UNREADABLE = N_("cannot be read")


class _Entry(Struct, frozen=True, rename="camel"):
    """A player, a game or a place; each has some of the fields."""

    id: int
    name: str | None = None
    is_anonymous: bool | None = False
    highest_wins: bool | None = None
    no_points: bool | None = False
    cooperative: bool | None = False


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


_Entries = Mapping[int, _Entry]
"""Players, games or places by their numbers."""


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
    games, players, places = map(_by_id, (file.games, file.players, file.locations or ()))
    found: dict[str, _Found] = {}
    left_out: Counter[Text] = Counter()
    for raw in file.plays:
        play = _read(raw, _Play)
        why = _UNREADABLE if play is None else _why_left_out(play, games, players)
        if play is None or why:
            left_out[Text(why)] += 1
        else:
            found.setdefault(
                play.uuid.upper(), _found(play, games[play.game_ref_id], places.get(play.location_ref_id or 0))
            )
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


_Read = TypeVar("_Read")


def _by_id(raws: Iterable[Raw]) -> dict[int, _Entry]:
    return {entry.id: entry for raw in raws if (entry := _read(raw, _Entry)) is not None}


def _read(raw: Raw, kind: type[_Read]) -> _Read | None:
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


def _why_left_out(play: _Play, games: _Entries, players: _Entries) -> str:
    """Return why a play cannot be taken; empty if it can."""
    game, entries = games.get(play.game_ref_id), play.player_scores
    if not SOURCE_ID.fullmatch(play.uuid) or len(entries) > MOST_PLAYERS:
        return _UNREADABLE
    if play.ignored:
        return N_("ignored in BG Stats")
    if game is None or not _our_name(game) or any(entry.player_ref_id not in players for entry in entries):
        return N_("without a game or a player")
    if len(entries) < 2:
        return N_("played alone")
    if game.cooperative:
        return N_("played together, not against each other")
    return "" if any(entry.winner for entry in entries) else N_("nobody won")


def _found(play: _Play, game: _Entry, place: _Entry | None) -> _Found:
    entries = sorted(play.player_scores, key=lambda entry: entry.seat_order or 0)
    if play.uses_teams is not False:
        entries = _partners_across(entries)
    ids = [entry.player_ref_id for entry in entries]
    seats = [(player, ids[:seat].count(player)) for seat, player in enumerate(ids)]
    scores = [read_score(entry.score) for entry in entries]
    if game.no_points and not any(score.exact for score in scores):
        scores = [WrittenScore()] * len(scores)
    best = {True: Best.HIGHEST, False: Best.LOWEST, None: None}[game.highest_wins]
    remark = Remark.of((place and place.name) or "", _without_own_line(play.comments or ""))
    seconds = (play.duration_min or 0) * 60
    starters = [seat for seat, entry in enumerate(entries) if entry.start_player]
    return _Found(
        ImportedGame(
            game=_our_name(game),
            players=("",) * len(seats),  # named when everybody is known
            scores=tuple(score.points for score in scores),
            winners=tuple(seat for seat, entry in enumerate(entries) if entry.winner),
            places=_places(entries, scores, best or Best.HIGHEST),
            begun=_timestamp(play.play_date or ""),
            seconds=seconds if 0 <= seconds <= MOST_SECONDS else 0.0,  # one that a play can take
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


def _our_name(game: _Entry) -> str:
    """Return the name of our game with the title of a game; the title if there is none."""
    printable = "".join(filter(str.isprintable, " ".join((game.name or "").split())))[:LONGEST_TITLE]
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


def _names(players: _Entries, plays: Iterable[Sequence[_Seat]]) -> dict[_Seat, str]:
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
