"""What a page's request brings: its reader's language, a JSON body or a form; and the answer of the application's loop.

Anything else than what is wanted is refused with a sentence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.types import Scope

from companion.app.inputs import PageRequest
from companion.app.loop import WebInput
from companion.core.text import N_
from companion.decoding import from_json
from companion.ui.translations import languages

from .error_answers import RequestError

Put = Callable[[WebInput], bool]  # takes a key, a text or a request; returns at once whether it was accepted
ANSWERED_WITHIN = 5.0  # seconds that the loop may take to answer
NO_ROOM = N_("The box has not caught up with the keys yet.")
MOST_LANGUAGES = 20  # the most languages of a header that are looked at
LARGEST_KEY = 1024  # the most bytes of a request with a key or a text

LONGEST_TEXT = 80
"""The most characters of a text; whether it is a valid name is checked by the box, in its own language."""

JSON = "application/json"
"""The content type of both; browsers let a foreign page send it only after a CORS preflight, which is refused."""

FORM = "application/x-www-form-urlencoded"  # the content type of forms

Body = TypeVar("Body", bound=msgspec.Struct)
Answer = TypeVar("Answer")


# The reader's language


def accepted_language(header: str) -> str:
    """Return the two-letter code of the available language that a reader likes best; English if there is none.

    >>> accepted_language("de, ja;q=0.5, fr;q=0.8")
    'fr'
    """
    best, highest = "en", 0.0
    for part in header.split(",")[:MOST_LANGUAGES]:
        tag, *parameters = part.strip().lower().split(";")
        code, quality = tag.strip().partition("-")[0], 1.0
        for parameter in parameters:
            name, _, value = parameter.strip().partition("=")
            if name == "q":
                with suppress(ValueError):
                    quality = float(value)
        if code in languages() and quality > highest:
            best, highest = code, quality
    return best


def language_of(scope: Scope) -> str:
    """Return the language of a page: the one chosen on it, else the one that its browser likes best."""
    request = Request(scope)
    chosen = request.cookies.get("lang", "")
    return chosen if chosen in languages() else accepted_language(request.headers.get("accept-language", ""))


# Bodies


def check_length(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise RequestError(413, f"A text has up to {LONGEST_TEXT} characters.")


def decoded(body: bytes, kind: type[Body], usage: str) -> Body:
    """Return the body of a request as a struct; raise RequestError with a sentence on how it is sent, if it is none."""
    try:
        return from_json(body, kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RequestError(400, usage) from None


def check_origin(request: Request) -> None:
    """Refuse a form that another site's page sends, where a proxy answers for the names of the site."""
    origin, host = request.headers.get("origin"), request.headers.get("host", "")
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin" or (
        origin is not None and urlsplit(origin).netloc != host  # over http there is no other sign
    ):
        raise RequestError(403, "Another page may not do this.")


async def body_of(request: Request, kind: str = JSON, largest: int = LARGEST_KEY) -> bytes:
    """Return the whole body of a request; raise RequestError for another content type or a body that is too long."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != kind:
        raise RequestError(415, f"{'A form' if kind == FORM else 'A key or a text'} is sent as {kind}.")
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > largest:
                raise RequestError(413, f"What is sent here fits in {largest} bytes.")
    except ClientDisconnect:
        raise RequestError(400, "The sender has gone.") from None  # nobody receives this
    return body


async def form_of(request: Request, usage: str, largest: int = LARGEST_KEY, most: int = 8) -> dict[str, str]:
    """Return the fields of a form by their names; raise RequestError, with a sentence on usage if it has too many."""
    body = await body_of(request, FORM, largest)
    try:
        sent = parse_qs(body.decode(errors="replace"), keep_blank_values=True, max_num_fields=most)
    except ValueError:
        raise RequestError(400, usage) from None
    return {name: values[0] for name, values in sent.items()}


# The application's loop, which runs in another thread


async def answer_of(put: Put, request: Callable[[Callable[[Answer], None]], PageRequest]) -> Answer:
    """Put a request into the queue, and return the loop's answer; the request is made with its function ``reply``.

    Raises RequestError if the queue is full, or the loop does not answer.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Answer] = loop.create_future()

    def settle(value: Answer) -> None:
        if not answer.done():
            answer.set_result(value)

    def reply(value: Answer) -> None:
        with suppress(RuntimeError):  # the server has stopped since
            loop.call_soon_threadsafe(settle, value)

    if not put(request(reply)):
        raise RequestError(429, NO_ROOM, again=1)
    try:
        return await asyncio.wait_for(answer, ANSWERED_WITHIN)
    except TimeoutError:
        raise RequestError(503, N_("The box does not answer."), again=1) from None
