"""Statistics of people over some games: ratings, a person's figures and their course, the league table, records.

Every figure names the games it is from.

Ratings are by Plackett and Luce's model: one for each kind of game, and one over all games. A rating is a guess of
somebody's strength (mu) and its uncertainty (sigma). People see ``1000 + 24 · (mu − 3 sigma)``, rounded: everybody
begins at 1000, and 200 points are one sigma of a newcomer. It rises as the guess becomes surer, so it is shown only
after 5 games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple, replace

from companion.gamelog import name_key

from .renamed_and_hidden import People
from .results import GameResult, Maker, best_of, makers, margin, rank_share, seat_ranks, sides, somebody_won

if TYPE_CHECKING:
    from openskill.models.weng_lin.plackett_luce import PlackettLuce, PlackettLuceRating

# Ratings


MIN_GAMES = 5  # games after which a rating is shown
BASE, SCALE, SIGMAS = 1000, 24, 3  # what people see: BASE + SCALE · (mu − SIGMAS · sigma)
MU, SIGMA = 25.0, 25.0 / 3  # the rating of somebody who has not played


class Rating(Struct, frozen=True, array_like=True, gc=False):
    """A person's rating after some games."""

    mu: float = MU  # the guessed strength
    sigma: float = SIGMA  # its uncertainty
    games: int = 0  # how many games it is from

    @property
    def displayed(self) -> int | None:
        """Return the rating as people see it; None before it is shown.

        >>> Rating(30.0, 2.0, 12).displayed
        1576
        """
        return round(BASE + SCALE * (self.mu - SIGMAS * self.sigma)) if self.games >= MIN_GAMES else None


NEW = Rating()


class Ratings:
    """Everybody's ratings after each game, in its kind and over all games."""

    def __init__(self, people: People) -> None:
        """Begin before the first game."""
        self._people = people
        self._latest: dict[tuple[str | None, str], Rating] = {}
        self._after: dict[str, dict[str, tuple[Rating, Rating]]] = {}  # by game and person: in its kind, over all
        self._model: PlackettLuce | None = None

    def after(self, name: str, person: str, *, one_game: bool = False) -> Rating:
        """Return a player's rating after a game, in its kind or over all; a newcomer's if the person did not play."""
        in_kind, overall = self._after.get(name, {}).get(person, (NEW, NEW))
        return in_kind if one_game else overall

    def add(self, result: GameResult) -> None:
        """Rate the next game."""
        persons = self._people.of(result)
        in_kind, overall = (self._rated(result, persons, kind) for kind in (result.game, None))
        for kind, ratings in ((result.game, in_kind), (None, overall)):
            self._latest |= {(kind, person): rating for person, rating in zip(persons, ratings, strict=True)}
        self._after[result.name] = dict(zip(persons, zip(in_kind, overall, strict=True), strict=True))

    def _rated(self, result: GameResult, persons: Sequence[str], kind: str | None) -> tuple[Rating, ...]:
        if self._model is None:
            from openskill.models import PlackettLuce  # takes 20 ms, and 3.5 MB

            self._model = PlackettLuce(MU, SIGMA)
        before = [self._latest.get((kind, person), NEW) for person in persons]
        if not somebody_won(result):
            return tuple(before)
        of, ranks = sides(result), seat_ranks(result)
        teams: list[list[PlackettLuceRating]] = [
            [self._model.rating(before[seat].mu, before[seat].sigma) for seat in side] for side in of
        ]
        after = self._model.rate(teams, ranks=[float(ranks[side[0]]) for side in of])
        new = {
            seat: rating for side, team in zip(of, after, strict=True) for seat, rating in zip(side, team, strict=True)
        }
        return tuple(Rating(new[seat].mu, new[seat].sigma, rating.games + 1) for seat, rating in enumerate(before))


def rated(results: Iterable[GameResult], people: People) -> Ratings:
    """Return the ratings after each of some games, oldest first."""
    ratings = Ratings(people)
    for result in results:
        ratings.add(result)
    return ratings


# The games of a person


