"""The page over HTTP: frames go out as server-sent events, keys and written names come in, one request each.

The only module that imports Starlette and uvicorn; everything else imports it when a page is wanted. The server
runs in a thread of its own beside the one that decides, sleeps while nobody asks anything of it, and decides
nothing: it puts what comes in, and shows what was shown.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from html import escape
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.app.ports import Written
from companion.ui.keys import FEW, HOLDABLE, KEYPAD, NAMES, Board, Key
from companion.web.mirror import PageMirror, encode
from companion.web.words import spoken

__all__ = ["PageFault", "PageMirror", "Server", "serve"]

LARGEST_KEY = 1024
"""Bytes a request with a key or a text may have."""

LONGEST_TEXT = 80
"""Characters a text may have; what may be a name is for the box to say, in the language of the table."""

PAGE = Path(__file__).parent / "page"
FILES = {
    "/": ("index.html", "text/html"),
    "/style.css": ("style.css", "text/css"),
    "/script.js": ("script.js", "text/javascript"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}

# A comment keeps the line open; a script cannot see comments, so an event says the same to the page, which
# would otherwise go on showing an old picture when the radio link is gone without a word.
HEARTBEAT = b": still here\nevent: alive\ndata: .\n\n"
FIRST = b": welcome\nretry: 1000\n\n"

GRACE = 1.0
"""Seconds that open connections have to end when the server stops."""


class PageFault(OSError):
    """The page cannot be served; says why in one sentence, and what to do."""


class _Refusal(Exception):
    """A request that is answered with a sentence.

    Attributes:
        status: The HTTP status that fits.
        sentence: What was wrong.
    """

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence

    def answer(self) -> Response:
        """Return the answer; what is left of the request goes unread, and nothing can follow on the connection."""
        return PlainTextResponse(self.sentence, self.status, {"Connection": "close"})


class _Press(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page sends when a key is pressed."""

    key: str
    held: bool = False


def read_key(body: bytes) -> Key:
    """Read the key that a page sent.

    Raises:
        _Refusal: It is no key.
    """
    try:
        press = msgspec.json.decode(body, type=_Press)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _Refusal(400, 'A key is sent as {"key": "7", "held": false}.') from None
    if len(press.key) != 1 or press.key not in NAMES + FEW:
        raise _Refusal(
            400, "There is no such key: the keys are 0-9, A-D, *, # and those of boards with few: < o > ^ v."
        )
    if press.held and press.key not in HOLDABLE:
        raise _Refusal(400, f"{press.key} cannot be held: only *, # and o can.")
    return Key(press.key, press.held)


class _Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page sends when a text was written."""

    text: str


def read_text(body: bytes) -> Written:
    """Read the text that a page sent.

    Raises:
        _Refusal: It is no text, or too long.
    """
    try:
        text = msgspec.json.decode(body, type=_Text).text
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise _Refusal(400, 'A text is sent as {"text": "Aki"}.') from None
    if len(text) > LONGEST_TEXT:
        raise _Refusal(413, f"A text has up to {LONGEST_TEXT} characters.")
    return Written(text)


async def _body(request: Request) -> bytes:
    """Return the whole body of a request.

    Raises:
        _Refusal: It is longer than a key or a text can be, or the sender has gone.
    """
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_KEY:
                raise _Refusal(413, f"A key or a text fits in {LARGEST_KEY} bytes.")
    except ClientDisconnect:
        raise _Refusal(400, "The sender has gone.") from None  # nobody hears it, and nobody needs to
    return body


class _Guard:
    """Lets in only requests that name this server, and puts the headers that pages need on every answer.

    A page elsewhere may have its own name point at this address (DNS rebinding) and would then be of the same
    origin as ours; but its name stays in the Host header, and no page can change that.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        try:
            self._check(scope)
        except _Refusal as refusal:
            await refusal.answer()(scope, receive, headed)
        else:
            await self._app(scope, receive, headed)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        name = _name(host)
        server = scope.get("server")
        if not (_loopback(name) or name in self._hosts or (server and name == server[0])):
            raise _Refusal(403, "This address is not one of the companion's own; open the page by its address.")
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in (f"http://{host.lower()}", f"https://{host.lower()}"):
            raise _Refusal(403, "Only the companion's own page may press its keys.")


