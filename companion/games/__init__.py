"""All games by name; each is plain data and pure functions, as in core."""

from companion.core.games import Games

from . import python_games, shipped

GAMES = Games(found=shipped, own=python_games)
