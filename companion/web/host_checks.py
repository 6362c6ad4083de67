"""Checks Host and Origin headers: accepts only this server's names and its own page."""

from __future__ import annotations

import re

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .addresses import loopback, plain
from .connection_limits import Connections
from .error_answers import HEADERS, RequestError, TooManyRequestsError

LARGEST_HEADERS = 8192  # the most bytes of a request's headers

AUTHORITY = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{0,5})?")
"""A Host header: a name or an address, with or without a port; no user, no path."""

CONNECTIVITY_CHECK = "/generate_204"
"""The path by which Android asks whether a network leads anywhere; without an answer it leaves the box's own Wi-Fi."""


class HostCheck:
    """ASGI middleware that checks Host and Origin and adds security headers. A refused request counts as a stranger's.

    The host name of a foreign page can resolve to this address (DNS rebinding). The page would then have our origin,
    but its name stays in the Host header, which no page can change.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], connections: Connections) -> None:
        self._app = app
        self._connections = connections
        self._hosts = frozenset(map(plain, hosts)) - {""}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        answer = self._answer(scope)
        if answer is not None and not self._connections.may_request(scope):
            answer = TooManyRequestsError().answer()
        await (answer or self._app)(scope, receive, send_with_headers)

    def _answer(self, scope: Scope) -> Response | None:
        """Return the answer to a request that goes no further; None if it may."""
        if scope["path"] == CONNECTIVITY_CHECK:  # asked for by the name of another host
            return Response(status_code=204)
        try:
            self._check(scope)
        except RequestError as refusal:
            return refusal.answer()
        return None

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        if sum(len(name) + len(value) for name, value in headers.raw) > LARGEST_HEADERS:
            raise RequestError(431, "The headers of the request are too large.")
        if not scope["raw_path"].startswith(b"/"):
            raise RequestError(400, "The path of a request begins with /.")  # this is no proxy
        hosts = headers.getlist("host")
        host = hosts[0].lower() if len(hosts) == 1 else ""
        if not self._is_own_name(name_in(host), scope.get("server")):
            raise RequestError(403, "This address is not one of the companion's own; open the page by its address.")
        if any(origin.lower() not in (f"http://{host}", f"https://{host}") for origin in headers.getlist("origin")):
            raise RequestError(403, "Only the companion's own page may press its keys.")
        # Sec-Fetch-Site: a link to the page may be followed from any site
        followed = scope["method"] in ("GET", "HEAD") and headers.getlist("sec-fetch-mode") == ["navigate"]
        if not followed and any(site not in ("same-origin", "none") for site in headers.getlist("sec-fetch-site")):
            raise RequestError(403, "Only the companion's own page may use it.")

    def _is_own_name(self, name: str, server: tuple[str, int | None] | None) -> bool:
        return loopback(name) or name in self._hosts or (server is not None and name == plain(server[0]))


def name_in(host: str) -> str:
    """Return the host in a Host header, in canonical form; an empty string if the header is invalid."""
    found = AUTHORITY.fullmatch(host)
    return plain(found["name"]) if found else ""
