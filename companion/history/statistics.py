"""Statistics of people over some games: a person's figures and their course, the league table, a game's records.

Every figure names the games it is from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from companion.gamelog import name_key

from .ratings import Ratings
from .renamed_and_hidden import People
from .results import GameResult, Maker, makers
from .sides import best_of, margin, mean_share, rank_share, seat_ranks, seat_shares, sides, somebody_won

MIN_SHARED = 3  # games that two people must have shared before they are compared
Games = tuple[str, ...]  # names of games in the journal, oldest first


class PointRecord(Struct, frozen=True):
    """A person's most or fewest points, and the game or round they were made in."""

    points: int
    game: str  # the name of the game in the journal
    round: int | None = None  # the number of the round, from 1; None for a whole game


class ActionTotal(Struct, frozen=True):
    """How often a person did a counted action."""

    total: int  # the amount in all games
    mean: float  # the amount in a game, on average over the games in which actions were counted
    games: Games  # the games in which the person did it


class PersonFigures(Struct, frozen=True):
    """A person's figures over some games."""

    games: Games  # the games played
    won: Games  # the games won; a shared win counts for all who share it
    # the mean of (n − rank) / (n − 1); partners have the rank of their side. None if nobody was better in any game
    rank_share: float | None
    streak: Games  # the latest games in a row that were won
    longest_streak: Games  # the most games in a row that were won; the latest such row
    started: Games  # the games in which the person started the first round
    won_as_starter: Games  # those of them that were won
    seconds: float  # how long the person played, without pauses
    last: float  # when the latest game ended, in seconds since 1970; 0 if it is not known

    @property
    def win_rate(self) -> float:
        """Return the share of games that were won."""
        return len(self.won) / len(self.games)

    @property
    def starter_win_rate(self) -> float | None:
        """Return the share of started games that were won; None if none was started."""
        return len(self.won_as_starter) / len(self.started) if self.started else None


class GameFigures(PersonFigures, frozen=True, rename={"counts": "deeds"}):  # the key in JSON that programs read
    """A person's figures in games of one kind."""

    # the best points in a game, the earliest such game; None if no points of a game played to its end are known
    best_game: PointRecord | None
    worst_game: PointRecord | None  # the worst points in a game
    best_round: PointRecord | None  # the best points in a round; None if no round is known
    worst_round: PointRecord | None  # the worst points in a round
    counts: dict[str, ActionTotal]  # every counted action of the person, by its name


class HeadToHead(Struct, frozen=True):
    """A person compared with another, over the games in which both played on different sides."""

    other: str  # the other's name
    ahead: Games  # the games in which the person had the better rank
    behind: Games  # the games in which the other had
    level: Games  # the games in which they shared a rank

    @property
    def shared(self) -> int:
        """Return how many games they shared."""
        return len(self.ahead) + len(self.behind) + len(self.level)


class PersonStatistics(Struct, frozen=True):
    """Everything about a person."""

    name: str  # the current name, as last spelt
    overall: PersonFigures  # the figures over all games
    by_game: dict[str, GameFigures]  # the figures of each kind of game, by its name; the most played first
    # the comparison with everybody who shared enough games and is not hidden; most games first
    head_to_head: tuple[HeadToHead, ...]


class _Played(NamedTuple):
    """A game that the person played: the person's seat, side and rank share, everybody's persons and ranks by seat."""

    name: str
    result: GameResult
    seat: int
    persons: tuple[str, ...]
    side: tuple[int, ...]
    ranks: tuple[int, ...]
    share: float | None  # None if nobody was better in the game
    won: bool


_Made = tuple[GameResult, Maker]
"""A game, and what the person made of it."""

_Rated = tuple[int, int, str, int | None]
"""A sort key, the best first; the points, the game's name and the number of the round."""


