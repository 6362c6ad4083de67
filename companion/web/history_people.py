"""The pages about people: their list, the league table, a person."""

from __future__ import annotations

from collections import Counter

from markupsafe import Markup
from msgspec.structs import replace

from companion.core.text import N_, Text
from companion.gamelog import name_key
from companion.history.chart import Band, Line, plot, round_figures
from companion.history.days import day_of
from companion.history.reports import (
    Figure,
    PersonReport,
    number,
    percent,
    person_report,
    record_figures,
    standing,
    when,
)
from companion.history.selection import Selection, counted, select, title_text
from companion.history.statistics import LEAST, RECENT, ProgressPoint, league, progress, records

from .history_lists import EARLY, NOT_COUNTED, HistoryRequest, chosen_games, ended_early, query_of
from .history_markup import (
    Link,
    PageNotFoundError,
    PageWriter,
    by_day,
    made_at,
    person_link,
    person_path,
    short_day,
    with_query,
)
from .history_worker import ROOT, OpenHistory

LATEST = 5  # the latest games that are listed
MOST_MET = 25  # the most others that somebody is compared with
LEAST_MOMENTS = 3  # moments that make a course
LARGE = ("games", "win rate", "rating", "longest streak")  # the large figures at the top of a person's page
FACTS = ("streak", "started", "time", "last")
BY_KIND = ("games", "win rate", "rank share", "rating")
BY_PLACE = ("rank share", "games", "won", "win rate", "rating")


def people_page(opened: OpenHistory, request: HistoryRequest) -> str:
    """Return the list of people, those who played most first."""
    every = opened.counted(ended_early=request.early)
    names, played = (
        opened.people.visible(every),
        Counter(person for each in every for person in opened.people.of(each)),
    )
    return PageWriter(request.language, opened).page(
        "people",
        Text(N_("People")),
        people=[(names[person], played[person]) for person in sorted(names, key=lambda each: (-played[each], each))],
        any=bool(opened.results),
        hidden=bool(played),
        early=ended_early(request, opened.results, request.path),
    )


def league_page(opened: OpenHistory, request: HistoryRequest) -> str:
    """Return the league table of a season, with the records if it is of one kind of game."""
    writer = PageWriter(request.language, opened)
    named = request.query.get("least") or LEAST
    selection, bar = chosen_games(writer, opened, request, field=None, least=named)
    of_all = select(opened.results, selection, opened.people)
    found = counted(of_all, ended_early=request.early)
    least, ratings = max(1, request.number("least") or LEAST), opened.ratings(ended_early=request.early)
    chosen = query_of(selection) | {"least": request.query.get("least")}
    rows = league(found, opened.people, ratings, one_game=selection.game is not None, least=least)
    best = {} if selection.game is None else record_figures(records(found, opened.people))
    return writer.page(
        "league",
        Text(N_("League table")),
        bar=bar | {"least": least},
        count=len(found),
        early=ended_early(request, of_all, request.path, **chosen),
        shown=BY_PLACE,
        rows=[(row.place or "–", row.name, standing(row, row.rating)) for row in rows],
        below=any(row.place is None for row in rows),
        lowered=bool(rows) and all(len(row.games) < least for row in rows),
        records=[(each, made_at(opened, each)) for each in best.values()],
    )


def similar_names(opened: OpenHistory, name: str) -> list[Link]:
    return list(map(person_link, opened.people.similar(name, opened.results)))


# A person


def person_page(opened: OpenHistory, request: HistoryRequest) -> str:
    """Return a person's page; raise PageNotFoundError if the person has finished no game."""
    name, key = request.named, name_key(request.named)
    writer = PageWriter(request.language, opened)
    selection, bar = chosen_games(writer, opened, request, action=f"{ROOT}/people", field="name")
    selection = replace(selection, person=None)
    listed = select(opened.results, replace(selection, person=name), opened.people)
    ratings, one_game = opened.ratings(ended_early=request.early), selection.game is not None
    found = counted(listed, ended_early=request.early)
    report = person_report(found, opened.people, name, ratings, one_game=one_game)
    early = [each for each in listed if each.ended_early and key in opened.people.of(each)]
    shown = opened.people.called(opened.results).get(key) if report is None else report.statistics.name
    if shown is None:
        text = Text(N_("Nobody called {name} has finished a game."), name=name)
        raise PageNotFoundError(404, text, similar_names(opened, name))
    return writer.page(
        "person",
        shown,
        bar=bar | {"person": shown},
        early=ended_early(request, early, person_path(name), **query_of(selection)),
        **({"large": ()} if report is None else _figures(writer, opened, request, report, selection, len(listed))),
    )


