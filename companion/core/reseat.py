"""Gives an entry to the player whose turn it is, after a correction before it has moved the turn."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from .events import Event
from .game import Game


def reseated(game: Game[Any], state: Any, event: Event) -> Event:
    """Return an event as made by the player whose turn it is; unchanged if its player does not follow from the turn."""
    if not isinstance(event, game.by_turn) or state.turn is None or event.player == state.turn:
        return event
    moved: Event = replace(event, player=state.turn)
    return moved
