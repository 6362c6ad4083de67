"""Statistics worked out plainly, a question at a time, independently of `companion.history`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from statistics import mean

import pytest
from msgspec import structs

from companion.history.results import GameResult
from companion.history.statistics import GameFigures, PersonStatistics, Rating, Ratings

Renamings = Sequence[tuple[str, str, int]]
"""Old name, new name, and the last game in which the old name means this person."""


def person(name: str, number: int, renamings: Renamings = ()) -> str:
    """Return who a name in a game is now, in small letters."""
    name = name.lower()
    for old, new, last in renamings:
        if number <= last and name == old.lower():
            name = new.lower()
    return name


def who(result: GameResult, renamings: Renamings = ()) -> list[str]:
    return [person(name, result.number, renamings) for name in result.players]


def partners(result: GameResult, seat: int) -> set[int]:
    return {seat, (seat + 2) % 4} if json.loads(result.rules).get("teams") else {seat}


def points(result: GameResult, seat: int) -> int:
    return sum(result.scores[each] or 0 for each in partners(result, seat))


def rank(result: GameResult, seat: int) -> int:
    """Return one more than the number of sides that are better."""
    if seat in result.winners:
        return 1
    better = [
        frozenset(partners(result, other))
        for other in range(len(result.players))
        if other in result.winners or points(result, other) > points(result, seat)
    ]
    return 1 + len(set(better))


def share(result: GameResult, seat: int) -> float:
    count = len({frozenset(partners(result, other)) for other in range(len(result.players))})
    return (count - rank(result, seat)) / (count - 1)


def games_of(results: Sequence[GameResult], name: str, renamings: Renamings = ()) -> list[tuple[GameResult, int]]:
    return [(each, who(each, renamings).index(name)) for each in results if name in who(each, renamings)]


def figures(played: Sequence[tuple[GameResult, int]]) -> dict[str, object]:
    """Return the figures over some games of a person."""
    won = [seat in result.winners for result, seat in played]
    runs = [(0, 0)]
    for place, is_won in enumerate(won):
        runs.append((runs[-1][0] if is_won and runs[-1][1] else place, runs[-1][1] + 1 if is_won else 0))
    best = max(range(len(runs)), key=lambda place: (runs[place][1], place))
    names = [result.name for result, _seat in played]
    return {
        "games": tuple(names),
        "won": tuple(name for name, is_won in zip(names, won, strict=True) if is_won),
        "rank_share": mean(share(result, seat) for result, seat in played),
        "streak": tuple(names[len(names) - runs[-1][1] :]),
        "longest_streak": tuple(names[best - runs[best][1] : best]),
        "started": tuple(result.name for result, seat in played if result.starter == seat),
        "won_as_starter": tuple(
            result.name for result, seat in played if result.starter == seat and seat in result.winners
        ),
        "seconds": sum(result.seconds for result, _seat in played),
        "last": max(result.ended for result, _seat in played),
    }


def extremes(found: Sequence[tuple[int, str, int | None]]) -> tuple[tuple[int, str, int | None], ...]:
    """Return the earliest greatest and the earliest least."""
    values = [each[0] for each in found]
    return found[values.index(max(values))], found[values.index(min(values))]


def deeds(played: Sequence[tuple[GameResult, int]]) -> dict[str, tuple[int, float, tuple[str, ...]]]:
    """Return total, mean and games of each deed."""
    found = {}
    recorded = [(result, seat) for result, seat in played if result.counts]
    for what in {what for result, _seat in recorded for what in result.counts}:
        did = [(result.name, result.counts[what][seat]) for result, seat in recorded if what in result.counts]
        total = sum(amount for _name, amount in did)
        if total:
            found[what] = total, total / len(recorded), tuple(name for name, amount in did if amount)
    return found


def head_to_head(
    results: Sequence[GameResult], name: str, other: str, renamings: Renamings = ()
) -> tuple[tuple[str, ...], ...]:
    """Return the games in which one was ahead of another, behind, and level."""
    found: tuple[list[str], ...] = ([], [], [])
    for result in results:
        names = who(result, renamings)
        if name in names and other in names:
            seat, beside = names.index(name), names.index(other)
            if beside not in partners(result, seat):
                own, theirs = rank(result, seat), rank(result, beside)
                found[0 if own < theirs else 1 if own > theirs else 2].append(result.name)
    return tuple(map(tuple, found))


def check(told: PersonStatistics, played: Sequence[tuple[GameResult, int]]) -> None:
    """Compare a person's statistics with what is worked out plainly.

    Raises:
        AssertionError: They differ.
    """
    for found, games in [
        (told.overall, played),
        *((of_game, [each for each in played if each[0].game == game]) for game, of_game in told.by_game.items()),
    ]:
        expected = figures(games)
        assert found.rank_share == pytest.approx(expected.pop("rank_share"))
        assert {field: getattr(found, field) for field in expected} == expected
        assert found.win_rate == len(found.won) / len(games)
        assert found.starter_win_rate == (len(found.won_as_starter) / len(found.started) if found.started else None)
        if isinstance(found, GameFigures):
            best, worst = extremes([(each.scores[seat] or 0, each.name, None) for each, seat in games])
            rounds = [
                (points[seat], each.name, number)
                for each, seat in games
                for number, points in enumerate(each.rounds, 1)
            ]
            of_games = [points and structs.astuple(points) for points in (found.best_game, found.worst_game)]
            assert of_games == [best, worst]
            in_round = tuple(points and structs.astuple(points) for points in (found.best_round, found.worst_round))
            assert in_round == (extremes(rounds) if rounds else (None, None))
            assert {what: structs.astuple(deed) for what, deed in found.counts.items()} == deeds(games)
    assert sum(len(found.games) for found in told.by_game.values()) == len(told.overall.games)
    counts = [len(found.games) for found in told.by_game.values()]
    assert counts == sorted(counts, reverse=True)


def rating_course(ratings: Ratings, person: str, game: str | None = None) -> list[tuple[str, Rating]]:
    """Return a person's rating after each game of a kind, or of all kinds, with the game's name."""
    return [
        (name, ratings.after(name, person, one_game=game is not None))
        for name, persons in ratings._after.items()
        if person in persons and game in (None, name.partition("-")[2].rpartition("-")[0])
    ]
