"""The notices that a start shows: games in memory only, an unknown setting, a roll-back, an update."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.app.terminal import say
from companion.core.text import Text
from companion.journal.disk import written_beside
from companion.ui.translations import _

if TYPE_CHECKING:
    from hardware.owner_settings import Settings

Event = TypeVar("Event")


def start_notices(data: Path, settings: Settings) -> Iterator[Text]:
    """Yield the notices of a service that keeps its games in memory, as with a read-only root, and of unknown settings.

    ``data`` is the journal's folder.
    """
    from hardware.system import is_in_memory

    if "STATE_DIRECTORY" in os.environ and is_in_memory(data):
        yield _("Games are in memory only: they are gone with the power")
    for sentence in settings.unknown:  # of another version, or with a slip of the pen
        say(f"companion: {sentence}", error=True, flush=True)
    if settings.unknown:
        yield _("A setting is unknown: {name}", name=settings.unknown[0].partition(" is unknown")[0])


# A roll-back. Root writes the note, in a folder of root's; the service keeps beside its journal which note was read.


ROLL_BACK_NOTE = rb"([0-9A-Za-z.+~-]{1,61}) ([0-9A-Za-z.+~-]{1,61}) ([a-z-]{1,20}) [0-9]{1,20}\n"
"""Two versions, how the first one failed, and when; anything else, such as what a power cut has left, is not shown."""

FAILURES = {
    "timeout": _("{version} did not start: back to {before}"),
    "watchdog": _("{version} hung: back to {before}"),
}
"""The sentence for each way to fail, in systemd's words."""

OTHER_FAILURE = _("{version} failed: back to {before}")


def roll_back_notice(note: Path, read: Path) -> Text | None:
    """Return the sentence about a roll-back; None if there was none, or its note was read.

    Args:
        note: The note that root wrote.
        read: The copy of the note that was read.
    """
    content = _content(note)
    found = re.fullmatch(ROLL_BACK_NOTE, content) if content and content != _content(read) else None
    if found is None:
        return None
    sentence = FAILURES.get(found[3].decode(), OTHER_FAILURE)
    return Text(sentence.template, version=found[1].decode(), before=found[2].decode())


def _content(file: Path) -> bytes:
    """Return the content of a file; empty if it cannot be read."""
    with suppress(OSError):
        return file.read_bytes()
    return b""


def marking_as_read(note: Path, read: Path, put: Callable[[Event], None]) -> Callable[[Event], None]:
    """Return a function that passes events on; at the first one it keeps on the disk that the note was read.

    Where that fails, the next start shows the sentence again.
    """
    unread = [note]

    def pass_on(event: Event) -> None:
        if unread:
            content = _content(unread.pop())
            with suppress(OSError), written_beside(read) as file:
                file.write(content)
        put(event)

    return pass_on


# An update. The version that ran last stands beside the journal, in a file that no backup carries to another box.


VERSION_LINE = r"[0-9][0-9A-Za-z.+~-]{0,60}\n"


def update_notice(file: Path, here: str) -> Text | None:
    """Return the sentence if a newer version runs than at the start before; None if not, or if nobody knows.

    Args:
        file: Keeps the version that ran last. Where it cannot be written, the sentence is said again.
        here: The version that runs.
    """
    before = _content(file).decode(errors="replace")
    if before == f"{here}\n":
        return None
    with suppress(OSError), written_beside(file) as writing:
        writing.write(f"{here}\n".encode())
    if not re.fullmatch(VERSION_LINE, before):
        return None
    return _("Updated to {version}", version=here) if _is_newer(here, before.strip()) else None


def _is_newer(version: str, than: str) -> bool:
    """Return whether a version is newer than another, as dpkg compares them."""
    from subprocess import run

    return run(["dpkg", "--compare-versions", version, "gt", than], check=False, capture_output=True).returncode == 0
