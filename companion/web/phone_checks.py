"""Finds out which phone sends a request, and refuses strangers.

Everything needs a paired phone, but the join page, and watching if guests may watch. A browser on this computer itself
needs no pairing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Protocol

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.ui.phones import Phone, Role

from .addresses import loopback
from .error_answers import ErrorAnswer
from .host_checks import name_in
from .limits import ConnectionLimit, Limits, RateLimit

COOKIE = "companion"
"""The name of the cookie with a phone's secret."""

THIS_COMPUTER = Phone(0, "", Role.SCORER)
"""A browser on this computer."""

GUEST = Phone(0, "", Role.SPECTATOR)
"""A phone that is not paired, where such phones may watch."""

JOIN = "/join"
CLAIM = "/claim"

PASSED_ON = ("forwarded", "via", "x-forwarded-for")
"""Headers of a request that a proxy passes on."""

OPEN_PATHS = frozenset((JOIN, CLAIM, "/join.css", "/icon.svg"))
"""The paths that everybody may ask for; those that begin with ``/p/`` are open, too."""

WATCHED_PATHS = frozenset(
    (
        *("/table", "/table/events", "/table/rules", "/table.css", "/table.js", "/live.js", "/share.js", "/chart.css"),
        *("/wall", "/wall/events", "/wall.css", "/wall.js"),
    )
)
"""The paths that guests may ask for. The drawn device is not among them: its panel shows the PIN of a pairing."""

UNPAIRED = "This phone is not paired with the table; open /join."
SPECTATES = "This phone only watches; choose its role on the page."


class PhoneDirectory(Protocol):
    """The paired phones, as every thread may read them; `companion.app.pairing.Pairing` is one."""

    def who(self, secret: str) -> Phone | None:
        """Return the phone that has a secret; None if no paired phone has it."""

    @property
    def guests(self) -> bool:
        """Return whether phones that are not paired may watch."""

    @property
    def pairing_open(self) -> bool:
        """Return whether a phone can be paired now."""

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
    return f"phone {phone.number}" if phone is not None and phone.number else _address(scope)


def require_scorer(scope: Scope) -> None:
    """Refuse a request of a phone that does not answer everything.

    Raises:
        ErrorAnswer: It only watches, or answers for one seat.
    """
    phone = phone_of(scope)
    if phone is None:
        raise ErrorAnswer(401, UNPAIRED)
    if phone.role is not Role.SCORER:
        raise ErrorAnswer(403, SPECTATES if phone.role is Role.SPECTATOR else "Only a phone that scores presses keys.")


class StreamPlaces:
    """Limits the open streams: those of guests apart from those of paired phones."""

    def __init__(self, limits: Limits) -> None:
        self._paired = ConnectionLimit(limits.listeners, limits.listeners_each)
        self._guests = ConnectionLimit(limits.guests, limits.guests_each)

    def __len__(self) -> int:
        return len(self._paired) + len(self._guests)

    def one(self, scope: Scope) -> AbstractContextManager[None]:
        """Hold one of the places for a request while the block runs.

        Raises:
            ErrorAnswer: No place is left.
        """
        places = self._guests if phone_of(scope) is GUEST else self._paired
        return places.one(sender_of(scope))


class PhoneCheck:
    """ASGI middleware: puts the phone into ``scope["phone"]``, refuses strangers, ends answers to revoked phones."""

    def __init__(self, app: ASGIApp, phones: PhoneDirectory, limits: Limits) -> None:
        self._app = app
        self._phones = phones
        self._rate = RateLimit(limits.strangers_a_second, limits.strangers_at_once)
        self._rate_of_all = RateLimit(limits.all_strangers_a_second, limits.all_strangers_at_once)
        self._under_way: dict[asyncio.Task[object], Scope] = {}
        self._ended: set[asyncio.Task[object]] = set()
        self._listening: ExitStack | None = None

    def close(self) -> None:
        """Stop listening for changes of the phones."""
        if self._listening is not None:
            self._listening.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        phone = scope["phone"] = self._phone(scope)
        try:
            if phone is None or phone is GUEST:
                self._check_stranger(scope, phone)
            elif connected := scope.get("phone_connected"):
                connected()
        except ErrorAnswer as refusal:
            await refusal.answer()(scope, receive, send)
            return
        if phone is None and not _is_open(scope["path"]):
            await RedirectResponse(JOIN, 303)(scope, receive, send)
            return
        self._listen()
        await self._answered(scope, receive, send)

    def _phone(self, scope: Scope) -> Phone | None:
        """Return the phone that sends a request."""
        headers = Headers(scope=scope)
        passed_on = any(name in headers for name in PASSED_ON)  # by a program on this computer, for somebody else
        if not passed_on and loopback(_address(scope)) and loopback(name_in(headers.get("host", "").lower())):
            return THIS_COMPUTER
        for cookies in headers.getlist("cookie"):
            secret = cookie_parser(cookies).get(COOKIE)
            phone = self._phones.who(secret) if secret else None
            if phone is not None:
                return phone
        watches = _reads(scope) and scope["path"] in WATCHED_PATHS
        return GUEST if self._phones.guests and watches else None

    def _check_stranger(self, scope: Scope, phone: Phone | None) -> None:
        """Refuse what strangers may not do; let navigations pass, which are led to the join page."""
        if not (self._rate.take(_address(scope)) and self._rate_of_all.take("")):
            raise ErrorAnswer(429, "Too many requests at once.", again=2)
        if phone is None and not _is_open(scope["path"]) and not _navigates(scope):
            raise ErrorAnswer(401, UNPAIRED)

    async def _answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; if its phone is revoked meanwhile, end the answer at once."""
        task, begun, whole = asyncio.current_task(), False, False
        assert task is not None  # an application runs in a task

        async def noted(message: Message) -> None:
            nonlocal begun, whole
            begun = True
            whole = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        self._under_way[task] = scope
        try:
            await self._app(scope, receive, noted)
        except asyncio.CancelledError:
            if task not in self._ended:
                raise
            task.uncancel()
            if not begun:
                await ErrorAnswer(401, UNPAIRED).answer()(scope, receive, send)
            elif not whole:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            del self._under_way[task]
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
        for task, scope in self._under_way.items():
            before, now = phone_of(scope), self._phone(scope)
            if before is not None and (now is None or (now is GUEST) != (before is GUEST)):
                self._ended.add(task)
                task.cancel()


class NoPhones:
    """The directory of a page that pairs no phones."""

    guests = pairing_open = False

    def who(self, secret: str) -> Phone | None:
        """Return None: no phone is paired."""

    def listening(self, wake: Callable[[], None]) -> AbstractContextManager[None]:
        """Do nothing: nothing changes."""
        return nullcontext()


def _address(scope: Scope) -> str:
    """Return the client's address; empty if it has gone."""
    return str((scope.get("client") or ("",))[0])


def _is_open(path: str) -> bool:
    return path in OPEN_PATHS or path[:3] in ("/p/", "/P/")


def _reads(scope: Scope) -> bool:
    """Return whether a request only reads."""
    return scope["method"] in ("GET", "HEAD")


def _navigates(scope: Scope) -> bool:
    """Return whether a request opens a page; browsers send Sec-Fetch-Mode only over https and to this computer."""
    headers = Headers(scope=scope)
    page = "text/html" in headers.get("accept", "")
    return _reads(scope) and page and headers.get("sec-fetch-mode", "navigate") == "navigate"
