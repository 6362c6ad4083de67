"""The web application of the box (ASGI): puts all routes together, and answers what is refused or not there."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.core.text import N_, Text
from companion.ui.keys import KeyLayout
from companion.ui.translations import languages

from .access import PhoneCheck, PhoneDirectory, is_navigation, phone_of, require_this_computer
from .bridge_routes import hub_routes
from .device_page import DevicePage, with_board_keys
from .error_answers import RequestError
from .history_routes import HistoryRoutes
from .join_page import JoinPage
from .limits import Connections
from .live_routes import LiveRoutes, Streams
from .owner_pages import BackupPage, GamesPage
from .page_mirror import PageMirror
from .page_templates import html_page, translator, words_of
from .requests import Put, language_of

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


class Site:
    """The ASGI application of the page."""

    def __init__(
        self,
        put: Put,
        mirror: PageMirror,
        heartbeat: float,
        board: KeyLayout,
        phones: PhoneDirectory,
        connections: Connections,
        folder: Path | None = None,
    ) -> None:
        self.streams = Streams(mirror, heartbeat, connections.limits)
        self._history = HistoryRoutes(folder, put)
        self._backup = BackupPage(folder)
        files = [
            _file(path, with_board_keys((PAGE / name).read_bytes(), board), kind)
            for path, (name, kind) in FILES.items()
        ]
        served = Starlette(
            routes=[
                *files,
                *DevicePage(put, self.streams).routes,
                *LiveRoutes(put, mirror, self.streams).routes,
                *JoinPage(put, phones, connections.limits).routes,
                *self._history.routes,
                *self._backup.routes,
                *GamesPage(folder, put).routes,
                *hub_routes(put, folder),
                Route("/design", _design, methods=["GET"]),
            ],
            exception_handlers={HTTPException: _not_found, RequestError: _refused},
        )
        served.router.redirect_slashes = False
        self.app = PhoneCheck(served, _refused, phones, connections)

    def close(self) -> None:
        """End every stream; called in the server's event loop."""
        self.streams.close()
        self._history.close()
        self._backup.close()
        self.app.close()


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


def _is_for_the_table(request: Request) -> bool:
    """Return whether somebody typed the address of the page on a phone, which has no keys of a box but its own page."""
    phone = phone_of(request.scope)
    paired = phone is not None and phone.number > 0
    return paired and is_navigation(request.scope) and "keys" not in request.query_params


async def _design(request: Request) -> Response:
    """Show what the pages are made of, in a dark room and a light one, and in each language."""
    require_this_computer(request.scope, N_("Only a browser on the computer that runs the program shows the design."))
    shown = [(light, language, words_of(language)) for language in languages() for light in ("dark", "bright")]
    return html_page("design.html", "en", {"shown": shown})


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
    return html_page("refusal.html", language_of(request.scope), {"sentence": sentence}, status, headers)
