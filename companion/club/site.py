"""The site of the club: its routes, answers to wrong requests, headers, and the server."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from socket import socket
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from companion.core.games import GameFaultError
from companion.core.text import N_
from companion.web.access import LARGEST_HEADERS, HostCheck, with_headers
from companion.web.addresses import own_names
from companion.web.error_answers import RequestError
from companion.web.limits import BACKLOG, Connections, Limits, Rate, SenderTrust, listen

from .evening_pages import EveningPages, SeasonPages
from .page_context import COOKIE, LASTS, Club, RefusalError, form_of, in_its_language, said

OWN, BOX = Path(__file__).parent / "page", Path(__file__).parents[1] / "web" / "page"
KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
FILES = [
    *(OWN / name for name in ("club.css", "club.js")),
    *(BOX / name for name in ("design.css", "history.css", "live.js", "icon.svg")),
]
LIMITS = Limits(
    connections=1000,
    stranger_connections=900,
    stranger_connections_each=64,  # a family behind one address; a page has one stream and a few requests
    stranger=Rate(20, 100),
    strangers=Rate(200, 1000),
    timeout=15,
)


def site(club: Club) -> Starlette:
    """Return the ASGI application of the club's pages."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        club.notices.begin()
        if club.hub is None:
            yield
            return
        async with club.hub.running():
            yield

    async def wrong_address(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        nothing, no_such = N_("There is nothing at this address."), N_("This address takes no such request.")
        return await refused(request, RequestError(status, nothing if status == 404 else no_such))

    async def refused(request: Request, refusal: Exception) -> Response:
        if isinstance(refusal, GameFaultError):
            refusal = RefusalError(500, refusal.text)
        assert isinstance(refusal, RequestError)  # Starlette's type is wider than what it passes
        told = {"sentence": in_its_language(request, refusal)}
        page = club.page(request, "sentence", "Tabletop Companion", told, status=refusal.status)
        page.headers.update(refusal.headers)
        return page

    async def sign_in(request: Request) -> Response:
        refusal = ""
        if request.method == "POST":
            if club.directors.is_right((await form_of(request)).get("password", "")):
                answer = RedirectResponse("/evening", 303)
                secure = request.url.scheme == "https"
                cookie = club.directors.cookie()
                answer.set_cookie(COOKIE, cookie, max_age=LASTS, httponly=True, samesite="strict", secure=secure)
                return answer
            refusal = said(request, N_("The password is wrong."))
        values, status = {"refusal": refusal, "command": club.command}, 403 if refusal else 200
        return club.page(request, "sign_in", said(request, N_("Sign in")), values, here="/sign-in", status=status)

    async def sign_out(request: Request) -> Response:
        await form_of(request)
        answer = RedirectResponse("/evening", 303)
        answer.delete_cookie(COOKIE)
        return answer

    handlers: dict[Any, Any] = {
        HTTPException: wrong_address,
        RequestError: refused,
        GameFaultError: refused,
        ValueError: wrong_address,  # a number in an address with more digits than Python reads
    }
    routes = [
        *(Route(f"/{file.name}", _file(file)) for file in FILES),
        Route("/sign-in", sign_in, methods=["GET", "POST"]),
        Route("/sign-out", sign_out, methods=["POST"]),
        *EveningPages(club).routes,
        *SeasonPages(club).routes,
    ]
    if club.hub is not None:
        from .table_pages import TablePages, database_answers  # they need the database's client

        routes += TablePages(club).routes
        handlers |= database_answers(refused)
    return Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)


def _file(file: Path) -> Callable[[Request], Awaitable[Response]]:
    content = file.read_bytes()

    async def answer(_request: Request) -> Response:
        return Response(content, media_type=KINDS[file.suffix])

    return answer


def _trusting(inner: ASGIApp, club: Club, connections: Connections) -> ASGIApp:
    """Return an application that notes directors' connections: no stranger's replaces one of them."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if club.directors.direct(Request(scope)):
            connections.note_sender(scope, SenderTrust.PAIRED)
        await inner(scope, receive, send)

    return app


def server(club: Club, host: str, port: int, proxy: str = "") -> tuple[uvicorn.Server, socket]:
    """Return the server of the pages and the socket on which it listens: ``server.run(sockets=[socket])``.

    Args:
        club: What they show.
        host: The address to listen on.
        port: The port; 0 takes a free one.
        proxy: The address of a proxy whose word on visitors' addresses is believed; empty if there is none. It passes
            on what it wants: its own connections are not limited, and it checks the names of the site.

    Raises:
        PageNotServedError: The address or port is not available.
    """
    listening = listen(host, port, early=False)
    connections = Connections(LIMITS)
    own: ASGIApp = site(club)
    if proxy:
        checks = with_headers(ProxyHeadersMiddleware(own, trusted_hosts=proxy))  # type: ignore[arg-type]
    else:
        listening.may_connect = connections.may_connect
        names = frozenset({host.lower(), listening.getsockname()[0]} | own_names())
        checks = HostCheck(_trusting(own, club, connections), names, connections)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:  # start and end go straight to the site
        await (checks if scope["type"] == "http" else own)(scope, receive, send)

    config = uvicorn.Config(
        app,
        http="h11" if proxy else connections.protocol,  # type: ignore[arg-type]  # uvicorn only calls it
        h11_max_incomplete_event_size=LARGEST_HEADERS,
        timeout_keep_alive=math.ceil(LIMITS.timeout),
        timeout_graceful_shutdown=1,
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        ws="none",
    )
    return uvicorn.Server(config), listening
