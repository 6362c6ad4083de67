"""The pages that list: games, evenings, an evening, people, the league table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from typing import TypeVar

from msgspec import Struct

from companion.core.text import Text
from companion.gamelog import name_key
from companion.games import GAMES
from companion.history.evenings import evenings, summary
from companion.history.league import LeagueRow, league
from companion.history.records import Record, records
from companion.history.results import GameResult
from companion.history.selection import Selection, select

from .history_markup import (
    ROOT,
    Link,
    PageNotFoundError,
    PageWriter,
    by_day,
    evening_path,
    game_paths,
    person_path,
    with_query,
)
from .history_texts import NO_DATE, NO_EVENING, NO_KIND, NO_NUMBER
from .history_worker import OpenHistory

Item = TypeVar("Item")

ON_A_PAGE = 25
"""Games or evenings on a page of a list."""

NEAR = 3
"""Evenings offered in place of one that there is not."""


class HistoryRequest(Struct, frozen=True):
    """What a request asks for.

    Attributes:
        language: The language of the page.
        path: Its address, without the query.
        named: What its address names: a game, a person, a day; empty if it names nothing.
        query: Its query.
    """

    language: str
    path: str
    named: str = ""
    query: Mapping[str, str] = {}

    def number(self, name: str) -> int | None:
        """Return a number of the query; None if there is none.

        Raises:
            PageNotFoundError: It is no number.
        """
        text = self.query.get(name, "")
        if not text:
            return None
        if not (text.isdecimal() and len(text) < 10):
            raise PageNotFoundError(400, Text(NO_NUMBER, text=text))
        return int(text)


def read_day(text: str) -> date | None:
    """Return a day of the query; None if it is empty.

    Raises:
        PageNotFoundError: It is no day.
    """
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise PageNotFoundError(400, Text(NO_DATE, text=text)) from None


def read_selection(asked: HistoryRequest) -> Selection:
    """Return which games a query asks for.

    Raises:
        PageNotFoundError: A part of it is invalid.
    """
    query = asked.query
    game = query.get("game") or None
    if game is not None and game not in GAMES:
        raise PageNotFoundError(400, Text(NO_KIND, text=game))
    since, until = (read_day(query.get(name, "")) for name in ("since", "until"))
    return Selection(game, since, until, query.get("person", "").strip() or None)


def _of(selection: Selection) -> dict[str, object]:
    return {
        "game": selection.game,
        "person": selection.person,
        "since": selection.since,
        "until": selection.until,
    }


def _filter(writer: PageWriter, opened: OpenHistory, selection: Selection) -> dict[str, object]:
    """Return the values of the form that chooses games."""
    persons = opened.persons
    shown = [name for person, name in persons.called(opened.results).items() if not persons.hides(person)]
    return {
        "chosen": {name: "" if value is None else value for name, value in _of(selection).items()},
        "kinds": [(name, writer.title(name)) for name in GAMES],
        "names": sorted(shown, key=name_key),
    }


def _page_of(
    listed: Sequence[Item], asked: HistoryRequest, chosen: Mapping[str, object]
) -> tuple[Sequence[Item], dict[str, object]]:
    """Return the part of a list that a query asks for, and the values that lead to the other parts.

    Args:
        listed: The list.
        asked: The request.
        chosen: What the query chooses besides the page.
    """
    pages = max(1, -(-len(listed) // ON_A_PAGE))
    number = min(max(1, asked.number("page") or 1), pages)
    first = (number - 1) * ON_A_PAGE
    shown = listed[first : first + ON_A_PAGE]

    def page(to: int) -> str | None:
        return with_query(asked.path, **chosen, page=to) if 1 <= to <= pages else None

    return shown, {
        "part": (first + 1, first + len(shown), len(listed)),
        "newer": page(number - 1),
        "older": page(number + 1),
    }


def games_page(opened: OpenHistory, asked: HistoryRequest) -> str:
    """Return the list of games, newest first."""
    writer, selection = PageWriter(asked.language), read_selection(asked)
    found = select(opened.results, selection, opened.people)[::-1]
    shown, parts = _page_of(found, asked, _of(selection))
    return writer.page(
        "games",
        writer.say("history"),
        left_out=opened.unreadable,
        **_filter(writer, opened, selection),
        **parts,
        any=bool(opened.results),
        groups=by_day(writer, opened, shown),
        downloads=[
            (writer.say(kind), with_query(f"{ROOT}/games.{kind}", **_of(selection)))
            for kind in ("csv", "json", "bgsplay")
        ],
    )


# Evenings


def evenings_page(opened: OpenHistory, asked: HistoryRequest) -> str:
    """Return the list of evenings, newest first."""
    writer = PageWriter(asked.language)
    names, titles = opened.persons.called(opened.results), writer.title
    listed = []
    shown, parts = _page_of(evenings(opened.results)[::-1], asked, {})
    for evening in shown:
        who = dict.fromkeys(person for result in evening.results for person in opened.persons.of(result))
        games = dict.fromkeys(titles(result.game) for result in evening.results)
        link = Link(writer.weekday(evening.day), evening_path(evening.day))
        listed.append((link, len(evening.results), ", ".join(games), ", ".join(names[person] for person in who)))
    return writer.page("evenings", writer.say("evenings"), left_out=opened.unreadable, **parts, evenings=listed)


def evening_page(opened: OpenHistory, asked: HistoryRequest) -> str:
    """Return an evening's page: its summary and its games.

    Raises:
        PageNotFoundError: There is no such evening.
    """
    writer, day = PageWriter(asked.language), read_day(asked.named)
    every = {evening.day: evening for evening in evenings(opened.results)}
    if day is None:
        raise PageNotFoundError(404, Text(NO_DATE, text=""))
    if day not in every:
        near = sorted(sorted(every, key=lambda each: abs(each - day))[:NEAR])
        links = [Link(writer.weekday(each), evening_path(each)) for each in near]
        raise PageNotFoundError(404, Text(NO_EVENING, day=writer.day(day)), links)
    told = summary(every[day], opened.people, writer.words)
    groups = by_day(writer, opened, every[day].results)
    days = sorted(every)
    place = days.index(day)
    return writer.page(
        "evening",
        writer.weekday(day),
        left_out=opened.unreadable,
        told=told,
        lines=told.split("\n"),
        of_day=groups[0].games,
        earlier=Link(writer.day(days[place - 1]), evening_path(days[place - 1])) if place else None,
        later=Link(writer.day(days[place + 1]), evening_path(days[place + 1])) if place + 1 < len(days) else None,
    )


# People


def people_page(opened: OpenHistory, asked: HistoryRequest) -> str:
    """Return the list of people, those who played most first."""
    writer, persons = PageWriter(asked.language), opened.persons
    counts: dict[str, int] = {}
    for result in opened.results:
        for person in persons.of(result):
            counts[person] = counts.get(person, 0) + 1
    names = persons.called(opened.results)
    order = sorted(counts, key=lambda person: (-counts[person], person))
    listed = [
        (Link(names[person], person_path(names[person])), counts[person])
        for person in order
        if not persons.hides(person)
    ]
    return writer.page("people", writer.say("people"), left_out=opened.unreadable, people=listed)


def near_people(opened: OpenHistory, name: str) -> list[Link]:
    names = opened.persons.called(opened.results)
    shown = [person for person in names if not opened.persons.hides(person)]
    near = get_close_matches(name_key(name), shown, cutoff=0.5)
    return [Link(names[person], person_path(names[person])) for person in near]


# The league table


def league_page(opened: OpenHistory, asked: HistoryRequest) -> str:
    """Return the league table of a season, with the records if it is of one kind of game."""
    writer, selection = PageWriter(asked.language), read_selection(asked)
    found = select(opened.results, selection, opened.people)
    rows = league(found, opened.people, opened.ratings, one_game=selection.game is not None)
    return writer.page(
        "league",
        writer.say("league-table"),
        left_out=opened.unreadable,
        **_filter(writer, opened, selection),
        count=len(found),
        rows=[_league_row(writer, place, row) for place, row in enumerate(rows, 1)],
        records=[] if selection.game is None else list(_records(writer, opened, found)),
    )


def _league_row(writer: PageWriter, place: int, row: LeagueRow) -> tuple[object, ...]:
    share, rating = writer.percent(row.rank_share), "" if row.rating is None else row.rating
    link = Link(row.name, person_path(row.name))
    return place, link, share, len(row.games), len(row.won), writer.percent(row.win_rate), rating


def _records(
    writer: PageWriter, opened: OpenHistory, found: Sequence[GameResult]
) -> Iterator[tuple[str, str, Link, list[Link]]]:
    """Yield each record: what it is, its value, its game, and who holds it."""
    best, paths = records(found, opened.people), game_paths(opened.results)
    days = {result.name: writer.when(result) for result in found}

    def told(name: str, record: Record) -> str:
        if name == "longest":
            return writer.duration(record.value)
        points = round(record.value)
        return writer.say("by-points", points=points) if name == "closest" else writer.figure(points)

    for name in ("highest", "lowest", "longest", "closest"):
        record: Record | None = getattr(best, name)
        if record is not None:
            game = Link(days[record.game], paths.get(record.game))
            yield writer.say(name), told(name, record), game, [Link(each, person_path(each)) for each in record.names]