def statistics(results: Sequence[GameResult], people: People, person: str) -> PersonStatistics | None:
    """Return a person's statistics over some games, oldest first; None if the person played none of them.

    The person is the current name, in any spelling.

    >>> result = GameResult("a", 1, "gear", ("Ann", "Bo"), "", 0, 0, 0, "", 0, (5, 9), (1,), (), (), {}, 0)
    >>> statistics([result], People(), "bo").overall.won
    ('a',)
    """
    key = name_key(person)
    played = []
    made: dict[str, list[_Made]] = {}
    for result in results:
        everybody = people.of(result)
        if key in everybody or result.earlier:
            made.setdefault(result.game, []).extend(_made(result, people, everybody, key))
        if key in everybody:
            seat, ranks, every = everybody.index(key), seat_ranks(result), sides(result)
            side = next(side for side in every if seat in side)
            share = rank_share(len(every), ranks[seat]) if somebody_won(result) else None
            played.append(_Played(result.name, result, seat, everybody, side, ranks, share, seat in result.winners))
    if not played:
        return None
    kinds: dict[str, list[_Played]] = {}
    for each in played:
        kinds.setdefault(each.result.game, []).append(each)
    in_order = sorted(kinds.items(), key=lambda kind: -len(kind[1]))
    return PersonStatistics(
        people.names(played[-1].result)[played[-1].seat],
        PersonFigures(*_figures(played)),
        {game: _game_figures(of_kind, made[game]) for game, of_kind in in_order},
        _head_to_head(played, people),
    )


def _made(result: GameResult, people: People, everybody: Sequence[str], person: str) -> list[_Made]:
    """Return what a person made of a game, at the seat they had at the end and at seats that they left."""
    if result.earlier:
        return [(result, each) for each in makers(result) if people.of_name(each.name, result) == person]
    if person not in everybody:
        return []
    seat = everybody.index(person)
    counts = {what: by_seat[seat] for what, by_seat in result.counts.items()}
    return [(result, Maker(seat, person, tuple(range(1, len(result.rounds) + 1)), counts))]


def longest_run(won: Iterable[tuple[str, bool]]) -> tuple[Games, Games]:
    """Return the current and the longest run of wins.

    >>> longest_run([("a", True), ("b", True), ("c", False), ("d", True)])
    (('d',), ('a', 'b'))
    """
    running: list[str] = []
    longest: list[str] = []
    for game, is_won in won:
        if is_won:
            running.append(game)
        elif running:
            longest = running if len(running) >= len(longest) else longest
            running = []
    return tuple(running), tuple(running if len(running) >= len(longest) else longest)


def _figures(
    played: Sequence[_Played],
) -> tuple[Games, Games, float | None, Games, Games, Games, Games, float, float]:
    """Return the fields of `PersonFigures`."""
    current, longest = longest_run((each.name, each.won) for each in played)
    started = [each for each in played if each.seat == each.result.starter]
    return (
        tuple([each.name for each in played]),
        tuple([each.name for each in played if each.won]),
        mean_share([each.share for each in played if each.share is not None]),
        current,
        longest,
        tuple([each.name for each in started]),
        tuple([each.name for each in started if each.won]),
        sum([each.result.seconds for each in played]),
        max([each.result.ended for each in played]),
    )


def _game_figures(played: Sequence[_Played], made: Sequence[_Made]) -> GameFigures:
    games, rounds = list[_Rated](), list[_Rated]()
    for name, result, seat, *_rest in played:
        score = result.scores[seat]
        if score is not None and not result.ended_early:  # the points of fewer rounds are no record
            games.append((best_of(result).key(score), score, name, None))
    for result, own in made:
        sign = best_of(result).key(1)
        points = ((result.rounds[number - 1][own.seat], number) for number in own.rounds)
        rounds += [(sign * each, each, result.name, number) for each, number in points]
    return GameFigures(
        *_figures(played),
        _record(min, games),
        _record(max, games),
        _record(min, rounds),
        _record(max, rounds),
        _actions(made),
    )


