"""A person's page: four large figures, the course of rating and rank share, head to head, records, kinds of games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from companion.core.text import N_, NC_, Text
from companion.gamelog import name_key
from companion.games import GAMES
from companion.history.chart import round_figures
from companion.history.days import day_of
from companion.history.plot import Band, Line, plot
from companion.history.progress import RECENT, ProgressPoint, progress
from companion.history.ratings import Ratings
from companion.history.results import GameResult
from companion.history.selection import Selection, select
from companion.history.sides import margin
from companion.history.statistics import (
    HeadToHead,
    PersonFigures,
    PersonStatistics,
    PointRecord,
    statistics,
)

from .history_lists import (
    EARLY,
    NOT_COUNTED,
    HistoryRequest,
    chosen_games,
    ended_early,
    query_of,
    similar_names,
)
from .history_markup import (
    ROOT,
    STEPS_ANCHOR,
    GameLine,
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
MOST_MET = 25  # the most others that somebody is compared with
LEAST_MOMENTS = 3  # moments that make a course
RATING, SHARE = N_("Rating"), N_("Rank share")


def person_page(opened: OpenHistory, request: HistoryRequest) -> str:
    """Return a person's page; raise PageNotFoundError if the person has finished no game."""
    name, key = request.named, name_key(request.named)
    writer = PageWriter(request.language, faces=opened.faces())
    selection, bar = chosen_games(writer, opened, request, action=f"{ROOT}/people", field="name")
    selection = Selection(selection.game, selection.since, selection.until)
    counted = opened.counted(ended_early=request.early)
    chosen = select(counted, selection, opened.people) if selection != Selection() else counted
    found = statistics(chosen, opened.people, name)
    own = [result for result in select(opened.results, selection, opened.people) if key in opened.persons.of(result)]
    early = ended_early(writer, request, own, person_path(name), **query_of(selection))
    shown = _called(opened, opened.results, key) if found is None else found.name
    if shown is None:
        text = Text(N_("Nobody called {name} has finished a game."), name=name)
        raise PageNotFoundError(404, text, similar_names(opened, name))
    figures = None if found is None else _Figures(writer, opened, request, found, selection)
    return writer.page(
        "person",
        shown,
        left_out=opened.unreadable,
        bar=bar | {"person": shown},
        early=early,
        figures=figures,
    )


def _called(opened: OpenHistory, results: Sequence[GameResult], person: str) -> str | None:
    """Return the current name of a person who played one of some games; None if there is none."""
    names = (opened.persons.called([result]) for result in reversed(results) if person in opened.persons.of(result))
    return next(names, {}).get(person)


class Big(Struct, frozen=True):
    """One of the large figures at the top of a page."""

    name: str
    value: str
    more: Link | None = None  # what stands below it


