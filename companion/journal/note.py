"""The note of a journal's line: when and how the line was entered."""

from __future__ import annotations

from contextlib import suppress

from msgspec import MsgspecError, Struct, json


class Note(Struct, frozen=True):
    """When and how a line was entered.

    Attributes:
        at: The time, in seconds since 1970; 0 if it is not known.
        tracking: The level of detail recorded from here on.
        keys: The keys that were typed.
        over: Whether the game is over after this line.
    """

    at: float = 0
    tracking: str = ""
    keys: str = ""
    over: bool = False


def noted(row: bytes) -> Note:
    """Return the note of a line; an empty one if its form is unknown."""
    with suppress(MsgspecError):
        return json.decode(row.split(b"\t")[1], type=Note)
    return Note()
