"""The page of a finished game: facts, scores with chart, tricks, counted actions, every step, other rules, exports."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from companion.core.game import Table, tracking_of
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.core.text import N_, NC_, NN_, IllegalEventError, Text, joined
from companion.gamelog import InvalidLineError
from companion.history.bgstats import play_link
from companion.history.chart import Course, course_band, plot
from companion.history.days import date_and_time, day_of, duration
from companion.history.plays import LONGEST_NOTES, LONGEST_PLACE, play_id
from companion.history.reports import when
from companion.history.results import GameResult, counted_actions, figure, makers, round_points
from companion.history.selection import title_text
from companion.journal import JournalError
from companion.ui.live_page.build import game_course
from companion.ui.symbols import GLYPHS

from .history_lists import HistoryRequest
from .history_markup import STEPS_ANCHOR, Link, PageNotFoundError, PageWriter, evening_link, with_query
from .history_steps import GameSteps
from .history_worker import OpenHistory
from .live_markup import figures
from .what_if_form import rules_in_words, what_if

NUMBER = re.compile(r"[0-9]{1,9}")
ROUND_HEADING = N_("R{round}")
_NO_STEP = NN_("There is no entry {number}; {count} stands", "There is no entry {number}; {count} stand")


def find_game(opened: OpenHistory, request: HistoryRequest) -> GameResult:
    """Return the game that an address names: by its number, unless several have it, or by its name in the journal."""
    named = request.named
    if NUMBER.fullmatch(named):
        found = [result for result in opened.results if result.number == int(named) > 0]
    else:
        found = [result for result in opened.results if result.name == named and result.number]
    if len(found) == 1:
        return found[0]
    if not found:
        raise PageNotFoundError(404, Text(N_("There is no finished game {number}."), number=named))
    suggestions = [Link(joined((title_text(result.game), when(result))), opened.paths[result.name]) for result in found]
    raise PageNotFoundError(404, Text(N_("Several games have the number {number}."), number=named), suggestions)


def session_of(opened: OpenHistory, result: GameResult) -> Session:
    """Return the log of a game; raise PageNotFoundError if it cannot be read."""
    try:
        return opened.history.session(result.name)
    except (JournalError, InvalidLineError) as error:
        text = Text(N_("Game {number} cannot be read: {why}"), number=result.number, why=error.text)
        raise PageNotFoundError(500, text) from None


def log_of(opened: OpenHistory, request: HistoryRequest) -> tuple[str, bytes]:
    result = find_game(opened, request)
    try:
        return f"{result.name}.jsonl", opened.journal.log(result.name).encode()
    except JournalError as fault:
        raise PageNotFoundError(500, fault.text) from None


def play_and_path(opened: OpenHistory, request: HistoryRequest) -> tuple[str, str]:
    """Return the id that a game has as a play, and the address of its page."""
    result = find_game(opened, request)
    return play_id(result), opened.paths[result.name]


def game_page(opened: OpenHistory, request: HistoryRequest) -> str:
    """Return a game's page; raise PageNotFoundError if there is no such game, or no such step in it."""
    result = find_game(opened, request)
    session = session_of(opened, result)
    names = opened.people.names(result)
    writer, path = PageWriter(request.language, opened, names), opened.paths[result.name]
    steps = GameSteps(writer, session, path)
    game, day = session.header.game, day_of(result)
    counted_entries, entries = _counted_entries(writer, session, steps, request)
    step = steps.values(_number(steps, request, entries))
    chart = writer.words.told(game_course(session, over=True))
    return writer.page(
        "game",
        joined((title_text(result.game), Text(N_("Game {number}"), number=result.number)), " · "),
        path=path,
        anchor=STEPS_ANCHOR,
        day=None if day is None else evening_link(day),
        facts=list(_facts(writer, opened, session, result)),
        won_by=result.winners,
        sheet=(sheet := _sheet(session.score_sheet, steps)),
        rounds=None if any(to for _head, to in sheet["heads"]) else _rounds(writer, result, steps),
        names=names,
        # the chart escapes its texts
        chart="" if chart is None else Markup(_plot(writer, chart, opened.faces(*names).colours(names))),
        lasting=game.optional.lasting,
        spans=[] if game.optional.lasting is None else list(steps.spans()),
        counts=list(_counts(session, result, path)),
        counted_entries=counted_entries,
        step=step,
        step_sheet=None if step["sheet"] is None else _sheet(step["sheet"], steps),
        at_turn=GLYPHS["turn"],
        apart=figures,
        lead=GLYPHS["lead"],
        what_if=what_if(writer, session, request),
        remark=(remark := opened.remarks.of(result)),
        places=opened.remarks.places() if request.scores else [],
        scores=request.scores,
        longest=(LONGEST_PLACE, LONGEST_NOTES),
        bgstats=play_link(result, opened.people, remark),
    )


