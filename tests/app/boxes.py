"""Applications for tests: in memory, at noon."""

from __future__ import annotations

import json
from typing import Any

from msgspec import structs

from companion.app.box import Box
from companion.app.live_page_contents import live_page_contents
from companion.app.memory_panel import MemoryPanel
from companion.app.output_devices import Outputs
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_header
from companion.journal import Journal
from companion.ui.keys import parse
from companion.ui.live_page.content import LivePageContent
from tests.fakes.clock import FixedClock

FOUR = ("Aki", "Bea", "Cyr", "Dai")


def new_box(journal: Journal | None = None, clock: FixedClock | None = None, language: str = "en") -> Box:
    """Return an application that has just started."""
    clock = clock or FixedClock()
    return Box(journal or Journal(), Outputs(MemoryPanel(), clock), clock, language=language)


def playing(
    keys: str = "",
    players: tuple[str, ...] = FOUR,
    tracking: str = "full",
    journal: Journal | None = None,
    **rules: Any,
) -> Box:
    """Return an application in a new game of Eternity, after some keys."""
    return press(begin(new_box(journal), players, tracking, **rules), keys)


def begin(
    box: Box, players: tuple[str, ...] = FOUR, tracking: str = "full", game: str = "eternity", **rules: Any
) -> Box:
    """Begin a new game."""
    header = {"format": 1, "game": game, "players": players, "rules": rules}
    box.begin(decode_header(json.dumps(header)), DetailLevel(tracking))
    return box


def press(box: Box, keys: str) -> Box:
    """Press keys."""
    for key in parse(keys):
        box.press(key)
    return box


def run_due(box: Box, clock: FixedClock) -> None:
    """Do what is due, as the loop does."""
    for task in box.tasks:
        if task.due is not None and task.due <= clock.passed():
            task.tick()


def idle(box: Box) -> Box:
    """Let the box search for corrections to the end, while nobody presses a key."""
    while box.search.due is not None:
        box.search.tick()
    return box


def hush(box: Box) -> None:
    """Remove the message that is shown until the next key."""
    box._runner.state = structs.replace(box._runner.state, message=None, refused=False)


def says(box: Box) -> str:
    """Return all words on the panel."""
    return " | ".join(box.frame.words)


def page_of(box: Box) -> LivePageContent:
    """Return what a phone shows in English."""
    return live_page_contents(("en",), box._state, box._known.contents(box._state), 1, None)["en"]


def key_of(box: Box, label: str) -> str:
    """Return the key with this label."""
    return next(key for key, words in box.frame.labels.items() if words == label)


def name_of(journal: Journal, number: int = 1) -> str:
    """Return the name of a game in a journal, by its number."""
    return next(saved.name for saved in journal.games() if saved.number == number)


def lines_of(journal: Journal, number: int = 1) -> list[str]:
    """Return the lines of a game in a journal, without its header."""
    return journal.lines(name_of(journal, number))


def written(journal: Journal, header: str, *lines: str, tracking: str = "full", over: bool = False) -> str:
    """Write a game into a journal; return its name."""
    name = journal.name_for("eternity")
    journal.begin(name, header, tracking, 0.0)
    for line in lines:
        journal.append(name, line, now=0.0, tracking=tracking, over=over and line == lines[-1])
    return name
