"""The pages of the evenings: who sits where, results, ranking; directors run the one that runs; the season."""

from __future__ import annotations

import asyncio
import re
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from itertools import combinations
from secrets import randbelow

from markupsafe import Markup
from msgspec.structs import asdict
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.core.game import Best
from companion.core.text import N_, Text, why
from companion.gamelog.player_names import name_key
from companion.web.error_answers import RequestError
from companion.web.requests import body_of, check_origin, language_of

from .evening import evening_state as events
from .evening import lists
from .evening.evening_state import NO_PLAYER, ClubEvening, Entrant, EveningError, Presence
from .evening.evening_store import NO_EVENING, NOT_BEGUN
from .evening.read_players import MOST_BYTES, entrants_named, read_players
from .evening.replay import check_room
from .evening_views import EveningViews, as_text, rendered
from .live import LiveParts, stream
from .page_context import LARGEST_FORM, Club, RefusalError, form_of, in_its_language, said
from .page_markup import words_of

AT_PLAYERS = {
    **dict.fromkeys(("players", "late", "drop", "remove", "rename"), "people"),
    **dict.fromkeys(("team", "apart", "penalty"), "together"),
}
"""The part of the page at which a director goes on after an action."""
OF_LAST = ("round", "clock", "merge", "boxes", "tell")  # what is done with the last round alone
NO_BOX = "-"  # what the form says where no box is to stand
LARGEST_LIST = 128 * 1024  # bytes of a form: a thousand names
Form = Mapping[str, str]


