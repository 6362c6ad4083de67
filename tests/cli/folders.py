"""Journal folders, for tests of commands that read them."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from companion.journal import Journal

HEADER = '{"format": 1, "game": "eternity", "players": ["Aki", "Bea", "Cyr", "Dai"]}'


def begin(journal: Journal, header: str = HEADER) -> str:
    """Begin a game in a journal; return its name."""
    name = journal.name_for("game")
    journal.begin(name, header, "full", 0.0)
    return name


def begun(data: str, count: int) -> list[str]:
    """Begin games in a journal, with one distinct line each; return their names."""
    with closing(Journal(Path(data))) as journal:
        journal.keep_setting("language", "en")  # otherwise the first start asks for it
        names = []
        for place in range(count):
            names.append(begin(journal))
            journal.append(names[-1], json.dumps({"type": "start", "player": place % 4}), now=0.0, tracking="full")
    return names


def state_of(data: str) -> dict[Path, tuple[int, bytes]]:
    """Return the modification time and content of each file and folder of a journal."""
    return {
        path: (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
        for path in (Path(data), *Path(data).rglob("*"))
    }


DAMAGED = "companion: settings: Settings: a damaged file is mended from its copy\n"
"""The line that appears on standard error after `damage`."""


def damage(data: str) -> None:
    """Change a letter in one of the two files of a journal's settings."""
    file = Path(data, "settings.jsonl")
    file.write_bytes(b"#" + file.read_bytes()[1:])
