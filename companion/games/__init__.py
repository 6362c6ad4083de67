"""All games by name; each is plain data and pure functions, as in core."""

from typing import Any

from companion.core.game import Game
from companion.core.game_checks import registered

from .east_rune import EAST_RUNE
from .eternity import ETERNITY
from .gear import GEAR
from .hipparchus import HIPPARCHUS

GAMES: dict[str, Game[Any]] = registered(ETERNITY, GEAR, HIPPARCHUS, EAST_RUNE)
