"""The games of the box that are written in Python, each imported when it is first used."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from companion.core.game import Game
from companion.core.games import registered
from companion.core.text import GameDeclarationError

_TITLES = {"eternity": "Eternity", "gear": "Gear", "hipparchus": "Hipparchus", "east-rune": "East Rune"}


def titles() -> Mapping[str, str]:
    """Return the titles of the games by their names, in the order in which they are listed."""
    return _TITLES


@cache
def game(name: str) -> Game[Any]:
    """Return the game of one of these names; raise GameDeclarationError if its declaration is wrong.

    >>> game("east-rune").seats
    range(2, 5)
    """
    package = name.replace("-", "_")
    made: Game[Any] = getattr(import_module(f"{__package__}.{package}"), package.upper())
    if (made.name, made.title) != (name, _TITLES[name]):
        raise GameDeclarationError(name, f"it calls itself {made.name}, {made.title}, not {_TITLES[name]}")
    return registered(made)[name]