class Played(NamedTuple):
    """A game as one of its players sees it."""

    result: GameResult
    seat: int  # the player's seat at the end
    persons: tuple[str, ...]  # everybody's keys (see `People`) by seat
    ranks: tuple[int, ...]  # everybody's ranks by seat
    share: float | None  # the player's rank share; None if nobody was better in the game

    @property
    def won(self) -> bool:
        return self.seat in self.result.winners


def played_by(results: Iterable[GameResult], people: People, only: str | None = None) -> dict[str, list[Played]]:
    """Return everybody's games, oldest first, by the person's key; those of one person only if it is given."""
    found: dict[str, list[Played]] = {}
    for result in results:
        persons = people.of(result)
        if only is None or only in persons:
            ranks, count, better = seat_ranks(result), len(sides(result)), somebody_won(result)
            for seat, person in enumerate(persons):
                if only in (None, person):
                    share = rank_share(count, ranks[seat]) if better else None
                    found.setdefault(person, []).append(Played(result, seat, persons, ranks, share))
    return found


def _names(played: Iterable[Played]) -> Games:
    return tuple([each.result.name for each in played])


def mean_share(played: Sequence[Played]) -> float | None:
    """Return the mean of a person's rank shares; None if nobody was better in any of the games."""
    shares = [each.share for each in played if each.share is not None]
    return sum(shares) / len(shares) if shares else None


# A person's figures

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
    played: tuple[Played, ...]  # the games that all this is from


_Made = tuple[GameResult, Maker]
"""A game, and what the person made of it."""


def statistics(results: Sequence[GameResult], people: People, person: str) -> PersonStatistics | None:
    """Return a person's statistics over some games, oldest first; None if the person played none of them.

    The person is the current name, in any spelling.

    >>> result = GameResult("a", 1, "gear", ("Ann", "Bo"), "", 0, 0, 0, "", 0, (5, 9), (1,), (), (), {}, 0)
    >>> statistics([result], People(), "bo").overall.won
    ('a',)
    """
    key = name_key(person)
    played = played_by(results, people, key).get(key)
    if played is None:
        return None
    seats, kinds, made = dict[str, int](), dict[str, list[Played]](), dict[str, list[_Made]]()
    for each in played:
        seats[each.result.name] = each.seat
        kinds.setdefault(each.result.game, []).append(each)
    for result in results:
        if result.earlier:
            own = [each for each in makers(result) if people.of_name(each.name, result) == key]
        else:
            own = makers(result, [seats[result.name]]) if result.name in seats else []
        made.setdefault(result.game, []).extend((result, each) for each in own)
    in_order = sorted(kinds.items(), key=lambda kind: -len(kind[1]))
    return PersonStatistics(
        people.names(played[-1].result)[played[-1].seat],
        _figures(played),
        {game: _game_figures(of_kind, made[game]) for game, of_kind in in_order},
        _head_to_head(played, people),
        tuple(played),
    )


def longest_run(won: Iterable[tuple[str, bool]]) -> tuple[Games, Games]:
    """Return the current and the longest run of wins; the latest of equally long ones.

    >>> longest_run([("a", True), ("b", True), ("c", False), ("d", True)])
    (('d',), ('a', 'b'))
    """
    current, longest = Games(), Games()
    for is_won, run in groupby(won, itemgetter(1)):
        current = tuple([game for game, _won in run]) if is_won else ()
        longest = current if current and len(current) >= len(longest) else longest
    return current, longest


def _figures(played: Sequence[Played]) -> PersonFigures:
    current, longest = longest_run((each.result.name, each.won) for each in played)
    started = [each for each in played if each.seat == each.result.starter]
    return PersonFigures(
        _names(played),
        _names(each for each in played if each.won),
        mean_share(played),
        current,
        longest,
        _names(started),
        _names(each for each in started if each.won),
        sum([each.result.seconds for each in played]),
        max([each.result.ended for each in played]),
    )


_Rated = tuple[int, PointRecord]
"""A sort key, the best first, and the points."""


