"""The games that the program is made for, a package each; one is imported when somebody asks for it, and no earlier."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from companion.core.game import Game
from companion.core.game_checks import registered

_TITLES = {"eternity": "Eternity", "gear": "Gear", "hipparchus": "Hipparchus", "east-rune": "East Rune"}


def titles() -> Mapping[str, str]:
    """Return the titles of the games by their names, in the order in which they are listed."""
    return _TITLES


def fingerprint() -> str:
    """Return a text that differs once a game has changed: they change with the program."""
    return ""


@cache
def game(name: str) -> Game[Any]:
    """Return a game; raise KeyError if there is none of this name.

    >>> game("east-rune").seats
    range(2, 6)
    """
    if name not in _TITLES:
        raise KeyError(name)
    package = name.replace("-", "_")
    return registered(getattr(import_module(f"{__package__}.{package}"), package.upper()))[name]
