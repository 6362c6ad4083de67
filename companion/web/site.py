"""The web application of the box (ASGI): puts all routes together."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from html import escape
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from companion.app.inputs import TypedAnswer
from companion.core.text import N_, Text
from companion.ui.keys import KEYPAD, Key, KeyLayout
from companion.ui.translations import languages

from .accepted_language import language_of
from .added_games_page import GamesPage
from .backup_page import BackupPage
from .bridge_routes import hub_routes
from .connection_limits import Connections
from .error_answers import RequestError
from .history_routes import HistoryRoutes
from .join_page import JoinPage
from .live_routes import LiveRoutes
from .live_template_values import translator, words_of
from .loop_requests import NO_ROOM, Put
from .page_mirror import PageMirror
from .page_templates import render
from .phone_checks import (
    PhoneCheck,
    PhoneDirectory,
    StreamLimits,
    is_navigation,
    phone_of,
    require_scorer,
    require_this_computer,
)
from .rate_limits import Limits
from .request_bodies import body_of, read_key, read_text
from .stream import Stream, StreamEndpoint

PAGE = Path(__file__).parent / "page"
KINDS = {
    **{".css": "text/css", ".html": "text/html", ".js": "text/javascript"},
    **{".png": "image/png", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json"},
}
FILES = {
    "/" if file.name == "index.html" else f"/{file.name}": (file.name, KINDS[file.suffix])
    for file in PAGE.iterdir()
    if file.suffix in KINDS  # an editor may leave others
}
"""The files of the page and their media types, by their paths."""
KEPT = "max-age=60"
"""How long a browser need not ask for a file again: from page to page, and not much longer than an update takes."""


def with_board_keys(content: bytes, board: KeyLayout) -> bytes:
    """Return a file of the page with a board's keys in place of the keypad's."""
    kind, keys = (f'data-{name}="{{}}"'.format for name in ("board", "keys"))
    usual = f"{kind(KEYPAD.kind)} {keys(KEYPAD.keys)}"
    return content.replace(usual.encode(), f"{kind(board.kind)} {keys(escape(board.keys))}".encode())


class Site:
    """The ASGI application of the page."""

    def __init__(
        self,
        put: Put,
        mirror: PageMirror,
        heartbeat: float,
        board: KeyLayout,
        limits: Limits,
        phones: PhoneDirectory,
        connections: Connections,
        folder: Path | None = None,
        only_here: bool = False,
    ) -> None:
        self._put = put
        self._stream = Stream(mirror, heartbeat)
        self._stream_limits = StreamLimits(limits)
        files = [
            self._file(path, with_board_keys((PAGE / name).read_bytes(), board), kind)
            for path, (name, kind) in FILES.items()
        ]
        key = Route("/key", self._input_endpoint(read_key), methods=["POST"])
        text = Route("/text", self._input_endpoint(read_text), methods=["POST"])
        events = Route("/events", StreamEndpoint(self._joined), methods=["GET"])
        design = Route("/design", _design, methods=["GET"])
        self._live = LiveRoutes(put, mirror, heartbeat, self._stream_limits)
        join = JoinPage(put, phones, limits)
        self._history = HistoryRoutes(folder, put)
        self._backup = BackupPage(folder)
        games = GamesPage(folder, put)
        served = Starlette(
            routes=[
                *(*files, events, key, text, design, *hub_routes(put, folder), *join.routes),
                *(*self._live.routes, *self._history.routes, *self._backup.routes, *games.routes),
            ],
            exception_handlers={HTTPException: _not_found, RequestError: _refused},
        )
        served.router.redirect_slashes = False
        self.app = PhoneCheck(served, _refused, phones, connections, limits, only_here)

    @property
    def listeners(self) -> int:
        """Return the number of open streams."""
        return len(self._stream_limits)

    def close(self) -> None:
        """End every stream; called in the server's event loop."""
        self._stream.close()
        self._live.close()
        self._history.close()
        self._backup.close()
        self.app.close()

    @staticmethod
    def _file(path: str, content: bytes, kind: str) -> Route:
        @cache
        def packed() -> bytes:
            return gzip.compress(content, mtime=0)

        async def answer(request: Request) -> Response:
            if path == "/" and _is_for_the_table(request):
                return RedirectResponse("/table", 303)
            headers = {} if kind == "text/html" else {"Cache-Control": KEPT}
            if kind == "image/png" or "gzip" not in request.headers.get("accept-encoding", ""):
                return Response(content, headers=headers, media_type=kind)
            packing = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            return Response(packed(), headers=headers | packing, media_type=kind)

        return Route(path, answer, methods=["GET"])

    @asynccontextmanager
    async def _joined(self, scope: Scope) -> AsyncIterator[AsyncIterator[bytes]]:
        """Yield the frames to a listener; the number of listeners is limited."""
        with self._stream_limits.place(scope), self._stream.joined() as events:
            yield events

    def _input_endpoint(self, read: Callable[[bytes], Key | TypedAnswer]) -> Callable[[Request], Awaitable[Response]]:
        """Return an endpoint that reads a key or a text from a request and puts it into the queue."""

        async def answer(request: Request) -> Response:
            require_scorer(request.scope)
            if not self._put(read(await body_of(request))):
                raise RequestError(429, NO_ROOM, again=1)
            return Response(status_code=204)

        return answer


def _is_for_the_table(request: Request) -> bool:
    """Return whether somebody typed the address of the page on a phone, which has no keys of a box but its own page."""
    phone = phone_of(request.scope)
    paired = phone is not None and phone.number > 0
    return paired and is_navigation(request.scope) and "keys" not in request.query_params


async def _design(request: Request) -> Response:
    """Show what the pages are made of, in a dark room and a light one, and in each language."""
    require_this_computer(request.scope, N_("Only a browser on the computer that runs the program shows the design."))
    shown = [(light, language, words_of(language)) for language in languages() for light in ("dark", "bright")]
    return HTMLResponse(render("design.html", language="en", say=words_of("en"), shown=shown))


async def _refused(request: Request, refusal: Exception) -> Response:
    """Answer a request that is refused, wherever that is found."""
    assert isinstance(refusal, RequestError)  # Starlette's type is wider than what it passes
    words = translator(language_of(request.scope))  # for the sentences that people meet; others stay as they are
    return _told(request, words(Text(refusal.sentence)), refusal.status, refusal.headers)


async def _not_found(request: Request, error: Exception) -> Response:
    """Answer a request for an unknown path or with a wrong method."""
    assert isinstance(error, HTTPException)
    headers = error.headers or {}
    sentence = (
        Text(N_("This address only takes {methods}."), methods=headers["Allow"])
        if "Allow" in headers
        else Text(N_("There is nothing at this address; the page is at /."))
    )
    return _told(request, translator(language_of(request.scope))(sentence), error.status_code, headers)


def _told(request: Request, sentence: str, status: int, headers: Mapping[str, str]) -> Response:
    """Answer with a sentence: as a page where a browser opens one."""
    if not is_navigation(request.scope):
        return PlainTextResponse(sentence, status, headers)
    language = language_of(request.scope)
    page = render("refusal.html", language=language, say=words_of(language), sentence=sentence)
    return HTMLResponse(page, status, headers)
