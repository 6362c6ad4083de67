"""Boxes for tests: in memory, at noon."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from companion.app.box import Box
from companion.app.clock import StandingClock
from companion.app.front import Front
from companion.app.panel import MemoryPanel
from companion.core.prompt import Tracking
from companion.journal import Journal
from companion.journal.memory import MemoryJournal
from companion.log import decode_header
from companion.ui.keys import parse

FOUR = ("Aki", "Bea", "Cyr", "Dai")


def new_box(journal: Journal | None = None) -> Box:
    """A box that was just switched on."""
    clock = StandingClock()
    return Box(journal or MemoryJournal(), Front(MemoryPanel(), clock), clock)


def playing(
    keys: str = "",
    players: tuple[str, ...] = FOUR,
    tracking: str = "full",
    journal: Journal | None = None,
    **rules: Any,
) -> Box:
    """A box in a new game of Eternity, some keys having been pressed."""
    return press(begin(new_box(journal), players, tracking, **rules), keys)


def begin(box: Box, players: tuple[str, ...] = FOUR, tracking: str = "full", **rules: Any) -> Box:
    """Begin a new game of Eternity on a box."""
    header = {"format": 1, "game": "eternity", "players": players, "rules": rules}
    box.begin(decode_header(json.dumps(header)), Tracking(tracking))
    return box


def press(box: Box, keys: str) -> Box:
    """Press keys."""
    for key in parse(keys):
        box.press(key)
    return box


def hush(box: Box) -> None:
    """Take the sentence off the panel that is shown until the next key."""
    box._current.state = replace(box._current.state, message=None, refused=False)


def says(box: Box) -> str:
    """All words on the panel."""
    return " | ".join(box.frame.words)


def key_of(box: Box, label: str) -> str:
    """The key that does what a label says."""
    return next(key for key, words in box.frame.labels.items() if words == label)
