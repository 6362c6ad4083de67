"""The site of the club: all routes, answers to wrong requests, headers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import Message, Receive, Scope, Send

from companion.core.games import GameFaultError
from companion.web.error_answers import HEADERS, RequestError

from . import page_markup
from .correction_pages import CorrectionPages
from .evening_pages import EveningPages
from .page_context import ClubData
from .public_pages import PublicPages
from .signed_in_pages import SignedInPages

OWN, BOX = Path(__file__).parent / "page", Path(__file__).parents[1] / "web" / "page"
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FILES = [
    *(OWN / name for name in ("club.css", "club.js")),
    *(BOX / name for name in ("design.css", "history.css", "live.js", "icon.svg")),
]


class ClubSite:
    """The ASGI application of the club's pages."""

    def __init__(self, club: ClubData) -> None:
        self.club = club
        files = (Route(f"/{file.name}", _file(file)) for file in FILES)
        routes = [*files, *PublicPages(club).routes, *SignedInPages(club).routes, *CorrectionPages(club).routes]
        routes += EveningPages(club).routes
        handlers = {
            HTTPException: _wrong_address,
            RequestError: _refused,
            GameFaultError: _game_fails,
            psycopg.OperationalError: _no_database,
            psycopg.DataError: _no_text,
        }
        self.app = _WithHeaders(Starlette(routes=routes, exception_handlers=handlers, lifespan=self._lifespan))

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        """Follow the database while the pages are served."""
        self.club.scorer.start()
        tasks = [asyncio.create_task(work()) for work in (self.club.feed.run, self.club.teller.run)]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.to_thread(self.club.scorer.stop)
            self.club.database.close()
            self.club.slow_database.close()
            self.club.results_database.close()


def _file(file: Path) -> Callable[[Request], Awaitable[Response]]:
    content = file.read_bytes()

    async def answer(_request: Request) -> Response:
        return Response(content, media_type=KINDS[file.suffix])

    return answer


def _sentence(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> Response:
    content = page_markup.page("sentence", "Tabletop Companion", sentence=sentence, sign_in=status == 403)
    return HTMLResponse(content, status, headers)


async def _wrong_address(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    return _sentence(
        status, "There is nothing at this address." if status == 404 else "This address takes no such request."
    )


async def _refused(_request: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, RequestError)  # Starlette's type is wider than what it passes
    return _sentence(refusal.status, refusal.sentence, refusal.headers)


async def _game_fails(_request: Request, fault: Exception) -> Response:
    return _sentence(500, str(fault))


async def _no_text(_request: Request, _error: Exception) -> Response:
    return _sentence(400, "What was sent is no text.")


async def _no_database(_request: Request, _error: Exception) -> Response:
    return _sentence(503, "The database does not answer.", {"Retry-After": "5"})


class _WithHeaders:
    """An ASGI application whose answers have the headers of every page."""

    def __init__(self, inner: Starlette) -> None:
        self._inner = inner
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        await self._inner(scope, receive, with_headers)
