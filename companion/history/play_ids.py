"""Ids of plays, players and games for other programs: upper-case UUIDs that are the same each time."""

from __future__ import annotations

from .results import GameResult

_NAMESPACE = "6f0f5a0e-0a3c-5d1e-9a55-2a3f6d1c7b10"  # never changes, or every play would be a new one


def play_id(result: GameResult) -> str:
    """Return the id of a play: its own if it was imported; of our logs the same on a box that imported the log."""
    if not result.number:
        return result.name.partition("-")[2]
    return log_id(result.name, result.begun)


def log_id(name: str, begun: float) -> str:
    """Return the id that a game of the journal has as a play, from the name of its log and when it began."""
    return id_of("play", name.partition("-")[2], int(begun))


def id_of(*named: object) -> str:
    """Return the id of a play, a player, a place or a game: upper-case, and always the same."""
    from uuid import UUID, uuid5

    return str(uuid5(UUID(_NAMESPACE), "/".join(map(str, named)))).upper()
