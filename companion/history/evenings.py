"""Evenings: the games of one local day, and their summary as a few lines of text for a chat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import islice
from typing import TypeVar

from msgspec import Struct

from companion.core.text import N_, NN_, Text, listed
from companion.games import GAMES

from .days import date_of, day_of, duration
from .renamed_and_hidden import People
from .results import GameResult, by_side, ended_level, figure, losers, makers, margin, nobody_won
from .selection import counted, title_text

MIN_COUNT = 2  # the least count of a remarkable action that an evening's page mentions
G = TypeVar("G")


class Evening(Struct, frozen=True):
    """The games of a local day, by all people."""

    day: date  # the day; it ends at 5 in the morning
    results: tuple[GameResult, ...]  # the games, oldest first


def evenings(results: Sequence[GameResult]) -> list[Evening]:
    """Return the evenings of some games, the oldest first. Games of an unknown day are in none."""
    return [Evening(day, tuple(games)) for day, games in by_day(results, day_of).items()]


def by_day(games: Iterable[G], day_of_game: Callable[[G], date | None]) -> dict[date, list[G]]:
    """Return games by their days, the earliest day first. Games of an unknown day are left out."""
    found: dict[date, list[G]] = {}
    for game in games:
        day = day_of_game(game)
        if day is not None:
            found.setdefault(day, []).append(game)
    return dict(sorted(found.items()))


def summary(evening: Evening, people: People) -> list[Text]:
    """Return an evening line by line: the day, the games, then one or two highlights.

    Hidden people are named among the players, but in no highlight.
    """
    day = Text(N_("{day}: {games}"), day=date_of(evening.day), games=extent(evening))
    return [day, *(_game(result, people) for result in evening.results), *highlights(evening, people)]


def highlights(evening: Evening, people: People) -> list[Text]:
    """Return one or two highlights of an evening; none if nothing stands out."""
    return [*islice(_highlights(evening, people), 2)]


def extent(evening: Evening) -> Text:
    """Return how many games an evening had, and how long they took."""
    count, seconds = len(evening.results), sum(result.seconds for result in evening.results)
    games = Text(NN_("{count} game", "{count} games"), count=count)
    return Text(N_("{games}, {time}"), games=games, time=duration(seconds)) if seconds else games


def _game(result: GameResult, people: People) -> Text:
    names, lost, ahead = people.names(result), losers(result), margin(result)
    scores = [(" + ".join(names[seat] for seat in side.seats), side.points) for side in by_side(result)]
    said = {"game": title_text(result.game), "scores": listed(f"{who} {figure(points)}" for who, points in scores)}
    if ended_level(result):
        return Text(N_("{game}: ended early ({scores})"), **said)
    winners = _together([names[seat] for seat in result.winners])
    if result.ended_early:
        return Text(N_("{game}: {winners} ahead, ended early ({scores})"), winners=winners, **said)
    if lost:
        return Text(N_("{game}: {losers} lost ({scores})"), losers=_together([names[seat] for seat in lost]), **said)
    if nobody_won(result):
        return Text(N_("{game}: nobody won ({scores})"), **said)
    if ahead:
        return Text(N_("{game}: {winners} won by {points} ({scores})"), winners=winners, points=ahead, **said)
    return Text(N_("{game}: {winners} won ({scores})"), winners=winners, **said)


def _highlights(evening: Evening, people: People) -> Iterator[Text]:
    """Yield the highlights, the most important first."""
    results = counted(evening.results)
    names = people.called(results)
    wins = dict[str, int]()
    counts = dict[tuple[str, str], dict[str, int]]()
    for result in results:
        for seat, person in enumerate(people.of(result)):
            if not people.hides(person):
                wins[person] = wins.get(person, 0) + (seat in result.winners)
        for action in _remarkable(result):
            did = counts.setdefault(action, {})
            for made in makers(result):
                person = people.of_name(made.name, result)
                if not people.hides(person):
                    names.setdefault(person, people.now(made.name, result.number))
                    did[person] = did.get(person, 0) + made.counts[action[0]]
    count = len(results)
    most = max(wins.values(), default=0)
    if count > 1 and most > 1:
        best = _together([names[person] for person, won in wins.items() if won == most])
        yield Text(N_("Most wins: {names}, {won} of {count}"), names=best, won=most, count=count)
    close = [(points, place) for place, result in enumerate(results) if (points := margin(result)) is not None]
    if count > 1 and close:
        points, place = min(close)
        title = title_text(results[place].game)
        by = Text(N_("Closest game: {game}, by {points}"), game=title, points=points)
        yield by if points else Text(N_("Closest game: {game}, a tie"), game=title)
    for (_what, template), did in counts.items():
        most = max(did.values(), default=0)
        if most >= MIN_COUNT:
            doers = _together([names[person] for person, times in did.items() if times == most])
            yield Text(template, names=doers, count=most)


def _remarkable(result: GameResult) -> list[tuple[str, str]]:
    """Return the remarkable actions that were counted in a game, each with the template of its sentence."""
    declared = GAMES[result.game].optional.remarkable if result.game in GAMES else {}
    return [each for each in declared.items() if each[0] in result.counts]


def _together(names: Sequence[str]) -> Text | str:
    """Return names as people say them: Ann, Bo and Cyr."""
    if len(names) < 2:
        return "".join(names)
    return Text(N_("{names} and {last}"), names=listed(names[:-1]), last=names[-1])
