"""The pages of the tables with boxes: all tables, one table, all games, and corrections by the director."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode

import psycopg
from markupsafe import Markup
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.core.session import Session
from companion.core.text import N_, IllegalEventError
from companion.ui.translations import Translator
from companion.web.error_answers import RequestError
from companion.web.requests import language_of

from . import page_markup
from .corrections import CorrectionForm, SentCorrection, draft, record, sent_to
from .database import NO_ANSWER, ON_A_PAGE, StoredGame, latest, lines_of, stored_game
from .game_score import TableRow, difference
from .hub import NO_GAME, NO_TABLE
from .live import BEAT, LiveParts, stream
from .page_context import Club, RefusalError, form_of, said
from .page_markup import Reasons
from .store_game_lines import tick_off

MOST_ANSWERS = 60  # answers that a correction may take
DIRECTOR = "The director"  # who corrects, as the table is told
DIGITS = 18  # of a number in an address


_Row = tuple[TableRow, Reasons, str]  # with its markup


class _Overview(Struct, frozen=True):
    """All tables as they were rendered last in a language."""

    parts: LiveParts
    rows: dict[str, _Row]  # by box
    seen: int  # the number of the notice
    at: float  # in seconds since 1970


class TablePages:
    """The routes of tables, games and corrections."""

    def __init__(self, club: Club) -> None:
        assert club.hub is not None
        self._club, self._hub = club, club.hub
        self._overviews: dict[str, _Overview] = {}  # by language
        self.routes = [
            Route("/tables", self._tables),
            Route("/tables/events", self._events),
            Route("/tables/{number}", self._table),
            Route("/tables/{number}/events", self._table_events),
            Route("/tables/{number}/call", self._call, methods=["POST"]),
            Route("/games", self._games),
            Route("/games/{id}.jsonl", self._log),
            Route("/games/{id}", self._game),
            Route("/games/{id}/correct", self._correct, methods=["GET", "POST"]),
        ]

    # All tables

    async def _tables(self, request: Request) -> Response:
        shown = self.overview(time.time(), language_of(request.scope))
        values = {"rows": Markup(shown.list), "waiting": Markup(shown.parts["attention"]), "live": "/tables/events"}
        return self._club.page(request, "tables", said(request, N_("Tables")), values, here="/tables")

    async def _events(self, request: Request) -> Response:
        async def look() -> LiveParts:
            return self.overview(time.time(), language_of(request.scope))

        return stream(request, self._club.notices, look)

    def overview(self, now: float, language: str = "en") -> LiveParts:
        """Return all tables, rendered once for all who look in a language; rows only if they have changed."""
        seen, last = self._club.notices.number, self._overviews.get(language)
        if last is None or seen != last.seen or now - last.at >= BEAT:
            before, shown, waiting = {} if last is None else last.rows, dict[str, _Row](), []
            for table in self._hub.scorer.tables:
                reasons = tuple(table.attention(now))
                old = before.get(table.device)
                if old is None or old[0] is not table or old[1] != reasons:
                    old = table, reasons, page_markup.row(table, reasons, language)
                shown[table.device] = old
                if reasons:
                    waiting.append((table, reasons))
            rows = {f"t{table.note.number}": markup for table, _reasons, markup in shown.values()}
            attention = {"attention": str(page_markup.attention(waiting, language))}
            parts = LiveParts(attention, "tables", str(page_markup.rows(rows.values(), language)), rows)
            self._overviews[language] = last = _Overview(parts, shown, seen, now)
        return last.parts

    # One table, one game

    async def _table(self, request: Request) -> Response:
        table = self._hub.table(_number(request, "number"))
        found = await self._hub.database.ask(lambda connection: stored_game(connection, table.id))
        return await self._page(request, table.name, found, table)

    async def _game(self, request: Request) -> Response:
        game = await self._hub.game(_number(request, "id"))
        return await self._page(request, f"{game.table}: {game.name}", game, None)

    async def _page(self, request: Request, heading: str, game: StoredGame | None, table: TableRow | None) -> Response:
        """Return the page of a game, or of a table with its latest game."""
        scored = None if game is None else await self._hub.scored(game)
        corrections: list[SentCorrection] = []
        if game is not None:
            corrections = await self._hub.database.ask(lambda connection: sent_to(connection, game.id))
        note = None if game is None else difference(game.differs)
        values: dict[str, object] = {
            "table": table,
            "id": None if game is None else game.id,
            "game": said(request, N_("No game has been played here."))
            if scored is None
            else page_markup.game_part(scored, note, language_of(request.scope)),
            "corrections": corrections,
            "correctable": scored is not None and scored.session is not None,
        }
        if table is not None:
            values["live"] = f"/tables/{table.note.number}/events"
        return self._club.page(request, "game", heading, values)

    async def _table_events(self, request: Request) -> Response:
        table = self._hub.table(_number(request, "number"))

        async def look() -> LiveParts | None:
            row = self._hub.scorer.by_device.get(table.device)
            game = None if row is None else self._hub.scorer.game(row.id)
            if row is None or game is None:
                return None
            return LiveParts({"game": str(page_markup.game_part(game, row.fault, language_of(request.scope)))})

        return stream(request, self._club.notices, look)

    async def _log(self, request: Request) -> Response:
        game = await self._hub.game(_number(request, "id"))
        lines = await self._hub.slow_database.ask(lambda connection: lines_of(connection, game))
        headers = {"Content-Disposition": 'attachment; filename="game.jsonl"'}
        return Response(b"".join(line + b"\n" for line in lines), media_type="application/jsonl", headers=headers)

    async def _games(self, request: Request) -> Response:
        """Answer with all games, the latest first, a page at a time."""
        given = request.query_params.get("before", "")
        before = float(given) if given.replace(".", "", 1).isdecimal() and len(given) < DIGITS else time.time() + 1
        games = await self._hub.slow_database.ask(lambda connection: latest(connection, before))
        more = games[-1].last_at if len(games) == ON_A_PAGE else None
        values = {"games": games, "before": more}
        return self._club.page(request, "games", said(request, N_("Games")), values, here="/games")

    # What directors do

    async def _call(self, request: Request) -> Response:
        """Note that the director has been at a table that called."""
        self._club.require(request)
        await form_of(request)
        table = self._hub.table(_number(request, "number"))
        if await self._hub.database.ask(lambda connection: tick_off(connection, table.device)):
            self._hub.teller.wake()
        return RedirectResponse(f"/tables/{table.note.number}", 303)

    async def _correct(self, request: Request) -> Response:
        """Answer with a list of entries, the questions of one, and send a correction to the table."""
        self._club.require(request)
        game = await self._hub.game(_number(request, "id"))
        session = (await self._hub.scored(game)).session
        if session is None:
            raise RequestError(404, N_("Without rules a game cannot be corrected."))
        query = request.url.query
        words = page_markup.words_of(language_of(request.scope))
        if request.method == "POST":
            given = await form_of(request)
            number, made = _chosen(session, given.get("chosen", ""), words)
            if not made.line:
                raise RequestError(400, made.refusal or N_("This correction is not finished."))
            if given.get("was") != made.was[0]:
                raise RequestError(409, N_("The entry is another one by now."))
            await self._hub.database.ask(lambda connection: record(connection, game, number, made, DIRECTOR))
            self._hub.teller.send_corrections()
            return RedirectResponse(f"/games/{game.id}", 303)
        values = _entry(session, game, query, words) if query else _entries(session, words)
        heading = said(request, N_("Correct {table}"), table=game.table)
        return self._club.page(request, "correct", heading, {"id": game.id, **values})


def database_answers(refused: Callable[[Request, Exception], Awaitable[Response]]) -> dict[type[Exception], Any]:
    """Return what answers where the database does not or refuses, by the kind of error."""

    async def no_database(request: Request, _error: Exception) -> Response:
        return await refused(request, RequestError(503, NO_ANSWER, again=5))

    async def no_text(request: Request, _error: Exception) -> Response:
        return await refused(request, RequestError(400, N_("What was sent is no text.")))

    return {psycopg.OperationalError: no_database, psycopg.InterfaceError: no_database, psycopg.DataError: no_text}


def _number(request: Request, name: str) -> int:
    """Return a number in an address; refuse anything else."""
    given = str(request.path_params[name])
    if not (given.isascii() and given.isdecimal() and len(given) <= DIGITS):
        raise RequestError(404, NO_TABLE if name == "number" else NO_GAME)
    return int(given)


def _entries(session: Session, words: Translator) -> dict[str, object]:
    """Return the list of all entries, the latest first."""
    game, words = session.header.game, words.at(session.header.players)
    entries = [(step.number, words.sentence(game.describe(step.event))) for step in session.steps()]
    return {"entries": entries, "made": None}


def _entry(session: Session, game: StoredGame, query: str, words: Translator) -> dict[str, object]:
    """Return what the page of one entry shows."""
    number, made = _chosen(session, query, words)
    here = f"/games/{game.id}/correct?"
    answers = [(label, here + query + "&" + urlencode({"a": name})) for name, label in made.answers]
    out = f"{here}entry={number}&out=yes"
    shown = {"made": made, "number": number, "answers": answers, "chosen": query, "pairs": parse_qsl(query), "out": out}
    return {"entries": [], **shown}


def _chosen(session: Session, query: str, words: Translator) -> tuple[int, CorrectionForm]:
    """Return the number of the entry and the correction that an address names."""
    pairs = parse_qsl(query)
    number = dict(pairs).get("entry", "")
    if not (number.isdecimal() and len(number) < 7) or len(pairs) > MOST_ANSWERS:
        raise RequestError(400, N_("An entry has a number, from 1."))
    try:
        typed = [value for name, value in pairs if name == "a"]
        chosen = [f"number {value}" if value.removeprefix("-").isdecimal() else value for value in typed]
        return int(number), draft(session, int(number), chosen, words, take_out="out" in dict(pairs))
    except IllegalEventError as error:
        raise RefusalError(404, error.text) from None
