"""Finds a board by name and returns its key layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.ui.keys import KeyLayout

USUAL = "keypad-4x4"  # the default board


def board_named(name: str) -> KeyLayout:
    from hardware.board import load

    return load(name).keyed()