def _plot(writer: PageWriter, course: Course[str], colours: Sequence[int]) -> str:
    """Return the course of a game as a chart with a line for each player."""
    places = [writer.say(NC_("points", "start")), *course.rounds]
    return plot([course_band(course, colours)], places, writer.say(N_("The course of the game")), ends=True)


def _facts(
    writer: PageWriter, opened: OpenHistory, session: Session, result: GameResult
) -> Iterator[tuple[object, object]]:
    if begun := date_and_time(result.begun):
        yield Text(N_("Begun")), begun
    if result.seconds:
        yield Text(N_("Duration")), duration(result.seconds)
    yield from rules_in_words(writer, session.header)
    if result.ended_early:
        yield Text(N_("End")), Text(N_("ended early"))
    for before, after in pairwise(makers(result) if result.earlier else ()):
        if before.left:
            name, later = (opened.people.now(each.name, result.number) for each in (before, after))
            last = before.rounds[-1] if before.rounds else 0
            template = N_("{name}, until the end of round {round}") if last else N_("{name}, for a while")
            yield Text(N_("Before {player}"), player=later), Text(template, name=name, round=last)
    yield Text(N_("Entered")), session.header.game.trackings[_entered(session)]
    yield Text(N_("Number of entries")), result.entries


def _entered(session: Session) -> DetailLevel:
    """Return the level of detail at which most entries were made."""
    game = session.header.game
    closest = next(iter(game.trackings))
    levels = Counter([closest])
    for step in session.steps():
        with suppress(LookupError, IllegalEventError):  # no key enters it
            levels[tracking_of(game, closest, step.before.state, step.event)] += 1
    return levels.most_common(1)[0][0]


def _sheet(table: Table, steps: GameSteps) -> dict[str, Any]:
    """Return a score sheet; the head of a round links to the step that ended it."""
    ends = {Text(ROUND_HEADING, round=number): steps.path(step) for number, step in enumerate(steps.round_ends, 1)}
    heads = [(head, ends.get(head)) for head in table.columns]
    return {"title": table.title, "heads": heads, "rows": table.rows, "marked": table.marked}


def _rounds(writer: PageWriter, result: GameResult, steps: GameSteps) -> dict[str, Any] | None:
    """Return the points of each round of a game whose score sheet does not have them; None if it has no rounds."""
    if not result.rounds:
        return None
    heads = tuple(Text(ROUND_HEADING, round=number) for number in range(1, len(result.rounds) + 1))
    by_seat = zip(*round_points(result, figure), strict=True)
    rows = tuple(tuple(Text("{points}", points=points) for points in of_seat) for of_seat in by_seat)
    return _sheet(Table(Text(N_("Points of each round")), heads, rows), steps)


def _counts(session: Session, result: GameResult, path: str) -> Iterator[tuple[Text, list[tuple[int, str | None]]]]:
    """Yield each counted action and its amounts by seat, each with the address of the steps that show it."""
    for what, name in session.header.game.optional.action_names.items():
        amounts = result.counts.get(what)
        if amounts:
            paths = (f"{with_query(path, deed=what, seat=seat)}{STEPS_ANCHOR}" for seat in range(1, len(amounts) + 1))
            yield name, [(amount, to if amount else None) for amount, to in zip(amounts, paths, strict=True)]


def _counted_entries(
    writer: PageWriter, session: Session, steps: GameSteps, request: HistoryRequest
) -> tuple[tuple[str, list[tuple[int, str]]] | None, Sequence[int]]:
    """Return the steps that show an action of a player, as the query asks: with a heading and links, and as numbers."""
    what, seat = request.query.get("deed", ""), (request.number("seat") or 0) - 1
    name = session.header.game.optional.action_names.get(what)
    if name is None or not 0 <= seat < len(session.header.players):
        return None, ()
    found = [each.entry for each in counted_actions(session) if each.action.what == what and each.action.seat == seat]
    entries = list(dict.fromkeys(found))
    heading = writer.say(N_("{deed}, {player}:"), deed=writer.words(name), player=writer.seat(seat))
    return (heading, [(entry, steps.path(entry)) for entry in entries]), entries


def _number(steps: GameSteps, request: HistoryRequest, entries: Sequence[int]) -> int:
    """Return the number of the step that is asked for; without a wish the first of the entries, or the last step."""
    ends, ended = steps.round_ends, request.number("round")
    default = entries[0] if entries else steps.count
    if ended is not None and 1 <= ended <= len(ends):
        default = ends[ended - 1]
    wanted = request.number("step")
    number = default if wanted is None else wanted
    if number > steps.count:
        raise PageNotFoundError(404, Text(_NO_STEP, number=number, count=steps.count))
    return number
