"""Access to the page: checks by which name it is asked for, recognises paired phones, and refuses strangers.

Everything needs a paired phone, but the join page, and watching if guests may watch. Where only this computer reaches
the page, its browsers need no pairing. Elsewhere one of them is let in by the link that the program prints.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Protocol

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request, cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.core.text import N_
from companion.ui.screens.phones import THIS_COMPUTER, Phone, Role

from .addresses import loopback, plain
from .error_answers import HEADERS, RequestError, TooManyRequestsError
from .limits import Connections, RateLimit, SenderTrust, address_of

LARGEST_HEADERS = 8192  # the most bytes of a request's headers

AUTHORITY = re.compile(r"(?P<name>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::[0-9]{0,5})?")
"""A Host header: a name or an address, with or without a port; no user, no path."""

CONNECTIVITY_CHECK = "/generate_204"
"""The path by which Android asks whether a network leads anywhere; without an answer it leaves the box's own Wi-Fi."""

YEAR = 365 * 24 * 3600  # seconds
COOKIE = "companion"  # the name of the cookie with a phone's secret
GUEST = Phone(0, "", Role.SPECTATOR)  # a phone that is not paired, where such phones may watch
COOKIE_AGE = YEAR // 2  # seconds that a browser keeps the cookie of a phone after it last opened a page
JOIN = "/join"
CLAIM = "/claim"

PROXY_HEADERS = re.compile(
    "forwarded|via|x-.*|cf-.*|cdn-.*|fastly-.*|fly-.*|tailscale-.*|proxy-.*|true-client-ip|client-ip|remote-.*"
)
"""Headers of a request that a proxy passes on: no browser sends them by itself."""

OPEN_PATHS = frozenset(
    (
        *(JOIN, CLAIM, "/design.css", "/plain.css", "/join.js", "/names.js", "/correction", "/hub"),
        *("/manifest.webmanifest", "/icon.svg", "/icon-192.png", "/icon-512.png"),
    )
)
"""The paths that everybody may ask for; those that begin with ``/p/`` or ``/here/`` are open, too."""

WATCHED_PATHS = frozenset(
    (
        *("/table", "/table/events", "/table/rules", "/table.css", "/table.js", "/live.js", "/share.js", "/chart.css"),
        *("/reload.js", "/signals.js", "/steady.js", "/sheet.js", "/sheet.css"),
        *("/wall", "/wall/events", "/wall.css", "/wall.js"),
    )
)
"""The paths that guests may ask for. The drawn device is not among them: its panel shows the PIN of a pairing."""

UNPAIRED = N_("This phone is not paired with the table; open /join.")
SPECTATES = N_("This phone only watches; choose its role on the page.")
NO_SCORER = N_("Only a phone that scores presses keys.")