class EveningPages:
    """The routes of the evening that runs."""

    def __init__(self, club: Club) -> None:
        self._club, self._store, self._views = club, club.evenings, EveningViews(club)
        self._actions: dict[str, Callable[[Form], object]] = {
            "new": self._new,
            "open": lambda form: self._store.open_again(form.get("name", "")),
            "settings": lambda form: self._store.add(self._settled(form)),
            "players": self._register,
            "round": lambda form: self._store.draw_round(_number(form, "minutes")),
            "result": lambda form: self._store.add(self._typed(form, corrects=bool(form.get("correct")))),
            "tell": lambda form: self._store.tell(self._typed(form, corrects=False)),
            "void": lambda form: self._store.add(events.TableVoid(_number(form, "round"), _number(form, "table"))),
            "late": lambda form: self._store.add(events.EntrantCame(self._player(form).number)),
            "drop": lambda form: self._store.add(events.EntrantLeft(self._player(form).number)),
            "remove": lambda form: self._store.add(events.EntrantRemoved(self._player(form).number)),
            "rename": lambda form: self._store.add(
                events.EntrantRenamed(self._player(form).number, form["name"].strip())
            ),
            "team": self._team,
            "apart": self._apart,
            "penalty": self._penalty,
            "merge": lambda form: self._store.add(events.TablesMerged(_number(form, "table"), _number(form, "into"))),
            "undo": lambda form: self._store.take_back(_number(form, "seen", 9)),
            "boxes": self._boxes,
            "clock": lambda form: self._store.set_clock(_number(form, "minutes")),
        }
        self.routes = [
            Route("/", self._page),
            Route("/evening", self._page),
            Route("/evening/events", self._events),
            Route("/projector", self._projector),
            Route("/projector/events", self._projector_events),
            Route("/evening/take", self._take, methods=["POST"]),
            Route("/evening/file", self._file, methods=["POST"]),
            Route("/evening/{action}", self._act, methods=["POST"]),
        ]

    # What is shown

    async def _page(self, request: Request, refused: Text | None = None, given: Form | None = None) -> Response:
        """Return the page; after a refused form with the reason, and what was typed."""
        typed = defaultdict(str, given or {})  # what nobody has typed is empty
        wanted = _round_of(typed) or _round_of(request.query_params)
        directs, language = self._club.directors.direct(request), language_of(request.scope)
        refusal, status = ("", 200) if refused is None else (said(request, refused), 409)
        look = shown = None
        try:
            look, shown = await self._views.look(), await self._views.parts(wanted, directs, language)
        except RequestError as failure:  # another evening may be begun all the same
            refusal, status = refusal or in_its_language(request, failure), failure.status
        live = f"/evening/events{'' if wanted is None else f'?round={wanted}'}"
        values: dict[str, object] = {"look": look, "refusal": refusal, "given": typed, "live": live}
        if look is not None and shown is not None:
            if given:
                shown = await asyncio.to_thread(rendered, look, look.number(wanted), directs, language, typed)
            values["parts"] = {name: Markup(part) for name, part in shown.parts.items()}
            values["round"] = Markup(shown.list)
            if directs:
                every = await asyncio.to_thread(self._store.all)
                values["earlier"] = [each for each in every[::-1] if each.evening.entrants and each.id != look.state.id]
        return self._club.page(request, "evening", said(request, N_("Evening")), values, here="/evening", status=status)

    async def _events(self, request: Request) -> Response:
        wanted, directs = _round_of(request.query_params), self._club.directors.direct(request)
        language = language_of(request.scope)
        return stream(request, self._club.notices, lambda: self._views.parts(wanted, directs, language))

    async def _projector(self, request: Request) -> Response:
        parts = await self._views.projected(language_of(request.scope))
        values = {"live": "/projector/events", "projected": Markup(parts.parts["projector"])}
        return self._club.page(request, "projector", said(request, N_("Projector")), values, here="/projector")

    async def _projector_events(self, request: Request) -> Response:
        async def look() -> LiveParts:
            return await self._views.projected(language_of(request.scope))

        return stream(request, self._club.notices, look)

    # What directors do, and what the tables tell

    async def _act(self, request: Request) -> Response:
        action = request.path_params["action"]
        if action != "tell":  # a phone at a table tells a result
            self._club.require(request)
        form = await form_of(request, LARGEST_FORM if action == "tell" else LARGEST_LIST)
        if action not in self._actions:
            raise RequestError(404, N_("There is no such action."))
        return await self._done(request, form | {"action": action}, partial(self._actions[action], form))

    def _back_to(self, form: Form) -> str:
        """Return where on the page somebody goes on: at the table among many, or at the players."""
        action = form["action"]
        if action in AT_PLAYERS:
            return f"#{AT_PLAYERS[action]}"
        if action not in ("result", "void", "tell"):
            return ""
        number, state = _number(form, "round"), self._store.state()
        earlier = state is not None and number < state.last
        return f"{f'?round={number}' if earlier else ''}#t{_number(form, 'table')}"

    async def _take(self, request: Request) -> Response:
        """Enter the results of finished games that the director saw, if they are still the same."""
        self._club.require(request)
        form = await form_of(request, LARGEST_LIST) | {"action": "take"}
        seen = form.get("seen", "").split(";")
        found = (await self._views.finished()).values()
        wanted = [result for result in found if as_text([result]) in seen]
        if len(wanted) != len(seen):
            return await self._page(request, Text(N_("A game has another result by now.")), form)
        return await self._done(request, form, lambda: self._store.add(*wanted))

    async def _file(self, request: Request) -> Response:
        """Register the players of a file; the answer is a sentence, empty if they are registered."""
        form = dict(request.query_params)
        try:
            self._club.require(request)
            check_origin(request)
            data = await body_of(request, "text/csv", MOST_BYTES)
            why = await self._why_not(form, lambda: self._register(form, data))
        except RequestError as refusal:
            return refusal.answer()
        return PlainTextResponse("" if why is None else said(request, why), 200 if why is None else 409)

    async def _done(self, request: Request, form: Form, action: Callable[[], object]) -> Response:
        """Do something, and let everybody see it; if it cannot be, say so on the page."""
        why = await self._why_not(form, action)
        if why is not None:
            return await self._page(request, why, form)
        return RedirectResponse(f"/evening{self._back_to(form)}", 303)

    async def _why_not(self, form: Form, action: Callable[[], object]) -> Text | None:
        """Do something, and let everybody see it; return why it cannot be."""
        try:
            await asyncio.to_thread(self._checked, form, action)
        except EveningError as error:
            return error.text
        except OSError as error:
            raise RefusalError(500, Text(N_("The evening cannot be written: {why}."), why=why(error))) from None
        finally:
            self._views.forget()
            self._club.notices.wake()
            if self._club.hub is not None:
                self._club.hub.teller.wake()
        return None

    def _checked(self, form: Form, action: Callable[[], object]) -> None:
        """Do something, unless the form is of another evening, or of an earlier round where only the last counts."""
        state = None if self._store.fault else self._store.state()
        if state is not None and form.get("evening", "") != state.id:
            raise EveningError(N_("Another evening has begun since: look again."))
        if form.get("action") in OF_LAST and (state is None or state.last != _number(form, "round")):
            raise EveningError(N_("Another round is drawn by now."))
        action()

    @property
    def _evening(self) -> ClubEvening:
        state = self._store.state()
        if state is None:
            raise EveningError(NOT_BEGUN)
        return state.moment.evening

    def _player(self, form: Form, name: str = "player") -> Entrant:
        return _found(self._evening, form.get(name, ""))

    def _new(self, form: Form) -> None:
        if not self._store.fault and self._store.state() is not None and not form.get("ended"):
            raise EveningError(N_("The evening before has not ended."))
        settled = self._settled(form)
        self._store.begin(events.EveningBegun(format=1, seed=randbelow(1_000_000), **asdict(settled)))

    def _settled(self, form: Form) -> events.EveningSettled:
        """Return what a form says of an evening."""
        sizes = _number(form, "table", 1), _number(form, "smallest", 1), _number(form, "largest", 1)
        best = Best.LOWEST if form.get("lowest") else Best.HIGHEST
        deals = _number(form, "deals", 3) if form.get("deals") else 0
        return events.EveningSettled(form.get("name", ""), *sizes, best, form.get("game", "").strip(), deals)

    def _register(self, form: Form, data: bytes = b"") -> None:
        """Register the players of a list, or those of an earlier evening."""
        known, presence = self._evening.entrants, Presence.LATE if form.get("late") else Presence.PRESENT
        if of := form.get("of"):
            players = entrants_named(self._store.past(of).names.values(), known, presence)
        else:
            players = read_players(data or form.get("list", "").encode(), known, presence)
        self._store.add(events.EntrantsAdded(players))

    def _team(self, form: Form) -> None:
        """Let players sit together, or alone again."""
        evening = self._evening
        players = tuple(_found(evening, name).number for name in form.get("players", "").split(",") if name.strip())
        if len({*players}) < (1 if form.get("alone") else 2):
            raise EveningError(N_("Names of players are wanted, with commas between them."))
        teams = evening.teams.values()
        team = 0 if form.get("alone") else next(number for number in range(1, 9999) if number not in teams)
        names = evening.names
        for one, other in combinations(players if team else (), 2):
            if frozenset((one, other)) in evening.apart:
                raise EveningError(N_("{one} and {other} sit apart."), one=names[one], other=names[other])
        if team:
            check_room(evening, len(players))
        self._store.add(events.TeamMade(team, players))

    def _apart(self, form: Form) -> None:
        one, other = self._player(form, "one"), self._player(form, "other")
        if one.team and one.team == other.team and not form.get("together"):
            raise EveningError(N_("{one} and {other} play together."), one=one.name, other=other.name)
        self._store.add(events.PlayersApart(one.number, other.number, not form.get("together")))

    def _penalty(self, form: Form) -> None:
        given = form.get("share", "").replace("−", "-").replace(",", ".").strip()
        if not re.fullmatch(r"-?[0-9](\.[0-9]{1,2})?", given):
            raise EveningError(N_("A penalty is a share such as 0.5."))
        self._store.add(events.PenaltyGiven(self._player(form).number, round(100 * float(given))))

    def _typed(self, form: Form, *, corrects: bool) -> events.TableResult:
        """Return the result that a form holds: the points of each seat in a field of its own."""
        number, table = _number(form, "round"), _number(form, "table")
        players = self._evening.round(number).table(table).players
        if "players" in form and form["players"] != ",".join(map(str, players)):
            raise EveningError(N_("Others sit at table {table} by now: look again."), table=table)
        points = tuple(_points(form.get(f"p{seat}", "")) for seat in range(len(players)))
        return events.TableResult(number, table, points, corrects=corrects)

    def _boxes(self, form: Form) -> None:
        """Note which box stands at which table."""
        tables = [(int(table), box) for table, box in form.items() if table.isdecimal() and len(table) < 5 and box]
        chosen = {table: "" if box == NO_BOX else box for table, box in tables}
        self._store.place_boxes(chosen, [] if self._club.hub is None else self._club.hub.boxes)