def _name(host: str) -> str:
    """Return a Host header without its port, an empty string if it is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _loopback(name: str) -> bool:
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


def showing(content: bytes, board: Board) -> bytes:
    """Return a file of the page with the keys of a board in the place of the keypad's."""
    kind, keys = (f'data-{name}="{{}}"'.format for name in ("board", "keys"))
    usual = f"{kind(KEYPAD.kind)} {keys(KEYPAD.keys)}"
    return content.replace(usual.encode(), f"{kind(board.kind)} {keys(escape(board.keys))}".encode())


class _Site:
    """What is served: the files, the stream of frames, the keys and texts."""

    def __init__(
        self, put: Callable[[Key | Written], object], mirror: PageMirror, heartbeat: float, board: Board
    ) -> None:
        self._put = put
        self._mirror = mirror
        self._heartbeat = heartbeat
        self._closing = False
        self._news: set[asyncio.Event] = set()
        files = [
            self._file(path, showing((PAGE / name).read_bytes(), board), kind) for path, (name, kind) in FILES.items()
        ]
        events = Route("/events", self._events, methods=["GET"])
        key = Route("/key", self._taken(read_key), methods=["POST"])
        text = Route("/text", self._taken(read_text), methods=["POST"])
        self.app = Starlette(routes=[*files, events, key, text])

    def close(self) -> None:
        """End every stream; called in the server's event loop."""
        self._closing = True
        for news in self._news:
            news.set()

    @staticmethod
    def _file(path: str, content: bytes, kind: str) -> Route:
        async def answer(_: Request) -> Response:
            return Response(content, media_type=kind)

        return Route(path, answer, methods=["GET"])

    def _taken(self, read: Callable[[bytes], Key | Written]) -> Callable[[Request], Awaitable[Response]]:
        """Return what reads a request and puts what it says."""

        async def answer(request: Request) -> Response:
            try:
                said = read(await _body(request))
            except _Refusal as refusal:
                return refusal.answer()
            self._put(said)
            return Response(status_code=204)

        return answer

    async def _events(self, request: Request) -> Response:
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        return StreamingResponse(self._stream(), media_type="text/event-stream")

    async def _stream(self) -> AsyncIterator[bytes]:
        """Yield the newest frame whenever there is one; those shown while the listener was busy are skipped."""
        loop = asyncio.get_running_loop()
        news = asyncio.Event()

        def wake() -> None:
            loop.call_soon_threadsafe(news.set)

        self._news.add(news)
        try:
            with self._mirror.listening(wake):
                yield FIRST
                shown, language = 0, ""
                while not self._closing:
                    news.clear()
                    number, frame = self._mirror.newest()
                    if frame is not None and number != shown:
                        shown = number
                        if frame.language != language:
                            language = frame.language
                            yield b"event: words\ndata: " + spoken(language) + b"\n\n"
                        yield b"data: " + encode(frame) + b"\n\n"
                        continue
                    try:
                        async with asyncio.timeout(self._heartbeat):
                            await news.wait()
                    except TimeoutError:
                        yield HEARTBEAT
        finally:
            self._news.discard(news)


