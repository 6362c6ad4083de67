"""The pages that everybody may see: tables, league, archive, games."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.games import GAMES
from companion.history.selection import Selection
from companion.web.error_answers import RequestError

from . import archive_search, page_markup
from .archive_search import StoredGame
from .corrections import SentCorrection, sent_to
from .database import Connection
from .game_score import difference
from .league import ClubLeagues
from .live_feed import ALIVE, event, stream
from .overview import TableRow
from .page_context import ClubData


class PublicPages:
    """The routes for everybody."""

    def __init__(self, club: ClubData) -> None:
        self._club = club
        self._standings = ClubLeagues()
        self.routes = [
            Route("/", self._tables),
            Route("/events", self._events),
            Route("/tables/{number:int}", self._table),
            Route("/tables/{number:int}/events", self._table_events),
            Route("/games/{id:int}", self._game),
            Route("/games/{id:int}.jsonl", self._log),
            Route("/league", self._league),
            Route("/archive", self._archive),
        ]

    async def _tables(self, request: Request) -> Response:
        return HTMLResponse(self._club.feed.page(visitor=await self._club.visitor(request)))

    async def _events(self, request: Request) -> Response:
        seen = request.headers.get("last-event-id") or request.query_params.get("from", "")
        return stream(request, self._club.feed.events(int(seen) if seen.isdecimal() and len(seen) < 16 else -1))

    async def _table(self, request: Request) -> Response:
        table = self._club.table_of(request)
        found = await self._club.database.ask(lambda connection: archive_search.stored_game(connection, table.id))
        return await self._page(request, table.name, found, table)

    async def _game(self, request: Request) -> Response:
        game = await self._club.game_of(request)
        return await self._page(request, f"{game.table}: {game.name}", game, None)

    async def _page(self, request: Request, heading: str, game: StoredGame | None, table: TableRow | None) -> Response:
        """Return the page of a game, or of a table with its latest game."""
        scored = None if game is None else await self._club.scored(game)
        corrections: list[SentCorrection] = []
        if game is not None:
            corrections = await self._club.database.ask(lambda connection: sent_to(connection, game.id))
        values: dict[str, object] = {}
        if table is not None:
            values["live"] = f"/tables/{table.note.number}/events"
        note = "" if game is None else difference(game.differs)
        content = page_markup.page(
            "game",
            heading,
            visitor=await self._club.visitor(request),
            table=table,
            id=None if game is None else game.id,
            game="No game has been played here." if scored is None else page_markup.game_part(scored, note),
            corrections=corrections,
            correctable=scored is not None and scored.session is not None,
            **values,
        )
        return HTMLResponse(content)

    async def _table_events(self, request: Request) -> Response:
        table = self._club.table_of(request)

        async def events() -> AsyncIterator[bytes]:
            number = 0
            async for changed in self._club.feed.changes(lambda: self._club.scorer.by_device.get(table.device)):
                if changed is None:
                    yield ALIVE
                elif (game := self._club.scorer.game(changed.id)) is not None:
                    number += 1
                    yield event(number, {"game": page_markup.game_part(game, changed.fault)})

        return stream(request, events())

    async def _log(self, request: Request) -> Response:
        game = await self._club.game_of(request)
        lines = await self._club.slow_database.ask(lambda connection: archive_search.lines_of(connection, game))
        headers = {"Content-Disposition": 'attachment; filename="game.jsonl"'}
        return Response(b"".join(line + b"\n" for line in lines), media_type="application/jsonl", headers=headers)

    async def _league(self, request: Request) -> Response:
        query = request.query_params
        since, until = (_day(query.get(name, "")) for name in ("since", "until"))
        chosen = Selection(query.get("game") or None, since, until)
        visitor = await self._club.visitor(request)

        def work(connection: Connection) -> str:
            standing = self._standings.standing(connection, chosen)
            return page_markup.page(
                "league",
                "League",
                here="/league",
                visitor=visitor,
                rows=standing.rows,
                count=standing.count,
                kinds=[(kind, GAMES.title(kind) if kind in GAMES else kind) for kind in standing.kinds],
                chosen={name: query.get(name, "") for name in ("game", "since", "until")},
            )

        return HTMLResponse(await self._club.slow_database.ask(work))

    async def _archive(self, request: Request) -> Response:
        words, page = request.query_params.get("words", "")[:80], request.query_params.get("page", "")
        number = int(page) if page.isdecimal() and len(page) < 6 else 0
        games, more = await self._club.slow_database.ask(
            lambda connection: archive_search.search(connection, words, number)
        )

        def address(to: int, there: bool) -> str | None:
            return f"/archive?{urlencode({'words': words, 'page': to})}" if there else None

        content = page_markup.page(
            "archive",
            "Archive",
            here="/archive",
            visitor=await self._club.visitor(request),
            games=games,
            words=words,
            newer=address(number - 1, number > 0),
            older=address(number + 1, more),
        )
        return HTMLResponse(content)


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise RequestError(400, "A date is written 2026-11-22.") from None
