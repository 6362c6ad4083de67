"""Reads what a page sends: a key or a text; anything else is refused with a sentence."""

from __future__ import annotations

from typing import TypeVar
from urllib.parse import urlsplit

import msgspec
from starlette.requests import ClientDisconnect, Request

from companion.app.inputs import TypedAnswer
from companion.ui.keys import FEW, HOLDABLE, NAMES, Key, QuickSecondPress

from .error_answers import RequestError

Body = TypeVar("Body", bound=msgspec.Struct)

LARGEST_KEY = 1024  # the most bytes of a request with a key or a text

LONGEST_TEXT = 80
"""The most characters of a text; whether it is a valid name is checked by the box, in its own language."""

JSON = "application/json"
"""The content type of both; browsers let a foreign page send it only after a CORS preflight, which is refused."""

FORM = "application/x-www-form-urlencoded"  # the content type of forms


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


def check_length(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        raise RequestError(413, f"A text has up to {LONGEST_TEXT} characters.")


def decoded(body: bytes, kind: type[Body], usage: str) -> Body:
    """Return the body of a request as a struct; raise RequestError with a sentence on how it is sent, if it is none."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RequestError(400, usage) from None


def check_origin(request: Request) -> None:
    """Refuse a form that another site's page sends."""
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
