"""Reports: the figures of people and of games in words, made once for the panel, the pages and the commands.

A report has its figures by name. Who shows it chooses some and lays them out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter

from msgspec import Struct

from companion.core.text import N_, NC_, Text
from companion.gamelog import name_key
from companion.games import GAMES

from .days import date_and_time, duration
from .renamed_and_hidden import People
from .results import GameResult, figure, margin
from .statistics import (
    GameFigures,
    Games,
    HeadToHead,
    LeagueRow,
    PersonFigures,
    PersonStatistics,
    Played,
    PointRecord,
    Ratings,
    Record,
    Records,
    statistics,
)


class Figure(Struct, frozen=True):
    """A figure in words, and the games it is from."""

    label: Text
    value: Text  # `UNKNOWN` if it is not known
    games: Games = ()  # the games it counts, oldest first
    more: Text | None = None  # what it is of: 5 of 8
    at: str | None = None  # the game in which it was made
    round: int | None = None  # the number of the round of that game, from 1
    people: tuple[str, ...] = ()  # the current names of those who hold it

    @property
    def is_known(self) -> bool:
        return self.value is not UNKNOWN


UNKNOWN = Text("–")
Figures = dict[str, Figure]
"""Figures by their names."""


class KindReport(Struct, frozen=True):
    """A person's figures in games of one kind."""

    figures: Figures
    records: Figures  # the best and the worst
    actions: Figures  # the counted actions: the amount, and the mean of a game as ``more``


class PersonReport(Struct, frozen=True):
    """Everything about a person in words, and the numbers that it is made of."""

    statistics: PersonStatistics
    rating: int | None  # the rating that the figures show; None until it is shown
    by_game: dict[str, int | None]  # the rating in each kind of game
    figures: Figures  # over all games
    records: Figures  # those that all kinds of games share
    kinds: dict[str, KindReport]  # by kind of game, the most played first
    others: dict[str, Figures]  # how often the person was ahead of somebody, behind or level, by the other's name


def person_report(
    results: Sequence[GameResult], people: People, person: str, ratings: Ratings, *, one_game: bool = False
) -> PersonReport | None:
    """Return the report about a person over some games, oldest first; None if the person played none of them.

    ``one_game`` is whether the rating to be shown is that in one kind of game, not that over all.
    """
    found = statistics(results, people, person)
    if found is None:
        return None
    key, overall = name_key(found.name), found.overall

    def rating(game: str, *, one_game: bool = one_game) -> int | None:
        return ratings.after(game, key, one_game=one_game).displayed

    last = rating(overall.games[-1])
    by_game = {kind: rating(each.games[-1], one_game=True) for kind, each in found.by_game.items()}
    rated = [(shown, game) for game in overall.games if (shown := rating(game))]
    timed = [(each.result.seconds, each.result.name) for each in found.played if each.result.seconds]
    shared = {
        "best rating": _record(N_("Best rating"), max, rated, number),
        "longest game": _record(N_("Longest game"), max, timed, duration),
    }
    return PersonReport(
        found,
        last,
        by_game,
        person_figures(overall, last),
        _known(shared),
        {kind: _kind_report(kind, each, by_game[kind], found.played) for kind, each in found.by_game.items()},
        {each.other: _compared(each) for each in found.head_to_head},
    )


def standing(of: PersonFigures | LeagueRow, rating: int | None) -> Figures:
    """Return the figures by which people are compared."""
    share = percent(of.rank_share)
    rank_share = Text(N_("Rank share {share}"), share=share)
    return {
        "games": Figure(Text(N_("Games")), number(len(of.games)), of.games),
        "won": Figure(Text(NC_("games", "Won")), number(len(of.won)), of.won),
        "win rate": Figure(Text(N_("Win rate")), percent(of.win_rate), of.won, _part(of.won, of.games)),
        "rank share": Figure(Text(N_("Rank share")), share, of.games),
        "rating": Figure(Text(N_("Rating")), number(rating), of.games, rank_share),
    }


