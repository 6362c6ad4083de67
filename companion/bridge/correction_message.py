"""The hub's message that corrects a game at a table."""

from __future__ import annotations

from msgspec import Struct


class Correction(Struct, frozen=True):
    """A director's correction on its way to a box."""

    id: int
    game: str  # the game's name in the journal
    line: str  # the line that corrects
    was: tuple[str, ...]  # the entries that it replaces
    who: str
