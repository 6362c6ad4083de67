"""The games, each declared as one value; pure, like the core they are written in."""

from typing import Any

from companion.core.game import Game

from .eternity import ETERNITY

GAMES: dict[str, Game[Any]] = {game.name: game for game in (ETERNITY,)}
