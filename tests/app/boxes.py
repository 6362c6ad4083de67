"""Boxes for tests: in memory, at noon."""

from __future__ import annotations

import json
from typing import Any

from companion.app.box import Box
from companion.app.panel import MemoryPanel
from companion.core.prompt import Tracking
from companion.journal import Journal
from companion.journal.memory import MemoryJournal
from companion.log import decode_header
from companion.ui.keys import parse

FOUR = ("Aki", "Bea", "Cyr", "Dai")


class Noon:
    """A clock that stands."""

    def now(self) -> float:
        return 43_200.0


def new_box(journal: Journal | None = None) -> Box:
    """A box that was just switched on."""
    return Box(journal or MemoryJournal(), MemoryPanel(), Noon())


def playing(
    keys: str = "",
    players: tuple[str, ...] = FOUR,
    tracking: str = "full",
    journal: Journal | None = None,
    **rules: Any,
) -> Box:
    """A box in a new game of Eternity, some keys having been pressed."""
    box = new_box(journal)
    header = {"format": 1, "game": "eternity", "players": players, "rules": rules}
    box.begin(decode_header(json.dumps(header)), Tracking(tracking))
    return press(box, keys)


def press(box: Box, keys: str) -> Box:
    """Press keys."""
    for key in parse(keys):
        box.press(key)
    return box


def says(box: Box) -> str:
    """All words on the panel."""
    return " | ".join(box.frame.words)