class _Figures:
    """Puts the figures of a person into words, as values of the template."""

    def __init__(
        self,
        writer: PageWriter,
        opened: OpenHistory,
        request: HistoryRequest,
        found: PersonStatistics,
        selection: Selection,
    ) -> None:
        self._writer = writer
        self._opened = opened
        self._found = found
        self._selection = selection
        self._early = None if request.early else NOT_COUNTED
        self._ratings: Ratings = opened.ratings(ended_early=request.early)
        self._results = {result.name: result for result in opened.results}
        self._paths = game_paths(opened.results)
        self._key = name_key(found.name)
        self._kind = next(iter(found.by_game)) if len(found.by_game) == 1 else None  # the only kind of game
        self._of_kind = None if self._kind is None else found.by_game[self._kind]
        self._figures: PersonFigures = found.overall

    @property
    def _one_game(self) -> bool:
        return self._selection.game is not None

    def _rating(self, game: str, *, one_game: bool) -> int | None:
        """Return the rating after a game, in its kind or over all; None before it is shown."""
        return self._ratings.after(game, self._key, one_game=one_game).displayed

    def big(self) -> Iterator[Big]:
        """Yield the four large figures."""
        say, figures, writer = self._writer.say, self._figures, self._writer
        counted = say(N_("{part} of {whole}"), part=len(figures.won), whole=len(figures.games))
        rating = self._rating(figures.games[-1], one_game=self._one_game)
        yield Big(say(N_("Games")), str(len(figures.games)), self.all_games())
        yield Big(say(NC_("games", "Won")), writer.percent(figures.win_rate), Link(counted, None))
        if rating is None:
            yield Big(say(SHARE), writer.percent(figures.rank_share))
        else:
            share = say(N_("Rank share {share}"), share=writer.percent(figures.rank_share))
            yield Big(say(RATING), str(rating), Link(share, None))
        yield Big(say(N_("Most wins in a row")), str(len(figures.longest_streak)), self._run(figures.longest_streak))

    def facts(self) -> Iterator[tuple[str, Link]]:
        """Yield the other figures."""
        writer, say, figures = self._writer, self._writer.say, self._figures
        yield say(N_("Wins in a row")), Link(str(len(figures.streak)), None)
        rate = figures.starter_win_rate
        if rate is not None:
            counted = say(N_("{part} of {whole}"), part=len(figures.won_as_starter), whole=len(figures.started))
            yield say(N_("Won as starter")), Link(f"{counted} ({writer.percent(rate)})", None)
        if figures.seconds:
            yield say(N_("Time played")), Link(writer.duration(figures.seconds), None)
        if date_and_time := writer.date_and_time(figures.last):
            yield say(N_("Last game")), Link(date_and_time, self._paths.get(figures.games[-1]))

    def form(self) -> list[bool]:
        """Return whether the latest games were won, the latest last."""
        won = set(self._figures.won)
        return [game in won for game in self._figures.games[-2 * RECENT :]]

    # The course

    def moments(self) -> Sequence[ProgressPoint]:
        """Return where the person stood from game to game; none if they are too few for a course."""
        found = progress(
            self._figures.games,
            self._results,
            self._opened.persons,
            self._key,
            self._ratings,
            one_game=self._one_game,
        )
        found = [each for each in found if each.share is not None or each.rating is not None]
        return found if len(found) >= LEAST_MOMENTS else ()

    def course_title(self, moments: Sequence[ProgressPoint]) -> str:
        """Return what the chart of the course shows."""
        rated = sum(each.rating is not None for each in moments) > 1
        return self._writer.say(N_("Rating and rank share over time") if rated else N_("Rank share over time"))

    def rows(self, moments: Sequence[ProgressPoint]) -> list[tuple[Link, str, str]]:
        """Return the course as a table: the day, the rating and the rank share."""
        return [
            (
                Link(self._day(self._results[each.game]), self._paths.get(each.game)),
                "–" if each.rating is None else str(each.rating),
                self._writer.percent(each.share),
            )
            for each in moments
        ]

    def course(self, moments: Sequence[ProgressPoint]) -> Markup:
        """Return the course as a chart: the rating above, the rank share below."""
        say, rows = self._writer.say, self.rows(moments)
        at, ratings, shares = ([row[0].words for row in rows], [row[1] for row in rows], [row[2] for row in rows])
        [colour] = self._opened.faces().colours([self._found.name])
        known = [each.rating for each in moments if each.rating is not None]
        bands = []
        if len(known) > 1:
            scale = tuple((figure, str(figure)) for figure in round_figures(min(known), max(known)))
            line = Line(say(RATING), tuple(each.rating for each in moments), tuple(ratings), 0, colour)
            bands.append(Band((line,), scale, 3, 62))
        percents = tuple((each / 100, self._writer.percent(each / 100)) for each in (0, 50, 100))
        line = Line(say(SHARE), tuple(each.share for each in moments), tuple(shares), 1, colour)
        bands.append(Band((line,), percents, 72 if bands else 3, 97))
        return Markup(plot(bands, at, self.course_title(moments)))  # it escapes its texts

    def _day(self, result: GameResult) -> str:
        day = day_of(result)
        return self._writer.when(result) if day is None else self._writer.day(day)

    # Head to head, records, kinds

    def met(self) -> Sequence[HeadToHead]:
        return self._found.head_to_head[:MOST_MET]

    def person(self, name: str) -> Link:
        return person_link(name)

    def latest(self) -> list[tuple[Link, list[GameLine]]]:
        """Return the latest games, by day."""
        names = self._figures.games[: -LATEST - 1 : -1]
        return by_day(self._writer, self._opened, [self._results[name] for name in names])

    def all_games(self) -> Link:
        """Return the link to the list of these games; the list may have more than count, which is said."""
        name, say = self._found.name, self._writer.say
        listed = len(select(self._opened.results, replace(self._selection, person=name), self._opened.people))
        words = say(N_("All games of {name}"), name=name)
        if listed != len(self._figures.games):
            words = say(N_("All games of {name}: {count}"), name=name, count=listed)
        return Link(words, with_query(ROOT, **query_of(self._selection) | {"person": name}))

    def _run(self, games: tuple[str, ...]) -> Link | None:
        """Return when a row of wins ended, with a link to its last game."""
        return self._link(games[-1]) if games else None

    def records(self) -> Iterator[Big]:
        """Yield the records, each with its game."""
        say, figures = self._writer.say, self._of_kind
        if figures is not None:
            for label, points in (
                (N_("Best game"), figures.best_game),
                (N_("Worst game"), figures.worst_game),
                (N_("Best round"), figures.best_round),
                (N_("Worst round"), figures.worst_round),
            ):
                if points is not None:
                    yield Big(say(label), self._writer.figure(points.points), self._where(points))
            margins = [(ahead, game) for game in figures.won if (ahead := margin(self._results[game]))]
            if margins:
                ahead, game = min(margins, key=itemgetter(0))
                yield Big(say(N_("Closest win")), say(N_("by {points}"), points=ahead), self._link(game))
        yield from self._records_of_all()

    def _records_of_all(self) -> Iterator[Big]:
        """Yield the records that all kinds of games share: the best rating, the longest game."""
        say, games = self._writer.say, self._figures.games
        ratings = [(rating, game) for game in games if (rating := self._rating(game, one_game=self._one_game))]
        if ratings:
            rating, game = max(ratings, key=itemgetter(0))
            yield Big(say(N_("Best rating")), str(rating), self._link(game))
        longest = max(games, key=lambda game: self._results[game].seconds)
        if seconds := self._results[longest].seconds:
            yield Big(say(N_("Longest game")), self._writer.duration(seconds), self._link(longest))

    def _link(self, game: str) -> Link:
        return Link(self._writer.when(self._results[game]), self._paths.get(game))

    def _where(self, points: PointRecord) -> Link:
        """Return a link to a game, or to the end of a round in it."""
        whole = self._link(points.game)
        if points.round is None:
            return whole
        words = f"{whole.words}, {self._writer.say(N_('round {round}'), round=points.round)}"
        path = None if whole.path is None else f"{with_query(whole.path, round=points.round)}{STEPS_ANCHOR}"
        return Link(words, path)

    def kinds(self) -> Iterator[tuple[Link, int, str, str, str]]:
        """Yield each kind of game with its figures, and a link to more of it; none if there is one only."""
        for game, figures in self._found.by_game.items() if self._kind is None else ():
            query = query_of(self._selection) | {"game": game, EARLY: self._early}
            rating = self._rating(figures.games[-1], one_game=True)
            yield (
                Link(self._writer.title(game), with_query(person_path(self._found.name), **query)),
                len(figures.games),
                self._writer.percent(figures.win_rate),
                self._writer.percent(figures.rank_share),
                "–" if rating is None else str(rating),
            )

    def counts(self) -> Iterator[tuple[str, int, str]]:
        """Yield each counted action with its amount in all games and in one, if there is one kind of game."""
        figures, kind = self._of_kind, self._kind
        if figures is None or kind is None or kind not in GAMES:
            return
        for what, name in GAMES[kind].optional.action_names.items():
            if what in figures.counts:
                counted = figures.counts[what]
                yield self._writer.words(name), counted.total, self._writer.decimal(counted.mean)
