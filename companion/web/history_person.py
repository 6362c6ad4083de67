"""A person's page: figures over all games and over each kind, best and worst, deeds, head to head."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from companion.core.text import Text
from companion.gamelog import name_key
from companion.games import GAMES
from companion.history.statistics import (
    GameFigures,
    HeadToHead,
    PersonFigures,
    PersonStatistics,
    PointRecord,
    statistics,
)

from .history_lists import HistoryRequest, near_people
from .history_markup import ROOT, Link, PageNotFoundError, PageWriter, by_day, game_paths, person_path, with_query
from .history_texts import NO_PERSON
from .history_worker import OpenHistory

LATEST = 5
"""The latest games that are listed."""


class FigureTexts(Struct, frozen=True):
    """The figures of a person over some games, in words.

    Attributes:
        title: The kind of game.
        facts: Names and values.
        points: The best and worst game and round: what it is, the points, and where.
        deeds: The name, the total and the mean of each deed.
    """

    title: str
    facts: tuple[tuple[str, Link], ...]
    points: tuple[tuple[str, int, Link], ...] = ()
    deeds: tuple[tuple[str, int, str], ...] = ()


def person_page(opened: OpenHistory, asked: HistoryRequest) -> str:
    """Return a person's page.

    Raises:
        PageNotFoundError: The person has finished no game.
    """
    name = asked.named
    found = statistics(opened.results, opened.people, name)
    if found is None:
        raise PageNotFoundError(404, Text(NO_PERSON, name=name), near_people(opened, name))
    writer = PageWriter(asked.language)
    figures = _Figures(writer, opened, found)
    latest = set(found.overall.games[-LATEST:])
    return writer.page(
        "person",
        found.name,
        left_out=opened.unreadable,
        overall=figures.overall(),
        kinds=[figures.of_kind(game, each) for game, each in found.by_game.items()],
        met=[_met(each) for each in found.head_to_head],
        latest=by_day(writer, opened, [result for result in reversed(opened.results) if result.name in latest]),
        all_games=Link(writer.say("all-of", name=found.name), with_query(ROOT, person=found.name)),
    )


def _met(each: HeadToHead) -> tuple[Link, int, int, int]:
    return Link(each.other, person_path(each.other)), len(each.ahead), len(each.behind), len(each.level)


class _Figures:
    """Puts the figures of a person into words."""

    def __init__(self, writer: PageWriter, opened: OpenHistory, found: PersonStatistics) -> None:
        self._writer = writer
        self._opened = opened
        self._found = found
        self._key = name_key(found.name)
        self._results = {result.name: result for result in opened.results}
        self._paths = game_paths(opened.results)

    def overall(self) -> FigureTexts:
        figures = self._found.overall
        rating = self._opened.ratings.after(figures.games[-1], self._key).shown
        return FigureTexts(self._writer.say("all-games"), tuple(self._facts(figures, rating)))

    def of_kind(self, game: str, figures: GameFigures) -> FigureTexts:
        rating = self._opened.ratings.after(figures.games[-1], self._key, one_game=True).shown
        return FigureTexts(
            self._writer.title(game),
            tuple(self._facts(figures, rating, game)),
            tuple(self._points(figures)),
            tuple(self._deeds(game, figures)),
        )

    def _facts(self, figures: PersonFigures, rating: int | None, game: str | None = None) -> Iterator[tuple[str, Link]]:
        writer, say = self._writer, self._writer.say
        played = with_query(ROOT, person=self._found.name, game=game)
        yield say("played"), Link(str(len(figures.games)), played)
        yield say("won"), Link(f"{len(figures.won)} ({writer.percent(figures.win_rate)})", None)
        yield say("rank-share"), Link(writer.percent(figures.rank_share), None)
        if rating is not None:
            yield say("rating"), Link(str(rating), None)
        yield say("streak"), self._run(figures.streak)
        yield say("longest-streak"), self._run(figures.longest_streak)
        rate = figures.starter_win_rate
        if rate is not None:
            counted = say("of", part=len(figures.won_as_starter), whole=len(figures.started))
            yield say("as-starter"), Link(f"{counted} ({writer.percent(rate)})", None)
        if figures.seconds:
            yield say("time"), Link(writer.duration(figures.seconds), None)
        if moment := writer.moment(figures.last):
            yield say("last-game"), Link(moment, self._paths.get(figures.games[-1]))

    def _run(self, games: tuple[str, ...]) -> Link:
        """Return the length of a row of wins, with a link to the last of them."""
        return Link(str(len(games)), self._paths.get(games[-1]) if games else None)

    def _points(self, figures: GameFigures) -> Iterator[tuple[str, int, Link]]:
        rows = (
            ("best-game", figures.best_game),
            ("worst-game", figures.worst_game),
            ("best-round", figures.best_round),
            ("worst-round", figures.worst_round),
        )
        for name, points in rows:
            if points is not None:
                yield self._writer.say(name), points.points, self._where(points)

    def _where(self, points: PointRecord) -> Link:
        """Return a link to a game, or to the end of a round in it."""
        result, say = self._results[points.game], self._writer.say
        words = self._writer.when(result)
        path = self._paths.get(points.game)
        if points.round is None:
            return Link(words, path)
        words = f"{words}, {say('round', round=points.round)}"
        return Link(words, None if path is None else f"{with_query(path, round=points.round)}#steps")

    def _deeds(self, game: str, figures: GameFigures) -> Iterator[tuple[str, int, str]]:
        names = GAMES[game].optional.deed_names if game in GAMES else {}
        for what, name in names.items():
            if what in figures.deeds:
                deed = figures.deeds[what]
                yield self._writer.words(name), deed.total, self._writer.decimal(deed.mean)
