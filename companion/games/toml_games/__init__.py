"""Games without code: a TOML file declares a game, and `load` makes it a `Game` like any other."""

from companion.games.toml_games.file import Finding, GameFileError

from .load import load

__all__ = ["Finding", "GameFileError", "load"]