def _record(of: Callable[..., _Rated], rated: Sequence[_Rated]) -> PointRecord | None:
    return PointRecord(*of(rated, key=itemgetter(0))[1:]) if rated else None


def _actions(made: Sequence[_Made]) -> dict[str, ActionTotal]:
    recorded = len({result.name for result, _own in made if result.counts})
    amounts: dict[str, dict[str, int]] = {}
    for result, own in made:
        for what, amount in own.counts.items():
            if amount:
                by_game = amounts.setdefault(what, {})
                by_game[result.name] = by_game.get(result.name, 0) + amount
    return {
        what: ActionTotal(sum(by_game.values()), sum(by_game.values()) / recorded, tuple(by_game))
        for what, by_game in amounts.items()
    }


def _head_to_head(played: Sequence[_Played], people: People) -> tuple[HeadToHead, ...]:
    met: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for name, _result, seat, everybody, partners, ranks, _share, _won in played:
        own = ranks[seat]
        for other, rank in enumerate(ranks):
            if other not in partners:
                games = met.get(everybody[other])
                if games is None:
                    games = met[everybody[other]] = ([], [], [])
                games[0 if own < rank else 1 if own > rank else 2].append(name)
    names = people.called([each.result for each in played])
    found = [HeadToHead(names[other], *map(tuple, games)) for other, games in met.items() if not people.hides(other)]
    enough = [each for each in found if each.shared >= MIN_SHARED]
    return tuple(sorted(enough, key=lambda each: (-each.shared, name_key(each.other))))


# The course of rating and rank share


RECENT = 10  # the latest games whose mean rank share is shown
MOST_MOMENTS = 60  # the most moments: more cannot be told apart on a phone


class ProgressPoint(Struct, frozen=True):
    """A person's rating and rank share after a game."""

    game: str  # the name of the game in the journal
    rating: int | None  # the rating as people see it; None before it is shown
    share: float | None  # the mean rank share of the latest games; None if nobody was better in any of them


def progress(
    games: Iterable[str],
    results: Mapping[str, GameResult],
    people: People,
    person: str,
    ratings: Ratings,
    *,
    one_game: bool = False,
) -> list[ProgressPoint]:
    """Return where a person stood after games, oldest first: after each of a few, else after some of them.

    Args:
        games: The names of the games, oldest first.
        results: The results of games by name.
        people: Tells who sat where.
        person: The person's key.
        ratings: The ratings after each game.
        one_game: Whether the ratings are those in one kind of game.
    """
    games, shares = list(games), dict[str, float | None]()

    def share(name: str) -> float | None:
        if name not in shares:
            of_seats = seat_shares(result := results[name])
            shares[name] = of_seats[people.of(result).index(person)] if of_seats else None
        return shares[name]

    moments = []
    for place in _evenly(len(games)):
        recent = map(share, games[max(0, place + 1 - RECENT) : place + 1])
        rating = ratings.after(games[place], person, one_game=one_game).displayed
        moments.append(ProgressPoint(games[place], rating, mean_share([each for each in recent if each is not None])))
    return moments


def _evenly(count: int) -> list[int]:
    """Return the places of the moments that are shown among so many, the last one among them.

    >>> _evenly(3), len(_evenly(1000)), _evenly(1000)[-1]
    ([0, 1, 2], 60, 999)
    """
    most = min(count, MOST_MOMENTS)
    return [round((place + 1) * count / most) - 1 for place in range(most)]


# The league table


NO_RATINGS = Ratings(())

LEAST = 3
"""The least number of games for a place in the table; while nobody has so many, one is enough."""


class LeagueRow(Struct, frozen=True):
    """A person's row of the league table."""

    name: str  # the current name, as last spelt
    place: int | None  # the place, counted from 1; None with fewer games than are needed for one
    games: tuple[str, ...]  # the games played, by their names in the journal
    won: tuple[str, ...]  # the games won
    rank_share: float | None  # the mean rank share; None if nobody was better in any of the games
    rating: int | None  # the rating after the person's last game of the table, as people see it; None until it is shown

    @property
    def win_rate(self) -> float:
        """Return the share of games that were won."""
        return len(self.won) / len(self.games)


