"""Reads what a page sends: a key or a text; anything else is refused with a sentence."""

from __future__ import annotations

from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from companion.app.ports import TypedAnswer
from companion.ui.keys import FEW, HOLDABLE, NAMES, Key

from .error_answers import RequestError

Body = TypeVar("Body", bound=msgspec.Struct)

LARGEST_KEY = 1024
"""The most bytes of a request with a key or a text."""

LONGEST_TEXT = 80
"""The most characters of a text; whether it is a valid name is checked by the box, in its own language."""

JSON = "application/json"
"""The content type of both; browsers let a foreign page send it only after a CORS preflight, which is refused."""

FORM = "application/x-www-form-urlencoded"
"""The content type of the join page's form."""


class _Press(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that presses a key."""

    key: str
    held: bool = False


class _Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that sends a text."""

    text: str


def read_key(body: bytes) -> Key:
    """Return the key in the body of a request.

    Raises:
        RequestError: It is no key.
    """
    try:
        press = msgspec.json.decode(body, type=_Press)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RequestError(400, 'A key is sent as {"key": "7", "held": false}.') from None
    if len(press.key) != 1 or press.key not in NAMES + FEW:
        raise RequestError(
            400, "There is no such key: the keys are 0-9, A-D, *, # and those of boards with few: < o > ^ v."
        )
    if press.held and press.key not in HOLDABLE:
        raise RequestError(400, f"{press.key} cannot be held: only *, # and o can.")
    return Key(press.key, press.held)


def read_text(body: bytes) -> TypedAnswer:
    """Return the text in the body of a request.

    Raises:
        RequestError: It is no text, or too long.
    """
    try:
        text = msgspec.json.decode(body, type=_Text).text
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RequestError(400, 'A text is sent as {"text": "Aki"}.') from None
    if len(text) > LONGEST_TEXT:
        raise RequestError(413, f"A text has up to {LONGEST_TEXT} characters.")
    return TypedAnswer(text)


async def read_body(request: Request, kind: type[Body], usage: str) -> Body:
    """Return the body of a request as a struct.

    Args:
        request: The request.
        kind: The struct.
        usage: The sentence on how it is sent.

    Raises:
        RequestError: It is no such struct.
    """
    try:
        return msgspec.json.decode(await body_of(request), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RequestError(400, usage) from None


async def body_of(request: Request, kind: str = JSON) -> bytes:
    """Return the whole body of a request.

    Raises:
        RequestError: The content type is wrong, the body is too long, or the sender has gone.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != kind:
        raise RequestError(415, f"{'A PIN' if kind == FORM else 'A key or a text'} is sent as {kind}.")
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_KEY:
                raise RequestError(413, f"A key or a text fits in {LARGEST_KEY} bytes.")
    except ClientDisconnect:
        raise RequestError(400, "The sender has gone.") from None  # nobody receives this
    return body
