"""The notice of a roll-back: which version failed, and which one runs instead. It is shown until a key is pressed.

Root writes the note, in a folder of root's. The service keeps beside its journal which note was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from companion.core.text import Text
from companion.journal.disk import written_beside
from companion.ui.translations import _

Event = TypeVar("Event")

NOTE = rb"([0-9A-Za-z.+~-]{1,61}) ([0-9A-Za-z.+~-]{1,61}) ([a-z-]{1,20}) [0-9]{1,20}\n"
"""Two versions, how the first one failed, and when; anything else, such as what a power cut has left, is not shown."""

SENTENCES = {
    "timeout": _("{version} did not start: back to {before}"),
    "watchdog": _("{version} hung: back to {before}"),
}
"""The sentence for each way to fail, in systemd's words."""

OTHER = _("{version} failed: back to {before}")


def notice(note: Path, read: Path) -> Text | None:
    """Return the sentence about a roll-back; None if there was none, or its note was read.

    Args:
        note: The note that root wrote.
        read: The copy of the note that was read.
    """
    content = _content(note)
    found = re.fullmatch(NOTE, content) if content and content != _content(read) else None
    if found is None:
        return None
    sentence = SENTENCES.get(found[3].decode(), OTHER)
    return Text(sentence.template, version=found[1].decode(), before=found[2].decode())


def _content(file: Path) -> bytes:
    """Return the content of a note; empty if it cannot be read."""
    try:
        with file.open("rb") as opened:
            return opened.read(200)
    except OSError:
        return b""


def mark_as_read(note: Path, read: Path) -> None:
    """Keep on the disk that the note was read. Where that fails, the next start shows the sentence again."""
    with suppress(OSError), written_beside(read) as file:
        file.write(_content(note))


def marking_as_read(note: Path, read: Path, put: Callable[[Event], None]) -> Callable[[Event], None]:
    """Return a function that passes events on; with the first one the note counts as read."""
    seen = False

    def pass_on(event: Event) -> None:
        nonlocal seen
        if not seen:
            seen = True
            mark_as_read(note, read)
        put(event)

    return pass_on
