"""The pages that list games: all games, evenings, an evening; and the form that chooses games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from operator import attrgetter
from typing import TypeVar

from msgspec import Struct

from companion.core.text import N_, Text, joined, listed
from companion.gamelog import name_key
from companion.games import GAMES
from companion.history.days import date_of, day_of, with_year
from companion.history.evenings import evenings, extent, summary
from companion.history.results import GameResult
from companion.history.selection import Selection, counts, find_game, select, title_text

from .history_markup import Link, PageNotFoundError, PageWriter, by_day, evening_link, short_day, with_query
from .history_worker import ROOT, OpenHistory

Item = TypeVar("Item")

DOWNLOADS = {"csv": N_("CSV for spreadsheets"), "json": N_("JSON for programs"), "bgsplay": N_("File for BG Stats")}
"""The label of each export."""

EARLY, NOT_COUNTED = "early", "0"  # the field of the query, and its value that leaves out games ended early
EARLY_SAID = {
    True: (N_("Ended early, and counted as they stood: {count}"), N_("leave them out")),
    False: (N_("Ended early, and not counted: {count}"), N_("count them")),
}
"""The sentence on games that the table ended early, and the label of its switch; the keys say whether they count."""

CHOICES = ("game", "person", "since", "until")  # the fields of the form that chooses games
ON_A_PAGE = 25  # games or evenings on a page of a list
MOST_SUGGESTIONS = 3  # evenings offered in place of one that there is not


class HistoryRequest(Struct, frozen=True):
    """A request for a page of the history: its language, address and query."""

    language: str
    path: str  # the address, without the query
    named: str = ""  # what the address names: a game, a person, a day; empty if it names nothing
    query: Mapping[str, str] = {}
    scores: bool = False  # whether who asks may change what is noted of a game

    @property
    def early(self) -> bool:
        """Return whether games that the table ended early count."""
        return self.query.get(EARLY) != NOT_COUNTED

    def number(self, name: str) -> int | None:
        """Return a number of the query, None if it is not there; raise PageNotFoundError if it is no number."""
        text = self.query.get(name, "")
        if not text:
            return None
        if not (text.isdecimal() and len(text) < 10):
            raise PageNotFoundError(400, Text(N_("“{text}” is no number."), text=text))
        return int(text)


YEAR_FIRST = re.compile(r"\s*(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?\s*")
DAY_FIRST = re.compile(r"\s*(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})\s*")


def read_day(text: str, status: int = 400) -> date:
    """Return a day of the query or the address, also written 28/11/2026; raise PageNotFoundError if it is none."""
    year_first, day_first = YEAR_FIRST.fullmatch(text), DAY_FIRST.fullmatch(text)
    parts = year_first.groups() if year_first else day_first.groups()[::-1] if day_first else None
    if parts is None:
        template = N_("“{text}” is no date; a date is written 2026-11-22.")
        raise PageNotFoundError(status, Text(template, text=text))
    try:
        return date(*map(int, parts))
    except ValueError:
        raise PageNotFoundError(status, Text(N_("There is no day “{text}”."), text=text)) from None


def read_selection(opened: OpenHistory, request: HistoryRequest) -> Selection:
    """Return which games a query asks for; raise PageNotFoundError if a part of it is invalid."""
    query = request.query
    game = None
    if wanted := query.get("game"):
        game = find_game(wanted, opened.results)
        if game is None:
            raise PageNotFoundError(400, Text(N_("There is no game “{text}”."), text=wanted))
    since, until = (read_day(day) if (day := query.get(name)) else None for name in ("since", "until"))
    if (year := request.number("year")) is not None:
        first, last = (read_day(f"{year:04}-{day}") for day in ("01-01", "12-31"))
        since, until = max(since or first, first), min(until or last, last)
    return Selection(game, since, until, query.get("person", "").strip() or None)


def query_of(selection: Selection) -> dict[str, object]:
    return {name: getattr(selection, name) for name in CHOICES}


def chosen_games(
    writer: PageWriter, opened: OpenHistory, request: HistoryRequest, **more: object
) -> tuple[Selection, dict[str, object]]:
    """Return which games the bar asks for, and the values of the bar; ``more`` are what only some pages choose by.

    If a part of it is invalid, the bar stands below the sentence, as filled in.
    """
    early, opens = "" if request.early else NOT_COUNTED, bool(request.query.get("least"))
    more = {"early": early, "action": request.path, "field": "person", "least": None, "opens": opens, **more}
    try:
        selection = read_selection(opened, request)
    except PageNotFoundError as error:
        error.form = _bar(writer, opened, request.query) | more
        raise
    return selection, _bar(writer, opened, _as_chosen(selection)) | more


def ended_early(
    request: HistoryRequest, found: Iterable[GameResult], path: str, **chosen: object
) -> tuple[Text, Link] | None:
    """Return what is said of those of some games that the table ended early, and the link that switches; None if none.

    The path and what is chosen besides are those of the page.
    """
    count = sum(result.ended_early and counts(result) for result in found)
    if not count:
        return None
    said, switch = EARLY_SAID[request.early]
    other = with_query(path, **chosen, **({EARLY: NOT_COUNTED} if request.early else {}))
    return Text(said, count=count), Link(Text(switch), other)


def _as_chosen(selection: Selection) -> dict[str, object]:
    """Return what the fields of the bar show: a whole year instead of its first and last day."""
    chosen, since = query_of(selection), selection.since
    if since and (since, selection.until) == (date(since.year, 1, 1), date(since.year, 12, 31)):
        chosen |= {"year": since.year, "since": "", "until": ""}
    return chosen


def _bar(writer: PageWriter, opened: OpenHistory, chosen: Mapping[str, object]) -> dict[str, object]:
    """Return the values of the bar that chooses games."""
    games = dict.fromkeys(result.game for result in opened.results)
    if (game := str(chosen.get("game") or "")) in GAMES:
        games[game] = None
    kinds = [(game, writer.words(title_text(game))) for game in games]
    names = dict(opened.names)
    if person := str(chosen.get("person") or ""):
        person = names.setdefault(name_key(person), person)
    years = {day.year for result in _first_and_last(opened.results) if (day := day_of(result))}
    years |= {int(year) for year in [str(chosen.get("year") or "")] if year.isdecimal() and len(year) < 5}
    return {
        "chosen": {name: str(chosen.get(name) or "") for name in CHOICES},
        "person": person,
        "year": str(chosen.get("year") or ""),
        "kinds": sorted(kinds, key=lambda kind: name_key(kind[1])),
        "names": sorted(names.values(), key=name_key),
        "years": [str(year) for year in range(max(years), min(years) - 1, -1)] if years else [],
    }


def _first_and_last(results: Sequence[GameResult]) -> list[GameResult]:
    """Return the earliest and the latest of the games of which a time is known."""
    dated = [result for result in results if result.begun]
    return [min(dated, key=attrgetter("begun")), max(dated, key=attrgetter("begun"))] if dated else []


def _page_of(
    listed: Sequence[Item], request: HistoryRequest, chosen: Mapping[str, object]
) -> tuple[Sequence[Item], dict[str, object]]:
    """Return the part of a list that a query asks for, and the values that lead to the other parts.

    ``chosen`` is what the query chooses besides the page.
    """
    pages = max(1, -(-len(listed) // ON_A_PAGE))
    number = min(max(1, request.number("page") or 1), pages)
    first = (number - 1) * ON_A_PAGE
    shown = listed[first : first + ON_A_PAGE]

    def page(to: int) -> str | None:
        return with_query(request.path, **chosen, page=to) if 1 <= to <= pages else None

    return shown, {
        "part": (first + 1, first + len(shown), len(listed)),
        "newer": page(number - 1),
        "older": page(number + 1),
    }


def games_page(opened: OpenHistory, request: HistoryRequest) -> str:
    """Return the list of games, newest first."""
    writer = PageWriter(request.language, opened)
    selection, bar = chosen_games(writer, opened, request)
    found = select(opened.results, selection, opened.people)[::-1]
    shown, parts = _page_of(found, request, query_of(selection))
    downloads = [
        Link(Text(label), with_query(f"{ROOT}/games.{kind}", **query_of(selection)))
        for kind, label in DOWNLOADS.items()
    ]
    return writer.page(
        "games",
        Text(N_("History")),
        bar=bar,
        **parts,
        any=bool(opened.results),
        groups=by_day(opened, shown),
        downloads=downloads,
    )


# Evenings


def evenings_page(opened: OpenHistory, request: HistoryRequest) -> str:
    """Return the list of evenings, newest first."""
    writer, names = PageWriter(request.language, opened), opened.people.called(opened.results)
    lines = []
    shown, parts = _page_of(evenings(opened.results)[::-1], request, {})
    for evening in shown:
        persons = dict.fromkeys(person for result in evening.results for person in opened.people.of(result))
        games = map(title_text, dict.fromkeys(result.game for result in evening.results))
        played = joined((*games, extent(evening)), " · ")  # titles may have commas
        lines.append((evening_link(evening.day), played, listed(names[person] for person in persons)))
    return writer.page("evenings", Text(N_("Evenings")), **parts, evenings=lines)


def evening_page(opened: OpenHistory, request: HistoryRequest) -> str:
    """Return an evening's page: its summary and its games."""
    writer, day = PageWriter(request.language, opened), read_day(request.named, 400 if request.named else 404)
    every = {evening.day: evening for evening in evenings(opened.results)}
    if day not in every:
        suggestions = sorted(sorted(every, key=lambda each: abs(each - day))[:MOST_SUGGESTIONS])
        text = Text(N_("No game of {day} is finished."), day=short_day(day))
        raise PageNotFoundError(404, text, [*map(evening_link, suggestions)])
    lines = [writer.told(line) for line in summary(every[day], opened.people)]
    [(_heading, games)] = by_day(opened, every[day].results)
    days = sorted(every)
    place = days.index(day)

    def neighbour(other: int) -> Link | None:
        return evening_link(days[other], short_day(days[other])) if 0 <= other < len(days) else None

    return writer.page(
        "evening",
        with_year(date_of(day), day.year),
        summary="\n".join(lines),
        lines=lines,
        of_day=games,
        earlier=neighbour(place - 1),
        later=neighbour(place + 1),
    )
