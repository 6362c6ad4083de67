"""The notice that the program was updated, shown at the first start of a newer version.

The version that ran last is kept in a file of its own beside the journal, so that no backup carries it to another box.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from companion.core.text import Text
from companion.journal.disk import written_beside
from companion.ui.translations import _

VERSION = r"[0-9][0-9A-Za-z.+~-]{0,60}\n"


def updated(file: Path, here: str) -> Text | None:
    """Return the sentence if a newer version runs than at the start before; None if not, or if nobody knows.

    Args:
        file: Keeps the version that ran last. Where it cannot be written, the sentence is said again.
        here: The version that runs.
    """
    try:
        with file.open(encoding="utf-8", errors="replace") as content:
            before = content.read(100)
    except OSError:
        before = ""
    if before == f"{here}\n":
        return None
    with suppress(OSError), written_beside(file) as writing:
        writing.write(f"{here}\n".encode())
    if not re.fullmatch(VERSION, before):
        return None
    from .find_packages import is_newer

    return _("Updated to {version}", version=here) if is_newer(here, before.strip()) else None
