"""All games by name; each is plain data and pure functions, as in core."""

from companion.core.game_checks import registered
from companion.core.game_guard import Games

from . import shipped
from .east_rune import EAST_RUNE
from .eternity import ETERNITY
from .gear import GEAR
from .hipparchus import HIPPARCHUS

GAMES: Games = registered(ETERNITY, GEAR, HIPPARCHUS, EAST_RUNE)
GAMES.shelf = shipped