def with_headers(app: ASGIApp) -> ASGIApp:
    """Return an application whose answers have the security headers, too."""

    async def answering(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await app(scope, receive, send_with_headers)

    return answering


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
        answer = self._answer(scope)
        if answer is not None and not self._connections.may_request(scope):
            answer = TooManyRequestsError().answer()
        await with_headers(answer or self._app)(scope, receive, send)

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


class PhoneDirectory(Protocol):
    """The paired phones, as every thread may read them; `companion.app.machine.phones.PhonePairing` is one."""

    def phone_with(self, secret: str) -> Phone | None:
        """Return the phone that has a secret; None if no paired phone has it."""

    @property
    def guests(self) -> bool:
        """Return whether phones that are not paired may watch."""

    def invites(self, token: str) -> bool:
        """Return whether a token is that of the open pairing's link."""

    def listening(self, wake: Callable[[], None]) -> AbstractContextManager[None]:
        """Call ``wake`` after every change inside the block, in any thread."""


def phone_of(scope: Scope) -> Phone | None:
    """Return the phone that sends a request; None for a stranger.

    The phone of a guest is `GUEST`, that of a browser on this computer `THIS_COMPUTER`.
    """
    phone = scope.get("phone")
    return phone if isinstance(phone, Phone) else None


def sender_of(scope: Scope) -> str:
    """Return whose rate a request counts for: the paired phone's, or the address's."""
    phone = phone_of(scope)
    return f"phone {phone.number}" if phone is not None and phone.number else address_of(scope)


def require_scorer(scope: Scope) -> None:
    """Refuse a request of a phone that only watches, or answers for one seat."""
    phone = phone_of(scope)
    if phone is None:
        raise RequestError(401, UNPAIRED)
    if phone.role is not Role.SCORER:
        raise RequestError(403, SPECTATES if phone.role is Role.SPECTATOR else NO_SCORER)


def require_this_computer(scope: Scope, sentence: str) -> None:
    """Refuse a request with a sentence unless a browser on this computer sends it."""
    if phone_of(scope) != THIS_COMPUTER or not is_from_here(scope):
        raise RequestError(403, sentence)


class PhoneCheck:
    """ASGI middleware: puts the phone into ``scope["phone"]``, refuses strangers, ends answers to revoked phones."""

    def __init__(
        self,
        app: ASGIApp,
        refused: Callable[[Request, Exception], Awaitable[Response]],
        phones: PhoneDirectory,
        connections: Connections,
    ) -> None:
        """Check the requests.

        Args:
            app: Answers those that are not refused.
            refused: Answers those that are, in the language of their reader; but floods, which are answered briefly.
            phones: The paired phones.
            connections: Over which requests come. If only this computer reaches the page, its browsers are let in.
        """
        self._app = app
        self._refused = refused
        self._phones = phones
        self._connections = connections
        self._rate, self._history_rate = RateLimit(connections.limits.phone), RateLimit(connections.limits.history)
        self._running: dict[asyncio.Task[object], Scope] = {}
        self._ended: set[asyncio.Task[object]] = set()
        self._listening: ExitStack | None = None

    def close(self) -> None:
        """Stop listening for changes of the phones."""
        if self._listening is not None:
            self._listening.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        phone = scope["phone"] = self._phone(scope)
        try:
            if phone is None or phone is GUEST:
                self._check_stranger(scope, phone)
            else:
                self._check_phone(scope)
        except TooManyRequestsError as flood:
            await flood.answer()(scope, receive, send)
            return
        except RequestError as refusal:
            await (await self._refused(Request(scope), refusal))(scope, receive, send)
            return
        if phone is None and not _is_open(scope["path"]):
            await RedirectResponse(f"{JOIN}?wall" if scope["path"] == "/wall" else JOIN, 303)(scope, receive, send)
            return
        self._listen()
        await self._answer(scope, receive, send)

    def _phone(self, scope: Scope) -> Phone | None:
        headers = Headers(scope=scope)
        if self._connections.only_here and is_from_here(scope) and loopback(name_in(headers.get("host", "").lower())):
            return THIS_COMPUTER
        for cookies in headers.getlist("cookie"):
            secret = cookie_parser(cookies).get(COOKIE)
            phone = self._phones.phone_with(secret) if secret else None
            if phone is not None:
                scope["secret"] = secret
                return phone
        watches = _is_read(scope) and scope["path"] in WATCHED_PATHS
        return GUEST if self._phones.guests and watches else None

    def _check_stranger(self, scope: Scope, phone: Phone | None) -> None:
        """Refuse what strangers may not do; let navigations pass, which are led to the join page."""
        if self._phones.invites(token_in(scope["path"])):  # for the style of the join page, and for the claim
            self._connections.note_sender(scope, SenderTrust.KNOWN_ADDRESS)
        if not self._connections.may_request(scope):
            raise TooManyRequestsError
        if phone is None and not _is_open(scope["path"]) and not is_navigation(scope):
            raise RequestError(401, UNPAIRED)

    def _check_phone(self, scope: Scope) -> None:
        """Refuse more requests of a phone than hands can send, and more of the history than anybody reads."""
        self._connections.note_sender(scope, SenderTrust.PAIRED)
        sender = sender_of(scope)
        if not self._rate.take(sender):
            raise TooManyRequestsError
        page = f"{scope['path']}/".startswith("/history/")  # its styles and scripts read no journal
        if page and not self._history_rate.take(sender):
            raise RequestError(429, N_("Too many pages of the history at once; wait a moment."), again=1)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; if its phone is revoked meanwhile, end the answer at once."""
        task, started, complete = asyncio.current_task(), False, False
        assert task is not None  # an application runs in a task

        async def send_and_note(message: Message) -> None:
            nonlocal started, complete
            if not started and "secret" in scope and is_navigation(scope):
                renewed = Response()
                give_cookie(renewed, scope["secret"])
                MutableHeaders(scope=message).append("set-cookie", renewed.headers["set-cookie"])
            started = True
            complete = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        self._running[task] = scope
        try:
            await self._app(scope, receive, send_and_note)
        except asyncio.CancelledError:
            if task not in self._ended:
                raise
            task.uncancel()
            if not started:
                await (await self._refused(Request(scope), RequestError(401, UNPAIRED)))(scope, receive, send)
            elif not complete:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            del self._running[task]
            self._ended.discard(task)

    def _listen(self) -> None:
        """Begin to listen for changes of the phones, with the first request."""
        if self._listening is None:
            loop = asyncio.get_running_loop()

            def changed() -> None:
                loop.call_soon_threadsafe(self._end_revoked)

            self._listening = ExitStack()
            self._listening.enter_context(self._phones.listening(changed))

    def _end_revoked(self) -> None:
        """End the answers to phones that are not paired any more, and to guests who may no longer watch."""
        for task, scope in self._running.items():
            before, now = phone_of(scope), self._phone(scope)
            if before is not None and (now is None or (now is GUEST) != (before is GUEST)):
                self._ended.add(task)
                task.cancel()


class NoPhones:
    """The directory of a page that pairs no phones."""

    guests = False

    def invites(self, token: str) -> bool:
        return False

    def phone_with(self, secret: str) -> Phone | None: ...

    def listening(self, wake: Callable[[], None]) -> AbstractContextManager[None]:
        """Do nothing: nothing changes."""
        return nullcontext()


def is_from_here(scope: Scope) -> bool:
    """Return whether a browser on this computer sends a request, and no proxy passes it on for somebody else."""
    address, server = plain(address_of(scope)), plain((scope.get("server") or ("",))[0])
    passed_on = scope["http_version"] != "1.1" or any(map(PROXY_HEADERS.fullmatch, Headers(scope=scope).keys()))
    return (loopback(address) or address == server) and not passed_on


def token_in(path: str) -> str:
    """Return the token in the path of a link that pairs; empty if it is another path."""
    return path[3:] if path[:3] in ("/p/", "/P/") else ""


def _is_open(path: str) -> bool:
    return path in OPEN_PATHS or path.startswith(("/p/", "/P/", "/here/"))


def _is_read(scope: Scope) -> bool:
    return scope["method"] in ("GET", "HEAD")


def give_cookie(response: Response, secret: str) -> None:
    """Give a phone its cookie. A link from elsewhere may be followed with it, but no form sent (SameSite=Lax)."""
    response.set_cookie(COOKIE, secret, max_age=COOKIE_AGE, httponly=True, samesite="lax")


def is_navigation(scope: Scope) -> bool:
    """Return whether a request opens a page; browsers send Sec-Fetch-Mode only over https and to this computer."""
    headers = Headers(scope=scope)
    page = "text/html" in headers.get("accept", "")
    return _is_read(scope) and page and headers.get("sec-fetch-mode", "navigate") == "navigate"