def person_figures(of: PersonFigures, rating: int | None) -> Figures:
    """Return the figures of a person: those of `standing`, then streaks, starts, times."""
    longest, streak, last = of.longest_streak, of.streak, date_and_time(of.last)
    run = longest[-1] if longest else None
    started = _part(of.won_as_starter, of.started) if of.started else None
    time = duration(of.seconds) if of.seconds else UNKNOWN
    return standing(of, rating) | {
        "longest streak": Figure(Text(N_("Most wins in a row")), number(len(longest)), longest, at=run),
        "streak": Figure(Text(N_("Wins in a row")), number(len(streak)), streak),
        "started": Figure(Text(N_("Won as starter")), started or UNKNOWN, of.started, percent(of.starter_win_rate)),
        "time": Figure(Text(N_("Time played")), time, of.games),
        "last": Figure(Text(N_("Last game")), last or UNKNOWN, of.games[-1:], at=of.games[-1]),
    }


def _kind_report(kind: str, of: GameFigures, rating: int | None, played: Sequence[Played]) -> KindReport:
    won = (each.result for each in played if each.won and each.result.game == kind)
    margins = [(ahead, result.name) for result in won if (ahead := margin(result))]
    records = {
        "best game": _points(N_("Best game"), of.best_game),
        "worst game": _points(N_("Worst game"), of.worst_game),
        "best round": _points(N_("Best round"), of.best_round),
        "worst round": _points(N_("Worst round"), of.worst_round),
        "closest win": _record(N_("Closest win"), min, margins, by),
    }
    names = GAMES[kind].optional.action_names if kind in GAMES else {}
    actions = {
        what: Figure(label, number(total.total), total.games, decimal(total.mean))
        for what, label in names.items()
        if (total := of.counts.get(what)) is not None
    }
    return KindReport(person_figures(of, rating), _known(records), actions)


def _compared(each: HeadToHead) -> Figures:
    compared = (
        ("ahead", N_("Ahead"), each.ahead),
        ("behind", N_("Behind"), each.behind),
        ("level", N_("Level"), each.level),
    )
    return {name: Figure(Text(label), number(len(games)), games) for name, label, games in compared}


def record_figures(best: Records) -> Figures:
    """Return the records of one kind of game, with who holds them."""
    records: Iterable[tuple[str, Record | None, Callable[[float], Text]]] = (
        (N_("Highest score"), best.highest, points),
        (N_("Lowest score"), best.lowest, points),
        (N_("Longest game"), best.longest, duration),
        (N_("Closest win"), best.closest, by),
    )
    return {
        label: Figure(Text(label), words(each.value), (each.game,), at=each.game, people=each.names)
        for label, each, words in records
        if each is not None
    }


def _record(
    label: str,
    best: Callable[..., tuple[float, str]],
    made: Sequence[tuple[float, str]],
    words: Callable[[float], Text],
) -> Figure | None:
    """Return the best of what was made in some games; None if there is nothing."""
    if not made:
        return None
    value, game = best(made, key=itemgetter(0))
    return Figure(Text(label), words(value), (game,), at=game)


def _points(label: str, made: PointRecord | None) -> Figure | None:
    if made is None:
        return None
    return Figure(Text(label), points(made.points), (made.game,), at=made.game, round=made.round)


def _known(figures: dict[str, Figure | None]) -> Figures:
    return {name: each for name, each in figures.items() if each is not None}


# Values in words


def _part(some: Sequence[str], every: Sequence[str]) -> Text:
    return Text(N_("{part} of {whole}"), part=len(some), whole=len(every))


def number(count: float | None) -> Text:
    return UNKNOWN if count is None else Text("{count}", count=count)


def points(value: float) -> Text:
    """Return points, with a true minus sign."""
    return Text("{points}", points=figure(round(value)))


def percent(share: float | None) -> Text:
    return UNKNOWN if share is None else Text(N_("{share}%"), share=round(100 * share))


def decimal(value: float, digits: int = 1) -> Text:
    """Return a number with decimals."""
    whole, _point, part = f"{value:.{digits}f}".partition(".")
    return Text(N_("{whole}.{part}"), whole=whole, part=part)


def by(value: float) -> Text:
    """Return the points between the winners and the next."""
    return Text(N_("by {points}"), points=round(value)) if value else Text(N_("a tie"))


def when(result: GameResult) -> Text:
    """Return when a game was played; its number if that is not known."""
    begun = date_and_time(result.begun)
    if begun is None:
        return Text(N_("Game {number}"), number=result.number) if result.number else Text(N_("imported"))
    return begun
