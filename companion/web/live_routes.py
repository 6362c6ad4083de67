"""The routes of the live pages: the table and the wall with their streams, taps, the rules card."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import Scope

from companion.app.ports import BoxOutput
from companion.app.request_types import FrameRequest, Tap
from companion.core.text import Text, isolated
from companion.ui.live_page.content import LivePageContent
from companion.ui.phone_roles import Phone
from companion.ui.translations import Translator

from . import live_markup, wall
from .accepted_language import YEAR, available, language_of
from .error_answers import RequestError
from .live_markup import seat_names
from .loop_requests import Put, answer_of
from .page_mirror import PageMirror
from .phone_checks import GUEST, UNPAIRED, StreamLimits, phone_of
from .request_bodies import body_of, check_length, decoded
from .stream import Stream, StreamEndpoint


class _Tapped(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that chooses something, or enters a text."""

    number: int
    choice: str = ""
    text: str = ""


def _tap(tapped: _Tapped, phone: Phone, reply: Callable[[Text | None], None]) -> Tap:
    return Tap(tapped.number, tapped.choice, phone, reply, tapped.text)


class LivePage(msgspec.Struct, frozen=True):
    """A live page: its address, and the functions that render and update it."""

    path: str
    render: Callable[[LivePageContent, Phone], str]  # returns the whole page for a phone
    update: Callable[[LivePageContent], bytes]  # returns the message that brings it up to date, as one line of JSON


PAGES = (
    LivePage("/table", live_markup.page, live_markup.update),
    LivePage("/wall", lambda content, _phone: wall.render(content), wall.update),
)


class LiveRoutes:
    """The routes of the live pages, and their streams."""

    def __init__(self, put: Put, mirror: PageMirror, heartbeat: float, stream_limits: StreamLimits) -> None:
        self._put = put
        self._mirror = mirror
        self._stream_limits = stream_limits
        self._streams = {
            (page.path, language, guest): Stream(
                mirror, heartbeat, _writer(page, language, guest), lambda _language: b""
            )
            for page in PAGES
            for language in available()
            for guest in (False, True)
        }
        self.routes = [
            *(Route(page.path, self._page_endpoint(page), methods=["GET"]) for page in PAGES),
            *(Route(f"{page.path}/events", StreamEndpoint(self._events(page)), methods=["GET"]) for page in PAGES),
            Route("/table/rules", self._rules, methods=["GET"]),
            Route("/table/tap", self._tap, methods=["POST"]),
        ]

    def close(self) -> None:
        for stream in self._streams.values():
            stream.close()

    async def content(self, language: str) -> LivePageContent:
        """Return what a live page shows now, in a language; raise RequestError if the loop does not answer."""
        with self._mirror.language_in_use(language):
            _number, frame = self._mirror.newest()
            if frame is None or language not in frame.live_pages:
                await answer_of(self._put, FrameRequest)
                _number, frame = self._mirror.newest()
        if frame is None or language not in frame.live_pages:
            raise RequestError(503, "The box shows nothing yet.", again=1)
        return frame.live_pages[language]

    def _page_endpoint(self, page: LivePage) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            chosen = request.query_params.get("lang", "")
            language = chosen if chosen in available() else language_of(request.scope)
            content = await self.content(language)
            phone = phone_of(request.scope) or GUEST
            response = HTMLResponse(page.render(without_pairing(content) if phone is GUEST else content, phone))
            if chosen in available():
                response.set_cookie("lang", chosen, max_age=YEAR, samesite="lax")
            return response

        return answer

    async def _rules(self, request: Request) -> Response:
        return HTMLResponse(live_markup.rules(await self.content(language_of(request.scope))))

    async def _tap(self, request: Request) -> Response:
        tapped = decoded(await body_of(request), _Tapped, 'A tap is sent as {"number": 12, "choice": "sky-7"}.')
        check_length(tapped.text)
        phone = phone_of(request.scope)
        if phone is None:
            raise RequestError(401, UNPAIRED)
        why: Text | None = await answer_of(self._put, partial(_tap, tapped, phone))
        language = language_of(request.scope)
        told: dict[str, object] = {"why": "" if why is None else self._sentence(why, language)}
        _number, frame = self._mirror.newest()
        if frame is not None and language in frame.live_pages:
            told["number"] = frame.live_pages[language].number  # of the question that is asked now
        return JSONResponse(told)

    def _sentence(self, why: Text, language: str) -> str:
        _number, frame = self._mirror.newest()
        content = None if frame is None else next(iter(frame.live_pages.values()), None)
        words = Translator(language, tuple(seat_names(content)) if content else ())
        # a sentence of the page itself has no font for the panel's signs
        return isolated(words.aloud(words.sentence(why)))

    def _events(self, page: LivePage) -> Callable[[Scope], AbstractAsyncContextManager[AsyncIterator[bytes]]]:
        @asynccontextmanager
        async def joined(scope: Scope) -> AsyncIterator[AsyncIterator[bytes]]:
            language = language_of(scope)
            with self._stream_limits.place(scope), self._mirror.language_in_use(language):
                await self.content(language)  # before the stream begins, so that its first frame has it
                with self._streams[page.path, language, phone_of(scope) is GUEST].joined() as events:
                    yield events

        return joined


def _writer(page: LivePage, language: str, guest: bool) -> Callable[[BoxOutput], bytes | None]:
    def write(frame: BoxOutput) -> bytes | None:
        content = frame.live_pages.get(language)
        return None if content is None else page.update(without_pairing(content) if guest else content)

    return write


def without_pairing(content: LivePageContent) -> LivePageContent:
    """Return what guests see: neither PIN nor link, with which they could pair themselves, nor who holds a phone."""
    return replace(content, pin="", link="", phones=())
