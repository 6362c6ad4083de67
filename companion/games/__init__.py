"""All games by name; each is plain data and pure functions, as in core."""

from typing import Any

from companion.core.game import Game

from .east_rune import EAST_RUNE
from .eternity import ETERNITY
from .gear import GEAR
from .hipparchus import HIPPARCHUS

GAMES: dict[str, Game[Any]] = {game.name: game for game in (ETERNITY, GEAR, HIPPARCHUS, EAST_RUNE)}
