"""The note that a roll-back leaves: which version did not start, and which one runs instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from companion.core.text import Text
from companion.ui.translations import _

Event = TypeVar("Event")

NOTE = re.compile(rb"([0-9A-Za-z.+~-]{1,20}) ([0-9A-Za-z.+~-]{1,20})\n")
"""Two versions and nothing else; whatever a power cut has left instead is not shown."""


def notice(note: Path) -> Text | None:
    """Return the sentence about a roll-back; None if there was none since the last key."""
    try:
        with note.open("rb") as file:
            found = NOTE.fullmatch(file.read(100))
    except OSError:
        return None
    if found is None:
        forget(note)
        return None
    return _("{version} did not start: back to {before}", version=found[1].decode(), before=found[2].decode())


def forget(note: Path) -> None:
    """Remove the note. Where that fails, the sentence is shown again at the next start."""
    with suppress(OSError):
        note.unlink(missing_ok=True)


def forgetting(note: Path, put: Callable[[Event], None]) -> Callable[[Event], None]:
    """Return a function that passes events on, and removes the note with the first one."""
    seen = False

    def pass_on(event: Event) -> None:
        nonlocal seen
        if not seen:
            seen = True
            forget(note)
        put(event)

    return pass_on
