"""Reads the messages of boxes, and refuses those that no box sends."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from companion.bridge.log_line_sender import Lines

LONGEST_NAME = 100  # characters of the name of a game or table
LONGEST_LINE = 64 * 1024  # bytes; the longest line of a real log has less than 2 KB
MOST_LINES = 1000  # lines of one message
HIGHEST_LINE = 10_000_000  # the highest number of a line

_DECODER = msgspec.json.Decoder(Lines)


class MessageError(ValueError):
    """A message cannot be used; the text is a sentence."""


class NewLines(Struct, frozen=True):
    """Some lines of a game of a box."""

    device: str
    game: str  # the game's name in the box's journal
    first: int  # the number of the first line; the header is number 0
    lines: list[bytes]
    whole: int | None = None  # how many lines the game has now, if the box has put it back


def device_and_kind(prefix: str, topic: str) -> tuple[str, str]:
    """Return the box and the kind of message that a topic names.

    >>> device_and_kind("tabletop", "tabletop/tabletop-1f/lines")
    ('tabletop-1f', 'lines')
    """
    device, _slash, kind = topic.removeprefix(f"{prefix}/").partition("/")
    return device, kind


def read_lines(device: str, content: bytes) -> NewLines:
    """Read a message with lines. A line may hold anything; only where it belongs has to be known.

    Raises:
        MessageError: It is no such message, or too large.
    """
    try:
        message = _DECODER.decode(content)
        lines = [line.encode() for line in message.lines]
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise MessageError(f"The message cannot be read: {error}.") from None
    if not is_name(message.game):
        raise MessageError(f"The name of its game has not 1 to {LONGEST_NAME} printable characters.")
    if not 0 <= message.first <= HIGHEST_LINE:
        raise MessageError(f"Its first line is number {message.first}.")
    if not 1 <= len(lines) <= MOST_LINES or len(max(lines, key=len)) > LONGEST_LINE:
        raise MessageError(f"It has not 1 to {MOST_LINES} lines of at most {LONGEST_LINE} bytes.")
    if message.whole is not None and not 0 <= message.whole <= HIGHEST_LINE:
        raise MessageError(f"Its game has {message.whole} lines.")
    return NewLines(device, message.game, message.first, lines, message.whole)


def is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_NAME and text.isprintable()
