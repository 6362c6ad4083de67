"""The note of a journal's line: when and how it was entered. Two notes and the header make a game's list entry."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import MsgspecError, Struct, json

from . import chain
from .folder import StoredGame, number

RECENT = 200  # the latest lines of a game whose typed keys are read: more than any round has


class Note(Struct, frozen=True):
    """When and how a line was entered."""

    at: float = 0  # the time, in seconds since 1970; 0 if it is not known
    tracking: str = ""  # the level of detail recorded from here on
    keys: str = ""  # the keys that were typed for its answers
    chosen: bool = False  # whether answers were chosen on a page or with few keys, not typed
    over: bool = False  # whether the game is over after this line
    empty: bool = False  # whether no entry counts after this line
    players: tuple[str, ...] = ()  # the names by seat, if a line changed those of the header


def note_of_state(*, over: bool, empty: bool, players: Sequence[str]) -> dict[str, Any]:
    """Return what the note of a line says of the game after it; what is usual is left out."""
    told = {"over": over, "empty": empty, "players": [*players]}
    return {name: value for name, value in told.items() if value}


def note_of(row: bytes) -> Note:
    """Return the note of a line; an empty one if its form is unknown."""
    with suppress(MsgspecError):
        return json.decode(row.split(b"\t")[1], type=Note)
    return Note()


def stored_game(game: str, rows: chain.Rows) -> StoredGame:
    """Return a game as the list of games has it."""
    first, last = note_of(rows[0]), note_of(rows[-1])
    header, lines = chain.text(rows[0]), len(rows) - 1
    return StoredGame(
        game,
        number(game),
        header,
        last.tracking,
        last.over,
        lines,
        first.at,
        last.empty,
        last.players,
        first.tracking,
    )


def typed_keys(rows: chain.Rows) -> dict[int, str]:
    """Return the keys typed for the latest lines of a game, by the number of the line; the header is line 1.

    They are empty for a line whose answers were chosen, not typed.
    """
    recent = enumerate(rows[1:][-RECENT:], max(2, len(rows) - RECENT + 1))
    notes = ((number, note_of(row)) for number, row in recent)
    return {number: note.keys for number, note in notes if note.keys or note.chosen}