def _figures(
    writer: PageWriter,
    opened: OpenHistory,
    request: HistoryRequest,
    report: PersonReport,
    selection: Selection,
    listed: int,
) -> dict[str, object]:
    """Return the figures of a person, as values of the template; ``listed`` is how many games the list of them has."""
    name, overall = report.statistics.name, report.statistics.overall
    kind = next(iter(report.kinds.values())) if len(report.kinds) == 1 else None
    all_games = Text(N_("All games of {name}"), name=name)
    if listed != len(overall.games):  # the list may have more than count
        all_games = Text(N_("All games of {name}: {count}"), name=name, count=listed)
    to_all = Link(all_games, with_query(ROOT, **query_of(selection) | {"person": name}))
    large = [report.figures[each] for each in LARGE]
    if not large[2].is_known:
        large[2] = report.figures["rank share"]
    won, latest = set(overall.won), overall.games[: -LATEST - 1 : -1]
    query = query_of(selection) | {EARLY: None if request.early else NOT_COUNTED}
    return {
        "large": [(each, to_all if each is large[0] else _below(opened, each)) for each in large],
        "course": _course(writer, opened, request, report, one_game=selection.game is not None),
        "met": list(report.others.items())[:MOST_MET],
        "form": [game in won for game in overall.games[-2 * RECENT :]],
        "facts": [(each, made_at(opened, each)) for fact in FACTS if (each := report.figures[fact]).is_known],
        "records": [
            (each, made_at(opened, each))
            for each in (*(() if kind is None else kind.records.values()), *report.records.values())
        ],
        "counts": () if kind is None else list(kind.actions.values()),
        "by_kind": BY_KIND,
        "kinds": [
            (Link(title_text(game), with_query(person_path(name), **query | {"game": game})), each.figures)
            for game, each in report.kinds.items()
            if kind is None
        ],
        "latest": by_day(opened, [opened.by_name[game] for game in latest]),
        "all_games": to_all,
    }


def _below(opened: OpenHistory, figure: Figure) -> Link | None:
    """Return what stands below a large figure: what it is of, or the game in which it was made."""
    return made_at(opened, figure) if figure.more is None else Link(figure.more)


def _course(
    writer: PageWriter, opened: OpenHistory, request: HistoryRequest, report: PersonReport, *, one_game: bool
) -> dict[str, object] | None:
    """Return the course of rating and rank share: its title, chart and rows; None if it has too few moments."""
    name, ratings = report.statistics.name, opened.ratings(ended_early=request.early)
    moments = progress(report.statistics.played, name_key(name), ratings, one_game=one_game)
    moments = [each for each in moments if each.share is not None or each.rating is not None]
    if len(moments) < LEAST_MOMENTS:
        return None
    known = [each.rating for each in moments if each.rating is not None]
    title = writer.say(N_("Rating and rank share over time") if len(known) > 1 else N_("Rank share over time"))
    rows = [(_day(opened, each), number(each.rating), percent(each.share)) for each in moments]
    at, rated, shares = ([*map(writer.told, column)] for column in zip(*rows, strict=True))
    [colour] = opened.faces().colours([name])
    bands = []
    if len(known) > 1:
        scale = tuple((figure, str(figure)) for figure in round_figures(min(known), max(known)))
        line = Line(writer.say(N_("Rating")), tuple(each.rating for each in moments), tuple(rated), 0, colour)
        bands.append(Band((line,), scale, 3, 62))
    percents = tuple((each / 100, writer.told(percent(each / 100))) for each in (0, 50, 100))
    line = Line(writer.say(N_("Rank share")), tuple(each.share for each in moments), tuple(shares), 1, colour)
    bands.append(Band((line,), percents, 72 if bands else 3, 97))
    links = [Link(day, opened.paths.get(each.game)) for day, each in zip(at, moments, strict=True)]
    chart = Markup(plot(bands, at, title))  # it escapes its texts
    return {"title": title, "chart": chart, "rows": list(zip(links, rated, shares, strict=True))}


def _day(opened: OpenHistory, moment: ProgressPoint) -> Text:
    result = opened.by_name[moment.game]
    day = day_of(result)
    return when(result) if day is None else short_day(day)
