"""The pages of the evening: who sits where, results, ranking; directors run it there."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial

import psycopg
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.core.game import Best
from companion.history.csv_export import csv_bytes
from companion.web.error_answers import RequestError

from . import accounts, page_markup
from .accounts import Visitor
from .evening import evening_actions, lists
from .evening.evening_folder import NOT_BEGUN
from .evening.evening_state import ClubEvening, EveningError
from .evening_views import EveningViews, as_text, rendered
from .live_feed import ALIVE, FIRST, INTERVAL, event, happens, stream
from .page_context import ClubData, form_of
from .page_markup import RenderedEvening

BLANK = {"action": "", "list": "", "late": "", "player": "", "name": "", "lowest": ""}
"""The texts in the forms of the page before anybody has typed."""
NO_BOX = "-"  # what the form says where no box is to stand
LARGEST_LIST = 128 * 1024  # bytes of a form: a thousand names
Form = Mapping[str, str]


class EveningPages:
    """The routes of the evening. What directors do is what ``companion club evening`` does, in the same file."""

    def __init__(self, club: ClubData) -> None:
        self._club, self._folder, self._views = club, club.evening, EveningViews(club)
        self._actions: dict[str, Callable[[Form], list[str]]] = {
            "new": self._new,
            "players": self._players,
            "round": self._round,
            "result": self._result,
            "late": lambda form: evening_actions.arrive(self._folder.file, form.get("player", "")),
            "drop": lambda form: evening_actions.drop(self._folder.file, form.get("player", "")),
            "merge": self._merge,
            "undo": lambda form: evening_actions.undo(self._folder.file, _number(form, "seen", 9)),
            "boxes": self._boxes,
            "clock": self._clock,
        }
        self.routes = [
            Route("/evening", self._show),
            Route("/evening/events", self._events),
            Route("/evening/print/{what}", self._print),
            Route("/evening/{what}.csv", self._csv),
            Route("/evening/take", self._take, methods=["POST"]),
            Route("/evening/{action}", self._act, methods=["POST"]),
        ]

    # What is shown

    async def _show(self, request: Request) -> Response:
        return await self._page(request, await self._club.visitor(request))

    async def _page(
        self, request: Request, visitor: Visitor | None, refusal: str = "", given: Form | None = None
    ) -> Response:
        """Return the page; after a refused form with the reason, and what was typed."""
        typed = BLANK | dict(given or {})
        wanted = _round_of(typed) or _round_of(request.query_params)
        directs = visitor is not None and visitor.directs
        look, shown = await self._views.look(), await self._views.parts(wanted, directs)
        live = f"/evening/events{'' if wanted is None else f'?round={wanted}'}"
        values: dict[str, object] = {"look": look, "refusal": refusal, "given": typed, "live": live}
        if look is not None and shown is not None:
            if given:
                shown = await asyncio.to_thread(rendered, look, look.number(wanted), directs, typed)
            values["parts"] = {name: Markup(part) for name, part in shown.parts.items()}
            values["round"] = Markup(shown.round)
        content = page_markup.page("evening", "Evening", here="/evening", visitor=visitor, **values)
        return HTMLResponse(content, 409 if refusal else 200)

    async def _events(self, request: Request) -> Response:
        """Stream all parts of the page, which may be older than the stream, then those that change."""
        visitor, wanted = await self._club.visitor(request), _round_of(request.query_params)
        directs = visitor is not None and visitor.directs

        async def events() -> AsyncIterator[bytes]:
            yield FIRST
            before: RenderedEvening | None = None
            number = 0
            while True:
                noticed = self._club.feed.noticed
                try:
                    now = await self._views.parts(wanted, directs)
                except RequestError:  # the page says why, if it is opened now
                    now = before
                new = {} if now is None or now is before else now.since(before)
                before = now
                if new:
                    number += 1
                    yield event(number, new)
                    await asyncio.sleep(INTERVAL)
                elif not await happens(noticed):
                    yield ALIVE
                else:
                    await asyncio.sleep(INTERVAL)  # what was read before is no longer fresh then

        return stream(request, events())

    async def _print(self, request: Request) -> Response:
        evening, number, rows = await self._rows(request)
        what = request.path_params["what"]
        of = f"after round {len(evening.rounds)}" if what in ("ranking", "results") else f"round {number}"
        heading = f"{evening.name}: {what}, {of}"
        return HTMLResponse(page_markup.page("evening_print", heading, rows=rows, now=time.time()))

    async def _csv(self, request: Request) -> Response:
        _evening, _number, rows = await self._rows(request)
        headers = {"Content-Disposition": f'attachment; filename="{request.path_params["what"]}.csv"'}
        return Response(csv_bytes(rows), media_type="text/csv", headers=headers)

    async def _rows(self, request: Request) -> tuple[ClubEvening, int, lists.Rows]:
        """Return the evening, the number of a round, and the list that an address names."""
        look, what = await self._views.look(), request.path_params["what"]
        if look is None:
            raise RequestError(404, "No evening is begun.")
        evening, number = look.evening, look.number(_round_of(request.query_params))
        match what:
            case "ranking":
                return evening, number, lists.ranking_table(evening)
            case "results":
                return evening, number, lists.result_table(evening)
            case "seats" | "names" if number:
                return evening, number, lists.seat_table(evening, number, by_name=what == "names")
        raise RequestError(404, "There is no such list.")

    # What directors do

    async def _act(self, request: Request) -> Response:
        who, action = await self._club.require(request, directs=True), request.path_params["action"]
        form = await form_of(request, LARGEST_LIST)
        if action not in self._actions:
            raise RequestError(404, "There is no such action.")
        done = await self._done(request, who, form | {"action": action}, partial(self._actions[action], form))
        if action == "result" and done.status_code == 303:  # back to the table among many
            number, state = _number(form, "round"), self._folder.state()
            earlier = state is not None and number < state.last
            done.headers["location"] += f"{f'?round={number}' if earlier else ''}#t{_number(form, 'table')}"
        return done

    async def _take(self, request: Request) -> Response:
        """Enter the results of finished games that the director saw, if they are still the same."""
        who, form = await self._club.require(request, directs=True), await form_of(request, LARGEST_LIST)
        seen = form.get("seen", "").split(";")
        found = (await self._views.finished()).values()
        wanted = [result for result in found if as_text([result]) in seen]
        if len(wanted) != len(seen):
            return await self._page(request, who, "A game has another result by now.", form)
        return await self._done(request, who, form, lambda: evening_actions.take_results(self._folder.file, wanted))

    async def _done(self, request: Request, who: Visitor, form: Form, action: Callable[[], list[str]]) -> Response:
        """Do something, note who did, and let the boxes be told; if it cannot be, say so on the page."""
        why, lines = "", [""]
        try:
            lines = await asyncio.to_thread(self._folder.do, partial(self._checked, form, action))
        except FileNotFoundError:
            why = NOT_BEGUN
        except EveningError as error:
            why = str(error)
        except OSError as error:
            raise RequestError(500, f"The evening cannot be written: {error}.") from None
        finally:
            self._views.forget()
            self._club.teller.wake()
            self._club.feed.wake()
        if why:
            return await self._page(request, who, f"{why[:1].upper()}{why[1:]}.", form)
        try:
            await self._club.database.ask(lambda connection: accounts.note_change(connection, who.name, lines[0]))
        except (psycopg.Error, RequestError) as error:  # it is done all the same
            self._club.said(f"{who.name}: {lines[0]} (not noted among the changes: {error})")
        return RedirectResponse("/evening", 303)

    def _checked(self, form: Form, action: Callable[[], list[str]]) -> list[str]:
        """Do something, unless the form is of another evening."""
        state = self._folder.state()
        if state is not None and form.get("evening", "") != str(state.moment.evening.seed):
            raise EveningError("another evening has begun since: look again")
        return action()

    def _new(self, form: Form) -> list[str]:
        if self._folder.state() is not None and not form.get("ended"):
            raise EveningError("the evening before has not ended")
        sizes = _number(form, "table"), _number(form, "smallest"), _number(form, "largest")
        return self._folder.begin(form.get("name", ""), sizes, Best.LOWEST if form.get("lowest") else Best.HIGHEST)

    def _players(self, form: Form) -> list[str]:
        late = bool(form.get("late"))
        return evening_actions.register(self._folder.file, (), form.get("list", "").encode(), late=late)

    def _result(self, form: Form) -> list[str]:
        points, correct = _points(form.get("points", "")), bool(form.get("correct"))
        return evening_actions.enter_result(
            self._folder.file, _number(form, "table"), points, _number(form, "round"), correct=correct
        )

    def _round(self, form: Form) -> list[str]:
        self._of_last(form)
        return self._folder.draw_round(_number(form, "minutes"))

    def _clock(self, form: Form) -> list[str]:
        self._of_last(form)
        return self._folder.set_clock(_number(form, "minutes"))

    def _merge(self, form: Form) -> list[str]:
        self._of_last(form)
        return evening_actions.merge(self._folder.file, _number(form, "table"), _number(form, "into"))

    def _boxes(self, form: Form) -> list[str]:
        """Note which box stands at which table."""
        self._of_last(form)
        tables = [(int(table), box) for table, box in form.items() if table.isdecimal() and len(table) < 5 and box]
        chosen = {table: "" if box == NO_BOX else box for table, box in tables}
        return self._folder.place_boxes(chosen, self._club.boxes)

    def _of_last(self, form: Form) -> None:
        """Refuse a form of an earlier round."""
        state = self._folder.state()
        if state is None or state.last != _number(form, "round"):
            raise EveningError("another round is drawn by now")


def _round_of(named: Mapping[str, str]) -> int | None:
    """Return the number of the round that an address or a form names; None if it names none."""
    wanted = named.get("round", "")
    return int(wanted) if wanted.isdecimal() and 0 < len(wanted) < 5 and int(wanted) else None


def _number(form: Form, name: str, digits: int = 4) -> int:
    given = form.get(name, "").strip()
    if not (given.isdecimal() and len(given) <= digits):
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
