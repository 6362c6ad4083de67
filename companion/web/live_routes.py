"""The routes of the live pages, the table and the wall, with taps and the rules card; and the streams of every page.

A stream sends server-sent events: each listener gets what the newest frame has for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager
from functools import partial
from typing import Generic, TypeVar

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from companion.app.inputs import Look, PageRequest, Tap
from companion.app.ports import BoxOutput, PageKey
from companion.app.step import LateTap
from companion.core.text import N_, Text, isolated
from companion.ui.live_page.content import LivePageContent
from companion.ui.screens.context import for_pages
from companion.ui.screens.phones import Phone
from companion.ui.translations import Translator, languages

from . import live_markup, wall
from .access import GUEST, UNPAIRED, YEAR, phone_of, sender_of
from .error_answers import UNBUFFERED, RequestError
from .limits import Limits, StreamLimit
from .live_markup import seat_names
from .page_mirror import PageMirror
from .requests import Put, answer_of, body_of, check_length, decoded, language_of

Content = TypeVar("Content")

# A comment keeps the connection open, but scripts cannot see it. So an event says the same: without it the page would
# go on showing an old picture after the radio link is lost.
HEARTBEAT = b": still here\nevent: alive\ndata: .\n\n"
FIRST = b": welcome\nretry: 1000\n\n"


class WrittenOnce(Generic[Content]):
    """Writes the contents of a page as events: each once for all listeners who see the same."""

    def __init__(self, write: Callable[[Content], bytes], most: int = 12) -> None:
        """Begin without any; ``write`` returns a content as one line. The events of the latest few are kept."""
        self._write = write
        self._most = most
        self._written: list[tuple[Content, bytes]] = []

    def __call__(self, content: Content) -> bytes:
        for other, event in self._written:
            if other is content:
                return event
        event = b"data: " + self._write(content) + b"\n\n"
        self._written = [(content, event), *self._written[: self._most - 1]]
        return event


class Streams:
    """The streams to all listeners, whose number is limited; without any, nothing is done.

    Runs in the server's event loop, except for the callback that the mirror calls.
    """

    def __init__(self, mirror: PageMirror, heartbeat: float, limits: Limits) -> None:
        """Begin without listeners.

        Args:
            mirror: Supplies the frames.
            heartbeat: Seconds without an event after which a listener is sent a heartbeat.
            limits: How many streams there may be.
        """
        self._mirror = mirror
        self._heartbeat = heartbeat
        self._places = StreamLimit(limits)
        self._subscription = ExitStack()
        self._new_frame = asyncio.Event()  # set to wake the listeners, and then replaced by another
        self._wake_planned = False
        self._closed = False

    def __len__(self) -> int:
        """Return the number of listeners."""
        return len(self._places)

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        self._wake_listeners()

    @contextmanager
    def joined(self, scope: Scope, event: Callable[[BoxOutput], bytes]) -> Iterator[AsyncIterator[bytes]]:
        """Yield the events for one more listener while the block runs; raise RequestError if there are too many.

        ``event`` returns a frame as an event; it is empty if the frame has nothing for this listener.
        """
        with self._places.place(sender_of(scope), phone_of(scope) is GUEST):
            if len(self) == 1:
                self._listen()
            try:
                yield self._events(event)
            finally:
                if len(self) == 1:
                    self._subscription.close()

    async def _events(self, event: Callable[[BoxOutput], bytes]) -> AsyncIterator[bytes]:
        """Yield each newest frame; frames shown while the listener was busy are skipped."""
        clock = asyncio.get_running_loop().time
        yield FIRST
        sent, quiet_until = 0, clock() + self._heartbeat
        while not self._closed:
            new_frame = self._new_frame
            number, frame = self._mirror.newest()
            news = b"" if frame is None or number == sent else event(frame)
            sent = number
            if not news:
                try:
                    async with asyncio.timeout_at(quiet_until):
                        await new_frame.wait()
                    continue
                except TimeoutError:
                    news = HEARTBEAT
            quiet_until = clock() + self._heartbeat
            yield news

    def _listen(self) -> None:
        loop = asyncio.get_running_loop()

        def wake() -> None:
            if not self._wake_planned:
                self._wake_planned = True
                loop.call_soon_threadsafe(self._wake_listeners)

        self._wake_planned = False
        self._subscription.enter_context(self._mirror.listening(wake))

    def _wake_listeners(self) -> None:
        self._wake_planned = False  # before listeners fetch the newest frame: a later one wakes them again
        new_frame, self._new_frame = self._new_frame, asyncio.Event()
        new_frame.set()


class StreamEndpoint:
    """The endpoint of a stream, an ASGI application."""

    KIND = "text/event-stream"

    def __init__(self, joined: Callable[[Scope], AbstractAsyncContextManager[AsyncIterator[bytes]]]) -> None:
        """Use what yields the events to a request, while its block runs."""
        self._joined = joined

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "HEAD":
            await Response(headers=UNBUFFERED, media_type=self.KIND)(scope, receive, send)
            return
        async with self._joined(scope) as events:
            await StreamingResponse(events, headers=UNBUFFERED, media_type=self.KIND)(scope, receive, send)


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


class LiveRoutes:
    """The routes of the live pages, and their streams."""

    def __init__(self, put: Put, mirror: PageMirror, streams: Streams) -> None:
        self._put = put
        self._mirror = mirror
        self._streams = streams
        self.routes = [
            *(Route(page.path, self._page_endpoint(page), methods=["GET"]) for page in PAGES),
            *(Route(f"{page.path}/events", StreamEndpoint(self._events(page)), methods=["GET"]) for page in PAGES),
            Route("/table/rules", self._rules, methods=["GET"]),
            Route("/table/tap", self._tap, methods=["POST"]),
        ]

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
        written = WrittenOnce(page.update)
        written_for_guests = WrittenOnce[LivePageContent](lambda content: page.update(without_pairing(content)))

        @asynccontextmanager
        async def joined(scope: Scope) -> AsyncIterator[AsyncIterator[bytes]]:
            key = _key(page.path, scope, language_of(scope))
            write = written_for_guests if phone_of(scope) is GUEST else written

            def event(frame: BoxOutput) -> bytes:
                content = frame.live_pages.get(key)
                return b"" if content is None else write(content)

            with self._streams.joined(scope, event) as events, self._mirror.looking_at(key):
                await self._content(key, scope)  # before the stream begins, so that its first frame has it
                yield events

        return joined


def _key(path: str, scope: Scope, language: str) -> PageKey:
    """Return the live page that a request asks for: guests see what the wall shows."""
    phone = phone_of(scope)
    return ("wall" if path == "/wall" or phone is None or phone is GUEST else phone.number), language


def without_pairing(content: LivePageContent) -> LivePageContent:
    """Return what guests see: neither PIN nor link, with which they could pair themselves, nor who holds a phone.

    Nor the steps to the first game, which others take.
    """
    return replace(content, pin="", link="", phones=(), first=())
