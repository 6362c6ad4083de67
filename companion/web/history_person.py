"""A person's page: figures over all games and over each kind, best and worst, counted actions, head to head."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.text import N_, NC_, Text
from companion.gamelog import name_key
from companion.games import GAMES
from companion.history.ratings import Ratings
from companion.history.statistics import GameFigures, PersonFigures, PersonStatistics, PointRecord, statistics

from .history_lists import EARLY, HistoryRequest, similar_names
from .history_markup import (
    ROOT,
    STEPS_ANCHOR,
    Link,
    PageNotFoundError,
    PageWriter,
    by_day,
    game_paths,
    person_link,
    person_path,
    with_query,
)
from .history_worker import OpenHistory

LATEST = 5  # the latest games that are listed
COUNTED, NOT_COUNTED = N_("Count games ended early, too"), N_("Do not count games ended early")


def person_page(opened: OpenHistory, request: HistoryRequest) -> str:
    """Return a person's page; raise PageNotFoundError if the person has finished no game."""
    name = request.named
    writer = PageWriter(request.language, faces=opened.faces())
    found = statistics(opened.counted(ended_early=request.early), opened.people, name)
    early = any(result.ended_early and name_key(name) in opened.persons.of(result) for result in opened.results)
    other = None if request.early else "1"
    switch = Link(
        writer.say(NOT_COUNTED if request.early else COUNTED), with_query(person_path(name), **{EARLY: other})
    )
    if found is None:
        text = Text(N_("Nobody called {name} has finished a game."), name=name)
        raise PageNotFoundError(404, text, [switch] if early else similar_names(opened, name))
    figures = _Figures(writer, opened, found, opened.ratings(ended_early=request.early))
    latest = set(found.overall.games[-LATEST:])
    return writer.page(
        "person",
        found.name,
        left_out=opened.unreadable,
        early=switch if early else None,
        kinds=[figures.overall(), *(figures.of_kind(game, each) for game, each in found.by_game.items())],
        met=[
            (person_link(each.other), len(each.ahead), len(each.behind), len(each.level)) for each in found.head_to_head
        ],
        latest=by_day(writer, opened, [result for result in reversed(opened.results) if result.name in latest]),
        all_games=Link(writer.say(N_("All games of {name}"), name=found.name), with_query(ROOT, person=found.name)),
    )


class _Figures:
    """Puts the figures of a person into words, as values of the template."""

    def __init__(self, writer: PageWriter, opened: OpenHistory, found: PersonStatistics, ratings: Ratings) -> None:
        self._writer = writer
        self._ratings = ratings
        self._found = found
        self._results = {result.name: result for result in opened.results}
        self._paths = game_paths(opened.results)

    def overall(self) -> dict[str, object]:
        figures = self._found.overall
        return {
            "title": self._writer.say(N_("All games")),
            "facts": list(self._facts(figures)),
            "points": [],
            "counts": [],
        }

    def of_kind(self, game: str, figures: GameFigures) -> dict[str, object]:
        return {
            "title": self._writer.title(game),
            "facts": list(self._facts(figures, game)),
            "points": list(self._points(figures)),
            "counts": list(self._counts(game, figures)),
        }

    def _facts(self, figures: PersonFigures, game: str | None = None) -> Iterator[tuple[str, Link]]:
        writer, say, last = self._writer, self._writer.say, figures.games[-1]
        rating = self._ratings.after(last, name_key(self._found.name), one_game=game is not None).displayed
        played = with_query(ROOT, person=self._found.name, game=game)
        yield say(N_("Games")), Link(str(len(figures.games)), played)
        yield say(NC_("games", "Won")), Link(f"{len(figures.won)} ({writer.percent(figures.win_rate)})", None)
        yield say(N_("Rank share")), Link(writer.percent(figures.rank_share), None)
        if rating is not None:
            yield say(N_("Rating")), Link(str(rating), None)
        yield say(N_("Wins in a row")), self._run(figures.streak)
        yield say(N_("Most wins in a row")), self._run(figures.longest_streak)
        rate = figures.starter_win_rate
        if rate is not None:
            counted = say(N_("{part} of {whole}"), part=len(figures.won_as_starter), whole=len(figures.started))
            yield say(N_("Won as starter")), Link(f"{counted} ({writer.percent(rate)})", None)
        if figures.seconds:
            yield say(N_("Time played")), Link(writer.duration(figures.seconds), None)
        if date_and_time := writer.date_and_time(figures.last):
            yield say(N_("Last game")), Link(date_and_time, self._paths.get(last))

    def _run(self, games: tuple[str, ...]) -> Link:
        """Return the length of a row of wins, with a link to the last of them."""
        return Link(str(len(games)), self._paths.get(games[-1]) if games else None)

    def _points(self, figures: GameFigures) -> Iterator[tuple[str, int, Link]]:
        rows = (
            (N_("Best game"), figures.best_game),
            (N_("Worst game"), figures.worst_game),
            (N_("Best round"), figures.best_round),
            (N_("Worst round"), figures.worst_round),
        )
        for label, points in rows:
            if points is not None:
                yield self._writer.say(label), points.points, self._where(points)

    def _where(self, points: PointRecord) -> Link:
        """Return a link to a game, or to the end of a round in it."""
        words, path = self._writer.when(self._results[points.game]), self._paths.get(points.game)
        if points.round is None:
            return Link(words, path)
        words = f"{words}, {self._writer.say(N_('round {round}'), round=points.round)}"
        return Link(words, None if path is None else f"{with_query(path, round=points.round)}{STEPS_ANCHOR}")

    def _counts(self, game: str, figures: GameFigures) -> Iterator[tuple[str, int, str]]:
        names = GAMES[game].optional.action_names if game in GAMES else {}
        for what, name in names.items():
            if what in figures.counts:
                counted = figures.counts[what]
                yield self._writer.words(name), counted.total, self._writer.decimal(counted.mean)