def _game_figures(played: Sequence[Played], made: Sequence[_Made]) -> GameFigures:
    games, rounds = list[_Rated](), list[_Rated]()
    for each in played:
        result, score = each.result, each.result.scores[each.seat]
        if score is not None and not result.ended_early:  # the points of fewer rounds are no record
            games.append((best_of(result).key(score), PointRecord(score, result.name)))
    for result, own in made:
        sign = best_of(result).key(1)
        points = ((result.rounds[number - 1][own.seat], number) for number in own.rounds)
        rounds += [(sign * each, PointRecord(each, result.name, number)) for each, number in points]
    records = (*_best_and_worst(games), *_best_and_worst(rounds))
    fields = (*astuple(_figures(played)), *records, _actions(made))
    return GameFigures(*fields)


def _best_and_worst(rated: Sequence[_Rated]) -> tuple[PointRecord | None, PointRecord | None]:
    if not rated:
        return None, None
    return min(rated, key=itemgetter(0))[1], max(rated, key=itemgetter(0))[1]


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


def _head_to_head(played: Sequence[Played], people: People) -> tuple[HeadToHead, ...]:
    met: dict[str, tuple[list[str], list[str], list[str]]] = {}
    for result, seat, persons, ranks, _share in played:
        own = ranks[seat]
        partners = next(side for side in sides(result) if seat in side)
        for other, rank in enumerate(ranks):
            if other not in partners:
                games = met.setdefault(persons[other], ([], [], []))
                games[0 if own < rank else 1 if own > rank else 2].append(result.name)
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


def progress(played: Sequence[Played], person: str, ratings: Ratings, *, one_game: bool = False) -> list[ProgressPoint]:
    """Return where a person stood after games, oldest first: after each of a few, else after some of them.

    Args:
        played: The person's games, oldest first.
        person: The person's key.
        ratings: The ratings after each game.
        one_game: Whether the ratings are those in one kind of game.
    """
    moments = []
    for place in _evenly(len(played)):
        name, recent = played[place].result.name, played[max(0, place + 1 - RECENT) : place + 1]
        rating = ratings.after(name, person, one_game=one_game).displayed
        moments.append(ProgressPoint(name, rating, mean_share(recent)))
    return moments


def _evenly(count: int) -> list[int]:
    """Return the places of the moments that are shown among so many, the last one among them.

    >>> _evenly(3), len(_evenly(1000)), _evenly(1000)[-1]
    ([0, 1, 2], 60, 999)
    """
    most = min(count, MOST_MOMENTS)
    return [round((place + 1) * count / most) - 1 for place in range(most)]


# The league table


NO_RATINGS = Ratings(People())

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
    names = people.called(results)
    rows = [
        LeagueRow(
            names[person],
            None,
            _names(played),
            _names(each for each in played if each.won),
            mean_share(played),
            ratings.after(played[-1].result.name, person, one_game=one_game).displayed,
        )
        for person, played in played_by(results, people).items()
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


_Held = tuple[float, GameResult, Sequence[int]]
"""What may be a record: its value, its game, and the seats of those who hold it."""


def records(results: Sequence[GameResult], people: People) -> Records:
    """Return the records of games of one kind. Hidden people hold none.

    The points of a game that the table ended early are those of fewer rounds, and no record.
    """
    whole = [result for result in results if not result.ended_early]
    scores: list[_Held] = [
        (points, result, (seat,))
        for result in whole
        for seat, (points, person) in enumerate(zip(result.scores, people.of(result), strict=True))
        if points is not None and not people.hides(person)
    ]
    times: list[_Held] = [(each.seconds, each, range(len(each.players))) for each in results if each.seconds]
    margins: list[_Held] = [(by, each, each.winners) for each in whole if (by := margin(each)) is not None]

    def record(best: Callable[..., _Held], found: Sequence[_Held]) -> Record | None:
        if not found:
            return None
        value, result, seats = best(found, key=itemgetter(0))
        names, holders = people.names(result), people.of(result)
        visible = tuple(names[seat] for seat in seats if not people.hides(holders[seat]))
        return Record(value, result.name, visible) if visible else None

    return Records(record(max, scores), record(min, scores), record(max, times), record(min, margins))
