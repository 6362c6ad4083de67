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

from companion.app.inputs import Look, PageRequest, Tap
from companion.app.ports import BoxOutput, PageKey
from companion.app.step import LateTap
from companion.core.text import N_, Text, isolated
from companion.ui.live_page.content import LivePageContent
from companion.ui.screens.context import for_pages
from companion.ui.screens.phones import Phone
from companion.ui.translations import Translator, languages

from . import live_markup, wall
from .accepted_language import YEAR, language_of
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


class LivePage(msgspec.Struct, frozen=True):
    """A live page: its address, and the functions that render and update it."""

    path: str
    render: Callable[[LivePageContent, Phone], str]  # returns the whole page for a phone
    update: Callable[[LivePageContent], bytes]  # returns the message that brings it up to date, as one line of JSON


PAGES = (
    LivePage("/table", live_markup.page, live_markup.update),
    LivePage("/wall", lambda content, _phone: wall.render(content), wall.update),
)


MOST_SHOWN = 12
"""The most contents whose messages are kept."""


class LiveRoutes:
    """The routes of the live pages, and their streams."""

    def __init__(self, put: Put, mirror: PageMirror, heartbeat: float, stream_limits: StreamLimits) -> None:
        self._put = put
        self._mirror = mirror
        self._stream_limits = stream_limits
        self._heartbeat = heartbeat
        self._streams: dict[tuple[str, PageKey], Stream] = {}  # those that somebody follows
        self._writers = {(page.path, guest): _Writer(page, guest) for page in PAGES for guest in (False, True)}
        self.routes = [
            *(Route(page.path, self._page_endpoint(page), methods=["GET"]) for page in PAGES),
            *(Route(f"{page.path}/events", StreamEndpoint(self._events(page)), methods=["GET"]) for page in PAGES),
            Route("/table/rules", self._rules, methods=["GET"]),
            Route("/table/tap", self._tap, methods=["POST"]),
        ]

    def close(self) -> None:
        for stream in self._streams.values():
            stream.close()

    async def _content(self, page: PageKey, scope: Scope) -> LivePageContent:
        """Return what a live page shows now; raise RequestError if the loop does not answer."""
        with self._mirror.looking_at(page):
            _number, frame = self._mirror.newest()
            if frame is None or page not in frame.live_pages:
                phone = None if page[0] == "wall" else phone_of(scope)
                await answer_of(self._put, partial(PageRequest, Look(page[1]), phone))
                _number, frame = self._mirror.newest()
        if frame is None or page not in frame.live_pages:
            raise RequestError(503, N_("The box shows nothing yet."), again=1)
        return frame.live_pages[page]

    def _page_endpoint(self, page: LivePage) -> Callable[[Request], object]:
        async def answer(request: Request) -> Response:
            chosen = request.query_params.get("lang", "")
            language = chosen if chosen in languages() else language_of(request.scope)
            content = await self._content(_key(page.path, request.scope, language), request.scope)
            phone = phone_of(request.scope) or GUEST
            skips = request.query_params.get("first") == "skip"
            if skips or "first" in request.cookies:  # its stream goes on with the steps, and the page hides them
                content = replace(content, first=("skipped",) if content.first else ())
            response = HTMLResponse(page.render(without_pairing(content) if phone is GUEST else content, phone))
            if chosen in languages():
                response.set_cookie("lang", chosen, max_age=YEAR, samesite="lax")
            if skips:
                response.set_cookie("first", "skip", max_age=YEAR, samesite="lax")
            return response

        return answer

    async def _rules(self, request: Request) -> Response:
        key = _key("/table", request.scope, language_of(request.scope))
        return HTMLResponse(live_markup.rules(await self._content(key, request.scope)))

    async def _tap(self, request: Request) -> Response:
        tapped = decoded(await body_of(request), _Tapped, 'A tap is sent as {"number": 12, "choice": "sky-7"}.')
        check_length(tapped.text)
        phone = phone_of(request.scope)
        if phone is None:
            raise RequestError(401, UNPAIRED)
        language = language_of(request.scope)
        tap = Tap(tapped.number, tapped.choice, tapped.text, language)
        why: Text | None = await answer_of(self._put, partial(PageRequest, tap, phone))
        _number, frame = self._mirror.newest()
        content = None if frame is None else frame.live_pages.get((phone.number, language))
        told: dict[str, object] = {
            "why": "" if why is None else self._sentence(why, language, content),
            "late": isinstance(why, LateTap),
        }
        if content is not None:
            told["number"] = content.number  # of the question that is asked now
        return JSONResponse(told)

    def _sentence(self, why: Text, language: str, content: LivePageContent | None) -> str:
        words = Translator(language, tuple(seat_names(content)) if content else ())
        # a sentence of the page itself has no font for the panel's signs
        return isolated(words.aloud(words.sentence(for_pages(why))))

    def _events(self, page: LivePage) -> Callable[[Scope], AbstractAsyncContextManager[AsyncIterator[bytes]]]:
        @asynccontextmanager
        async def joined(scope: Scope) -> AsyncIterator[AsyncIterator[bytes]]:
            key = _key(page.path, scope, language_of(scope))
            with self._stream_limits.place(scope), self._mirror.looking_at(key):
                await self._content(key, scope)  # before the stream begins, so that its first frame has it
                writer = self._writers[page.path, phone_of(scope) is GUEST]
                stream = self._streams.get((page.path, key))
                if stream is None:
                    write = partial(writer.write, key)
                    stream = Stream(self._mirror, self._heartbeat, write, lambda _language: b"")
                    self._streams[page.path, key] = stream
                try:
                    with stream.joined() as events:
                        yield events
                finally:
                    if not stream.followed:
                        self._streams.pop((page.path, key), None)

        return joined


def _key(path: str, scope: Scope, language: str) -> PageKey:
    """Return the live page that a request asks for: guests see what the wall shows."""
    phone = phone_of(scope)
    return ("wall" if path == "/wall" or phone is None or phone is GUEST else phone.number), language


class _Writer:
    """Writes the contents of a live page as messages, each once for all who see the same."""

    def __init__(self, page: LivePage, guest: bool) -> None:
        self._page = page
        self._guest = guest
        self._written: list[tuple[LivePageContent, bytes]] = []

    def write(self, key: PageKey, frame: BoxOutput) -> bytes | None:
        content = frame.live_pages.get(key)
        if content is None:
            return None
        for shown, message in self._written:
            if shown is content:
                return message
        message = self._page.update(without_pairing(content) if self._guest else content)
        self._written = [(content, message), *self._written[:MOST_SHOWN]]
        return message


def without_pairing(content: LivePageContent) -> LivePageContent:
    """Return what guests see: neither PIN nor link, with which they could pair themselves, nor who holds a phone.

    Nor the steps to the first game, which others take.
    """
    return replace(content, pin="", link="", phones=(), first=())
