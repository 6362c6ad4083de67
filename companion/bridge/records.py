"""The messages between the boxes of a club and its hub: their topics and what they hold, read and checked."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from companion.decoding import json_decoder

LONGEST_NAME = 100  # characters of the name of a game or table
LONGEST_LINE = 64 * 1024  # bytes; the longest line of a real log has less than 2 KB
MOST_LINES = 1000  # lines of one message
HIGHEST_LINE = 10_000_000  # the highest number of a line


def topics(base: str) -> dict[str, str]:
    """Return the topics of a table, by what they carry.

    >>> topics("tabletop/box")["state"]
    'tabletop/box/table'
    """
    same = ("status", "event", "lines", "ack", "name", "correction", "corrected", "hub", "call")
    return {"state": f"{base}/table", **{name: f"{base}/{name}" for name in same}}


def again_topic(prefix: str) -> str:
    """Return the topic on which a consumer asks for all lines without an acknowledgement, after its start."""
    return f"{prefix}-hub/again"


def device_and_kind(prefix: str, topic: str) -> tuple[str, str]:
    """Return the box and the kind of message that a topic names.

    >>> device_and_kind("tabletop", "tabletop/tabletop-1f/lines")
    ('tabletop-1f', 'lines')
    """
    device, _slash, kind = topic.removeprefix(f"{prefix}/").partition("/")
    return device, kind


def is_name(text: str) -> bool:
    return 0 < len(text) <= LONGEST_NAME and text.isprintable()


# From a box to the hub


class Lines(Struct, frozen=True, omit_defaults=True):
    """One message: some lines of a game's log."""

    game: str  # the game's name in the journal
    first: int  # the number of the first line; the header is number 0
    lines: list[str]
    whole: int | None = None  # how many lines the game has now, if it was put back; lines beyond are gone


class CorrectionAnswer(Struct, frozen=True):
    """The box's answer to a correction."""

    id: int
    taken: bool
    why: str = ""  # why it was not taken


# From the hub to a box


class Acknowledgement(Struct, frozen=True):
    """The hub's answer: it has stored all lines of a game below a number."""

    game: str
    lines: int  # how many, from the header on


class Correction(Struct, frozen=True):
    """A director's correction on its way to a box."""

    id: int
    game: str  # the game's name in the journal
    line: str  # the line that corrects
    was: tuple[str, ...]  # the entries that it replaces
    who: str


# What the hub reads


class MessageError(ValueError):
    """A message cannot be used; the text is a sentence."""


class NewLines(Struct, frozen=True):
    """Some lines of a game of a box."""

    device: str
    game: str  # the game's name in the box's journal
    first: int  # the number of the first line; the header is number 0
    lines: list[bytes]
    whole: int | None = None  # how many lines the game has now, if the box has put it back


_DECODER = json_decoder(Lines)


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
