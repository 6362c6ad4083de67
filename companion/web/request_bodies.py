"""Reads what a page sends: a key or a text; anything else is refused with a sentence."""

from __future__ import annotations

import msgspec
from starlette.requests import ClientDisconnect, Request

from companion.app.ports import TextAnswer
from companion.ui.keys import FEW, HOLDABLE, NAMES, Key

from .error_answers import ErrorAnswer

LARGEST_KEY = 1024
"""Bytes a request with a key or a text may have."""

LONGEST_TEXT = 80
"""Characters a text may have; what may be a name is for the box to say, in the language of the table."""

KIND = "application/json"
"""What both are sent as: a page elsewhere cannot send that without asking first, and is told no."""


class _Press(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page sends when a key is pressed."""

    key: str
    held: bool = False


class _Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page sends when a text was written."""

    text: str


def read_key(body: bytes) -> Key:
    """Read the key that a page sent.

    Raises:
        ErrorAnswer: It is no key.
    """
    try:
        press = msgspec.json.decode(body, type=_Press)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ErrorAnswer(400, 'A key is sent as {"key": "7", "held": false}.') from None
    if len(press.key) != 1 or press.key not in NAMES + FEW:
        raise ErrorAnswer(
            400, "There is no such key: the keys are 0-9, A-D, *, # and those of boards with few: < o > ^ v."
        )
    if press.held and press.key not in HOLDABLE:
        raise ErrorAnswer(400, f"{press.key} cannot be held: only *, # and o can.")
    return Key(press.key, press.held)


def read_text(body: bytes) -> TextAnswer:
    """Read the text that a page sent.

    Raises:
        ErrorAnswer: It is no text, or too long.
    """
    try:
        text = msgspec.json.decode(body, type=_Text).text
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise ErrorAnswer(400, 'A text is sent as {"text": "Aki"}.') from None
    if len(text) > LONGEST_TEXT:
        raise ErrorAnswer(413, f"A text has up to {LONGEST_TEXT} characters.")
    return TextAnswer(text)


async def body_of(request: Request) -> bytes:
    """Return the whole body of a request.

    Raises:
        ErrorAnswer: It is not what keys and texts are sent as, it is longer than they can be, or the sender has gone.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != KIND:
        raise ErrorAnswer(415, f"A key or a text is sent as {KIND}.")
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_KEY:
                raise ErrorAnswer(413, f"A key or a text fits in {LARGEST_KEY} bytes.")
    except ClientDisconnect:
        raise ErrorAnswer(400, "The sender has gone.") from None  # nobody hears it, and nobody needs to
    return body
