"""The games, each declared as one value; pure, like the core they are written in."""

from collections.abc import Mapping
from typing import Any

from companion.core.game import Game

from .eternity import ETERNITY

GAMES: Mapping[str, Game[Any]] = {game.name: game for game in (ETERNITY,)}