def _found(evening: ClubEvening, written: str) -> Entrant:
    entrant = evening.find(written.strip())
    if entrant is None:
        near = get_close_matches(name_key(written), map(name_key, evening.names.values()), 1)
        known = evening.find(near[0]) if near else None
        if known is not None:
            raise EveningError(N_("There is no player “{name}”. Is it {near}?"), name=written.strip(), near=known.name)
        raise EveningError(NO_PLAYER, name=written.strip())
    return entrant


def _round_of(named: Mapping[str, str]) -> int | None:
    """Return the number of the round that an address or a form names; None if it names none."""
    wanted = named.get("round", "")
    return int(wanted) if wanted.isdecimal() and 0 < len(wanted) < 5 and int(wanted) else None


def _number(form: Form, name: str, digits: int = 4) -> int:
    given = form.get(name, "").strip()
    if not (given.isdecimal() and len(given) <= digits):
        raise EveningError(N_("“{typed}” is no whole number."), typed=given)
    return int(given)


def _points(given: str) -> int:
    """Return the points that were typed.

    >>> _points(" −5")
    -5
    """
    word = given.strip().replace("−", "-")
    if not re.fullmatch("[-+]?[0-9]{1,5}", word):
        raise EveningError(N_("Points are whole numbers from −99999 to 99999."))
    return int(word)