class _Uvicorn(uvicorn.Server):
    """uvicorn without its clock: it sleeps until it is asked for something or told to stop."""

    def __init__(self, config: uvicorn.Config, site: _Site) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._site = site
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leave: asyncio.Event | None = None

    async def main_loop(self) -> None:
        """Wait until ``leave`` is called, instead of looking ten times a second."""
        self._leave = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self.ready.set()
        await self._leave.wait()

    def leave(self) -> None:
        """Ask the server to stop; from any thread, as often as one likes."""
        if self._loop is not None and self._leave is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._leave.set)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, give other requests a moment, and hang up on whoever does not read."""
        self._site.close()
        asyncio.get_running_loop().call_later(GRACE, self._hang_up)
        await super().shutdown(sockets)

    def _hang_up(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()


class Server:
    """A page being served by a thread of its own.

    Attributes:
        url: Where browsers find it.
    """

    def __init__(self, url: str, inner: _Uvicorn, listening: socket.socket) -> None:
        self.url = url
        self._inner = inner
        self._thread = threading.Thread(target=self._run, args=(listening,), name="page", daemon=True)
        self._thread.start()
        inner.ready.wait()

    def _run(self, listening: socket.socket) -> None:
        try:
            with listening:
                asyncio.run(self._inner.serve([listening]))
        finally:
            self._inner.ready.set()  # whatever happened, nobody waits for the start any more

    def stop(self) -> None:
        """Begin to stop: streams end, the port is free once ``join`` has returned; can be called again."""
        self._inner.leave()

    def join(self, timeout: float | None = None) -> bool:
        """Wait until the server has stopped; tell whether it has."""
        self._thread.join(timeout)
        return not self._thread.is_alive()


def serve(
    host: str,
    port: int,
    put: Callable[[Key | Written], object],
    mirror: PageMirror,
    *,
    heartbeat: float = 15.0,
    board: Board = KEYPAD,
) -> Server:
    """Serve the page until it is told to stop.

    Args:
        host: The address or name to listen on; ``0.0.0.0`` is every address of this computer.
        port: The port; 0 takes a free one.
        put: Takes each key pressed and each text written on a page; called from the server's thread, returns at once.
        mirror: What the page shows.
        heartbeat: Seconds after which a stream that has nothing to say says that.
        board: The board whose keys the page shows.

    Raises:
        PageFault: The address or the port cannot be had; no thread was started.
    """
    listening = _listen(host, port)
    address, port = listening.getsockname()[:2]
    site = _Site(put, mirror, heartbeat, board)
    hosts = {host.lower(), address}
    if not _loopback(address):
        # the names that phones on the same network know this computer by
        hosts |= {socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"}
    config = uvicorn.Config(
        _Guard(site.app, frozenset(hosts)),
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,  # refreshed by the clock that does not run here
        limit_concurrency=64,
    )
    return Server(_url(host, port), _Uvicorn(config, site), listening)


def _listen(host: str, port: int) -> socket.socket:
    """Open the socket that browsers connect to.

    Raises:
        PageFault: The address or the port cannot be had.
    """
    if not 0 <= port <= 65535:
        raise PageFault(f"there is no port {port}; choose one from 1 to 65535 with --port")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # "localhost" is often both; every browser tries the older one too
        family, *_, address = min(found, key=lambda info: info[0] != socket.AF_INET)
        return socket.create_server(address[:2], family=family)
    except (socket.gaierror, UnicodeError):
        raise PageFault(f"{host} is no address of this computer; choose another with --host") from None
    except OSError as error:
        raise PageFault(_why(error, host, port)) from error


def _why(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {port} is taken; choose another with --port"
        case errno.EACCES:
            return f"port {port} is not for ordinary users; choose one above 1023 with --port"
        case errno.EADDRNOTAVAIL:
            return f"{host} is no address of this computer; choose another with --host"
        case _:
            return f"the page cannot be served on {host}, port {port}: {error.strerror or error}"


def _url(host: str, port: int) -> str:
    """Return the address to open; for a server on every address, one that others reach it by."""
    if host in ("0.0.0.0", "::", ""):
        host = _own_address()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _own_address() -> str:
    """Return this computer's address on the network it uses, or the loopback's if there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address nobody has: it picks the way out, and sends nothing
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])
