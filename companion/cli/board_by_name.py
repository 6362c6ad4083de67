"""Finds a board by name and returns its key layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .common import CommandError

if TYPE_CHECKING:
    from companion.ui.keys import KeyLayout

USUAL = "keypad-4x4"
"""The default board."""


def board_named(name: str) -> KeyLayout:
    from hardware.board import BoardError, load
    from hardware.strict_toml import TomlError

    try:
        return load(name).keyed()
    except (BoardError, TomlError) as fault:
        raise CommandError(str(fault)) from None