HEADINGS = {
    "seats": N_("{name}: seats, round {number}"),
    "names": N_("{name}: names, round {number}"),
    "ranking": N_("{name}: ranking, after round {number}"),
    "results": N_("{name}: results, after round {number}"),
}
"""The headings of the lists that are printed."""
SAVED = {"ranking": lists.ranking_table, "results": lists.result_table}


class SeasonPages:
    """The routes of the season, and of the lists of each evening."""

    def __init__(self, club: Club) -> None:
        self._club = club
        self.routes = [
            Route("/season", self._season),
            Route("/season.csv", self._season),
            Route("/season/print", self._season),
            Route("/evening/print/{what}", self._print),
            Route("/evening/{what}.csv", self._csv),
        ]

    async def _season(self, request: Request) -> Response:
        """Answer with the ranking over the evenings of a year, or of all years."""
        every, runs = await asyncio.to_thread(self._club.evenings.all), self._runs
        evenings = [each for each in every if each.evening.entrants or each.id == runs]
        years = sorted({time.localtime(each.begun).tm_year for each in evenings}, reverse=True)
        year = request.query_params.get("year", "")
        chosen = [each for each in evenings if not year or str(time.localtime(each.begun).tm_year) == year]
        rows = await asyncio.to_thread(lists.season_table, [each.evening for each in chosen])
        if request.url.path.endswith(".csv"):
            return _file(request, "season", rows)
        if request.url.path.endswith("print"):
            heading = said(request, N_("Season {year}") if year else N_("Season"), year=year)
            return self._club.page(request, "evening_print", heading, {"rows": rows, "now": time.time()})
        values = {"rows": rows, "evenings": chosen[::-1], "years": years, "year": year, "runs": runs}
        return self._club.page(request, "season", said(request, N_("Season")), values, here="/season")

    @property
    def _runs(self) -> str:
        """Return the name of the evening that runs; empty if none does, or it cannot be read."""
        state = None if self._club.evenings.fault else self._club.evenings.state()
        return "" if state is None else state.id

    async def _print(self, request: Request) -> Response:
        evening, number = await self._chosen(request)
        what = request.path_params["what"]
        if what in ("slips", "cards") and number:
            tables = [table for table in evening.round(number).tables if len(table.players) > 1]
            heading = said(request, N_("{name}, round {number}"), name=evening.name, number=number)
            values = {"evening": evening, "number": number, "tables": tables, "slips": what == "slips"}
            values["address"] = self._club.address
            return self._club.page(request, "cards", heading, values)
        rows = _rows(evening, number, what)
        if what not in SAVED:
            rows = [row[1:] for row in rows]  # the heading says which round
        heading = said(
            request, HEADINGS[what], name=evening.name, number=len(evening.rounds) if what in SAVED else number
        )
        return self._club.page(request, "evening_print", heading, {"rows": rows, "now": time.time()})

    async def _csv(self, request: Request) -> Response:
        evening, number = await self._chosen(request)
        what = request.path_params["what"]
        return _file(request, what, _rows(evening, number, what))

    async def _chosen(self, request: Request) -> tuple[ClubEvening, int]:
        """Return the evening and the number of the round that an address names: by default the last ones."""
        name = request.query_params.get("of", "")
        try:
            evening = await asyncio.to_thread(self._club.evenings.past, name or self._runs)
        except EveningError:
            raise RequestError(404, NO_EVENING if name else NOT_BEGUN) from None
        last = len(evening.rounds)
        return evening, min(_round_of(request.query_params) or last, last)


def _rows(evening: ClubEvening, number: int, what: str) -> lists.Rows:
    """Return the list that an address names."""
    if what in SAVED:
        return SAVED[what](evening)
    if what in ("seats", "names") and number:
        return lists.seat_table(evening, number, by_name=what == "names")
    raise RequestError(404, N_("There is no such list."))


def _file(request: Request, name: str, rows: lists.Rows) -> Response:
    """Return a list as a file for a spreadsheet in the reader's language."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    data = lists.csv_in(rows, words_of(language_of(request.scope)))
    return Response(data, media_type="text/csv", headers=headers)
