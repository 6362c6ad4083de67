"""The page of the drawn device: its keys and texts, its stream of frames, and what it says beside the panel."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from html import escape

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Scope

from companion.app.inputs import TypedAnswer
from companion.app.ports import BoxOutput
from companion.core.text import N_
from companion.ui.keys import FEW, HOLDABLE, KEYPAD, NAMES, Key, KeyLayout, QuickSecondPress

from .access import require_scorer
from .error_answers import RequestError
from .live_routes import StreamEndpoint, Streams, WrittenOnce
from .page_mirror import encode
from .page_templates import words_of
from .requests import NO_ROOM, Put, body_of, check_length, decoded

TEXTS = {
    "lost": N_("Connection lost, trying again."),
    "sleeps": N_("The box sleeps: the next key only wakes it."),
    "unanswered": N_("No answer to {key}."),
    "unsent": N_("{keys} not sent."),
    "look": N_("Look at the panel before you press again."),
    "refused": N_("{key} was not taken."),
    "many": N_("Too many keys at once."),
    "minus": N_("No number below zero can be entered here."),
    "status": N_("The server said {status}."),
    "held": N_("{key} (held)"),
    "does-held": N_("held: {does}"),
    "on-key": N_("hold:"),
    "lit": N_("Lamp: lit"),
    "dark": N_("Lamp: dark"),
    "panel": N_("Panel"),
    "keypad": N_("Keypad"),
    "left": N_("left"),
    "right": N_("right"),
    "up": N_("up"),
    "down": N_("down"),
    "choose": N_("choose"),
    "keys": N_("Keys"),
    "keyboard": N_("On the computer’s keyboard"),
    "turn": N_("turn"),
    "choose-it": N_("choose ●"),
    "back": N_("back, ● held"),
    "named": N_("the key of that name"),
    "hash-held": N_("# held"),
    "star-held": N_("* held"),
    "hold": N_("With a finger or the mouse, keep # or * down for a moment to hold it."),
    "table": N_("The table for phones"),
    "history": N_("History"),
    "phones": N_("On a phone, the page for phones is quicker: one tap lays a card."),
    "letters": N_("Where a name is asked, letters write it and Enter settles it."),
    "long-name": N_("A name has 1 to 20 characters"),
    "labels": N_("The words on a key say what it does now; a key without words can be pressed all the same."),
}
"""Each sentence by its name in the page's script; the script fills in the braces."""


@lru_cache(maxsize=8)
def translated(language: str) -> bytes:
    """Return the sentences in a language, with its two-letter code, as one line of JSON."""
    say = words_of(language)
    return msgspec.json.encode({"language": language, "said": {name: say(said) for name, said in TEXTS.items()}})


def with_board_keys(content: bytes, board: KeyLayout) -> bytes:
    """Return a file of the page with a board's keys in place of the keypad's."""
    kind, keys = (f'data-{name}="{{}}"'.format for name in ("board", "keys"))
    usual = f"{kind(KEYPAD.kind)} {keys(KEYPAD.keys)}"
    return content.replace(usual.encode(), f"{kind(board.kind)} {keys(escape(board.keys))}".encode())


class _Press(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that presses a key."""

    key: str
    held: bool = False
    again: bool = False  # whether the same key was pressed just before


class _Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that sends a text."""

    text: str


def read_key(body: bytes) -> Key:
    """Return the key in the body of a request; raise RequestError if it is none."""
    press = decoded(body, _Press, 'A key is sent as {"key": "7", "held": false}.')
    if len(press.key) != 1 or press.key not in NAMES + FEW:
        sentence = "There is no such key: the keys are 0-9, A-D, *, # and those of boards with few: < o > ^ v."
        raise RequestError(400, sentence)
    if press.held and press.key not in HOLDABLE:
        raise RequestError(400, f"{press.key} cannot be held: only *, # and o can.")
    return (QuickSecondPress if press.again else Key)(press.key, press.held)


def read_text(body: bytes) -> TypedAnswer:
    """Return the text in the body of a request; raise RequestError if it is none, or too long."""
    text = decoded(body, _Text, 'A text is sent as {"text": "Aki"}.').text
    check_length(text)
    return TypedAnswer(text)


class DevicePage:
    """The routes by which the drawn device takes keys and texts, and follows the frames."""

    def __init__(self, put: Put, streams: Streams) -> None:
        self._put = put
        self._streams = streams
        self._written = WrittenOnce(encode, most=1)
        self.routes = [
            Route("/key", self._taking(read_key), methods=["POST"]),
            Route("/text", self._taking(read_text), methods=["POST"]),
            Route("/events", StreamEndpoint(self._joined), methods=["GET"]),
        ]

    def _taking(self, read: Callable[[bytes], Key | TypedAnswer]) -> Callable[[Request], Awaitable[Response]]:
        """Return an endpoint that reads a key or a text from a request and puts it into the queue."""

        async def answer(request: Request) -> Response:
            require_scorer(request.scope)
            if not self._put(read(await body_of(request))):
                raise RequestError(429, NO_ROOM, again=1)
            return Response(status_code=204)

        return answer

    @asynccontextmanager
    async def _joined(self, scope: Scope) -> AsyncIterator[AsyncIterator[bytes]]:
        language = ""

        def event(frame: BoxOutput) -> bytes:
            nonlocal language
            known, language = language, frame.language
            words = b"" if language == known else b"event: words\ndata: " + translated(language) + b"\n\n"
            return words + self._written(frame)

        with self._streams.joined(scope, event) as events:
            yield events