def league(
    results: Sequence[GameResult],
    people: People,
    ratings: Ratings = NO_RATINGS,
    *,
    one_game: bool = False,
    least: int = LEAST,
) -> tuple[LeagueRow, ...]:
    """Return the league table of games, oldest first: by rank share, then wins, then name. Hidden people are left out.

    People with fewer games than are needed come last, without a place, and those who never were better or worse.

    Args:
        one_game: Whether it is a table of one kind of game. The ratings in it are then shown, not those over all games.
        least: How many games a place needs. Where nobody has so many, one is enough.
    """
    played: dict[str, list[GameResult]] = {}
    shares: dict[str, list[float]] = {}
    won: dict[str, list[str]] = {}
    for result in results:
        of_seats = seat_shares(result)
        for seat, person in enumerate(people.of(result)):
            played.setdefault(person, []).append(result)
            shares.setdefault(person, []).extend([of_seats[seat]] if of_seats else [])
            if seat in result.winners:
                won.setdefault(person, []).append(result.name)
    names = people.called(results)
    rows = [
        LeagueRow(
            names[person],
            None,
            tuple(result.name for result in games),
            tuple(won.get(person, ())),
            mean_share(shares[person]),
            ratings.after(games[-1].name, person, one_game=one_game).displayed,
        )
        for person, games in played.items()
        if not people.hides(person)
    ]
    if all(len(row.games) < least for row in rows):
        least = 1

    def is_placed(row: LeagueRow) -> bool:
        return len(row.games) >= least and row.rank_share is not None

    rows.sort(key=lambda row: (not is_placed(row), -(row.rank_share or 0), -len(row.won), name_key(row.name)))
    return tuple(replace(row, place=place if is_placed(row) else None) for place, row in enumerate(rows, 1))


# Records of one kind of game


class Record(Struct, frozen=True):
    """A record: its value, its game, and who holds it."""

    value: float  # points, seconds, or points between the winners and the next
    game: str  # the name of the game in the journal
    names: tuple[str, ...]  # the current names of those who hold it: who had the score, who played, or who won


class Records(Struct, frozen=True):
    """The records of one kind of game; the earliest of equal ones. Each is None if there is none."""

    highest: Record | None  # the highest score of a player
    lowest: Record | None
    longest: Record | None  # the game played longest, without pauses
    closest: Record | None  # the win by the fewest points; by none where the win was shared, or a tie was broken


def records(results: Sequence[GameResult], people: People) -> Records:
    """Return the records of games of one kind. Hidden people hold none.

    The points of a game that the table ended early are those of fewer rounds, and no record.
    """

    def record(value: float, result: GameResult, seats: Sequence[int]) -> Record | None:
        names, holders = people.names(result), people.of(result)
        visible = tuple(names[seat] for seat in seats if not people.hides(holders[seat]))
        return Record(value, result.name, visible) if visible else None

    scores = [
        (points, result, (seat,))
        for result in results
        for seat, (points, person) in enumerate(zip(result.scores, people.of(result), strict=True))
        if points is not None and not people.hides(person) and not result.ended_early
    ]
    longest = max(results, key=lambda result: result.seconds, default=None)
    whole = (result for result in results if not result.ended_early)
    margins = [(points, result) for result in whole if (points := margin(result)) is not None]
    closest = min(margins, key=lambda each: each[0], default=None)
    return Records(
        record(*max(scores, key=_score)) if scores else None,
        record(*min(scores, key=_score)) if scores else None,
        record(longest.seconds, longest, range(len(longest.players))) if longest and longest.seconds else None,
        record(*closest, closest[1].winners) if closest else None,
    )


def _score(each: tuple[int, GameResult, tuple[int]]) -> int:
    return each[0]
