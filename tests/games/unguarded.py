"""Registers a game as the box's own are: without the guard that added games have."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.core.game import Game
from companion.games import GAMES


@contextmanager
def unguarded(game: Game[Any]) -> Iterator[None]:
    """Register a game, in place of one of the same name if there is one, within the block."""
    before = GAMES._games.get(game.name)
    GAMES._games[game.name] = game
    try:
        yield
    finally:
        if before is None:
            del GAMES._games[game.name]
        else:
            GAMES._games[game.name] = before
