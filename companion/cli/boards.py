"""Which board is meant: its keys, as the file that describes it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .common import Fault

if TYPE_CHECKING:
    from companion.ui.keys import Board

USUAL = "keypad-4x4"
"""The board meant where none is named."""


def board_named(name: str) -> Board:
    """Return what there is to press on a board."""
    from hardware.board import BoardFault, load  # noqa: PLC0415
    from hardware.toml import TomlFault  # noqa: PLC0415

    try:
        return load(name).keyed()
    except (BoardFault, TomlFault) as fault:
        raise Fault(str(fault)) from None
