"""The pages of the evening: who sits where, results, ranking; directors run it there."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.core.progress import Best
from companion.history.csv_export import csv_bytes
from companion.web.error_answers import RequestError

from . import accounts, archive, page_markup
from .accounts import Visitor
from .club_data import ClubData, form_of
from .evening import command, lists
from .evening.boxes import boxes_at, result_of_game
from .evening.events import TableResult
from .evening.replay import Moment
from .evening.seating import drawn_penalty
from .evening.values import ClubEvening, EveningError, SeatedRound

LARGEST_LIST = 128 * 1024  # bytes of a form: a thousand names
Form = Mapping[str, str]


class EveningPages:
    """The routes of the evening. What directors do is what ``companion club evening`` does, in the same file."""

    def __init__(self, club: ClubData) -> None:
        self._club, self._folder = club, club.evening
        self._actions: dict[str, Callable[[Form], list[str]]] = {
            "new": self._new,
            "players": self._players,
            "round": self._round,
            "result": self._result,
            "late": lambda form: command.arrive(self._folder.file, form.get("player", "")),
            "drop": lambda form: command.drop(self._folder.file, form.get("player", "")),
            "merge": lambda form: command.merge(self._folder.file, _number(form, "table"), _number(form, "into")),
            "undo": lambda _form: command.undo(self._folder.file),
            "boxes": self._boxes,
            "clock": self._clock,
        }
        self.routes = [
            Route("/evening", self._show),
            Route("/evening/print/{what}", self._print),
            Route("/evening/{what}.csv", self._csv),
            Route("/evening/take", self._take, methods=["POST"]),
            Route("/evening/{action}", self._act, methods=["POST"]),
        ]

    # What is shown

    async def _show(self, request: Request) -> Response:
        visitor, moment = await self._club.visitor(request), await self._evening()
        values: dict[str, object] = {"evening": None}
        if moment is not None:
            evening, hall, boxes = moment.evening, self._folder.hall, self._club.scorer.tables
            number, last = _round_of(request, evening), len(evening.rounds)
            found = await self._finished(evening) if number == last else {}
            shown = evening.round(number) if number else SeatedRound((), ())
            placed = boxes_at(shown, [box.device for box in boxes], hall.boxes)
            values = {
                "evening": evening,
                "round_number": number,
                "shown": shown,
                "found": {table: (result.points, _as_text([result])) for table, result in found.items()},
                "all_found": _as_text(found.values()),
                "penalty": drawn_penalty(moment) if number and number == last else "",
                "latest": "" if moment.before is None else lists.in_words(moment.event, evening.names),
                "ranking": lists.ranking_table(evening),
                "hall": hall,
                "boxes": boxes,
                "placed": {
                    table: next(box for box in boxes if box.device == device) for table, device in placed.items()
                },
            }
        return HTMLResponse(page_markup.page("evening", "Evening", here="/evening", visitor=visitor, **values))

    async def _print(self, request: Request) -> Response:
        evening, rows = await self._rows(request)
        heading = f"{evening.name}: {request.path_params['what']}"
        return HTMLResponse(page_markup.page("evening_print", heading, rows=rows, now=time.time()))

    async def _csv(self, request: Request) -> Response:
        _evening, rows = await self._rows(request)
        headers = {"Content-Disposition": f'attachment; filename="{request.path_params["what"]}.csv"'}
        return Response(csv_bytes(rows), media_type="text/csv", headers=headers)

    async def _rows(self, request: Request) -> tuple[ClubEvening, lists.Rows]:
        """Return the list that an address names."""
        moment, what = await self._evening(), request.path_params["what"]
        if moment is None:
            raise RequestError(404, "No evening is begun.")
        evening = moment.evening
        match what:
            case "ranking":
                return evening, lists.ranking_table(evening)
            case "results":
                return evening, lists.result_table(evening)
            case "seats" | "names" if evening.rounds:
                return evening, lists.seat_table(evening, _round_of(request, evening), by_name=what == "names")
        raise RequestError(404, "There is no such list.")

    async def _evening(self) -> Moment | None:
        """Return the evening; refuse the request if its file cannot be used."""
        try:
            return await asyncio.to_thread(self._folder.read)
        except (EveningError, OSError) as error:
            raise RequestError(500, f"The evening cannot be read: {error}.") from None

    async def _finished(self, evening: ClubEvening) -> dict[int, TableResult]:
        """Return the results of finished games for the tables that await one; the latest game of a table counts."""
        began, found = self._folder.hall.began, dict[int, TableResult]()
        for game in await self._club.archive.ask(partial(archive.results, since=began)):
            with suppress(EveningError):  # other people's
                result = result_of_game(evening, game)
                found[result.table] = result
        return found

    # What directors do

    async def _act(self, request: Request) -> Response:
        who, action = await self._club.require(request, directs=True), request.path_params["action"]
        form = await form_of(request, LARGEST_LIST)
        if action not in self._actions:
            raise RequestError(404, "There is no such action.")
        done = await self._done(who, partial(self._actions[action], form))
        if action == "result":  # back to the table among many
            done.headers["location"] += f"?round={_number(form, 'round')}#t{_number(form, 'table')}"
        return done

    async def _take(self, request: Request) -> Response:
        """Enter the results of finished games that the director saw, if they are still the same."""
        who, seen = await self._club.require(request, directs=True), (await form_of(request)).get("seen", "")
        moment = await self._evening()
        found = {} if moment is None else await self._finished(moment.evening)
        wanted = [result for result in found.values() if _as_text([result]) in seen.split(";")]
        if not wanted or _as_text(wanted) != seen:
            raise RequestError(409, "A game has another result by now.")
        return await self._done(who, lambda: command.take_results(self._folder.file, wanted))

    async def _done(self, who: Visitor, action: Callable[[], list[str]]) -> Response:
        """Do something, note who did, and tell the boxes."""
        try:
            lines = await asyncio.to_thread(action)
        except EveningError as error:
            raise RequestError(409, f"{str(error)[:1].upper()}{str(error)[1:]}.") from None
        except OSError as error:
            raise RequestError(500, f"The evening cannot be written: {error}.") from None
        await self._club.database.ask(lambda connection: accounts.note_change(connection, who.name, lines[0]))
        await self._club.tell_boxes()
        return RedirectResponse("/evening", 303)

    def _new(self, form: Form) -> list[str]:
        sizes = _number(form, "table"), _number(form, "smallest"), _number(form, "largest")
        return self._folder.begin(form.get("name", ""), sizes, Best.LOWEST if form.get("lowest") else Best.HIGHEST)

    def _players(self, form: Form) -> list[str]:
        late = bool(form.get("late"))
        return command.register(self._folder.file, (), form.get("list", "").encode(), late=late)

    def _round(self, form: Form) -> list[str]:
        minutes, lines = _number(form, "minutes"), command.draw_round(self._folder.file, None)
        now = time.time()
        ends = now + 60 * minutes if minutes else 0.0
        self._folder.keep(replace(self._folder.hall, minutes=minutes, began=now, ends=ends))
        return lines

    def _result(self, form: Form) -> list[str]:
        points, correct = _points(form.get("points", "")), bool(form.get("correct"))
        return command.enter_result(
            self._folder.file, _number(form, "table"), points, _number(form, "round"), correct=correct
        )

    def _boxes(self, form: Form) -> list[str]:
        """Note which box stands at which table; a table without one gets the next that is free."""
        chosen = {int(table): box for table, box in form.items() if table.isdecimal() and len(table) < 5 and box}
        self._folder.keep(replace(self._folder.hall, boxes=chosen))
        return ["boxes were given to tables"]

    def _clock(self, form: Form) -> list[str]:
        minutes = _number(form, "minutes")
        self._folder.keep(replace(self._folder.hall, ends=time.time() + 60 * minutes if minutes else 0.0))
        return [f"minutes left in the round: {minutes}"]


def _round_of(request: Request, evening: ClubEvening) -> int:
    """Return the number of the round that an address names, else the last; 0 before the first."""
    wanted, last = request.query_params.get("round", ""), len(evening.rounds)
    return int(wanted) if wanted.isdecimal() and len(wanted) < 5 and 1 <= int(wanted) <= last else last


def _number(form: Form, name: str) -> int:
    given = form.get(name, "").strip()
    if not (given.isdecimal() and len(given) < 5):
        raise EveningError(f"{name} is a number")
    return int(given)


def _points(given: str) -> list[int]:
    """Return the points that were typed, with blanks or commas between them.

    >>> _points("20, −5 13")
    [20, -5, 13]
    """
    words = given.replace("−", "-").replace(",", " ").split()
    if not all(re.fullmatch("[-+]?[0-9]{1,9}", word) for word in words):
        raise EveningError("points are numbers, such as 20 -5 13 2")
    return [*map(int, words)]


def _as_text(results: Iterable[TableResult]) -> str:
    """Return results as a form sends them back.

    >>> _as_text([TableResult(1, 2, (30, -7), (1, 2))])
    '1 2 30,-7 1,2'
    """
    return ";".join(
        " ".join((str(each.round), str(each.table), ",".join(map(str, each.points)), ",".join(map(str, each.ranks))))
        for each in results
    )
