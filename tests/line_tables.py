"""Tables in `tests/transcripts/tables`: on each line something, and after the arrow what the program says of it.

The first paragraph of a file says what it is about; the others begin with a sentence. What stands after an arrow is
written by `make accept`. What cannot be written as it is stands as a string of Python: ``'a\\tb'``, ``b'\\xff'``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.accepted import ARROW, accept_all, paragraphs, write_anew

FOLDER = Path(__file__).parent / "transcripts" / "tables"
SAYS = {
    "formula-values": "tests.games.toml_games.faults",
    "formula-faults": "tests.games.toml_games.faults",
    "file-faults": "tests.games.toml_games.faults",
    "new-file-faults": "tests.games.toml_games.faults",
    "log-headers": "tests.gamelog.faults",
    "log-lines": "tests.gamelog.faults",
    "player-names": "tests.gamelog.faults",
    "sessions": "tests.core.heaps",
    "lines-between": "tests.core.heaps",
    "owner-settings": "tests.hardware.settings_documents",
    "settings-values": "tests.hardware.settings_documents",
    "doctor-findings": "tests.hardware.sick_pi",
    "roll-back-notes": "tests.cli.test_start_notices",
    "last-versions": "tests.cli.test_start_notices",
    "updates": "tests.cli.test_update",
    "panel-tests": "tests.cli.test_panel_check",
    "drives-of-mounts": "tests.hardware.test_mounts",
    "folders-in-memory": "tests.hardware.test_mounts",
    "installations": "tests.installation.test_installing",
    "system-calls": "tests.hardware.test_system_programs",
    "panel-bytes": "tests.hardware.test_panel",
    "presses": "tests.hardware.key_tables",
    "matrix-keys": "tests.hardware.key_tables",
    "key-moves": "tests.hardware.key_tables",
}
"""By the name of a file, the module whose function of that name, with ``_`` for ``-``, says what follows."""


class Row(NamedTuple):
    """A line of a table: what stands before the arrow, and what after it."""

    given: str
    said: str


def given(text: str) -> str | bytes:
    """Return what a line is about."""
    if text[:1] in ("'", '"') or text[:2] in ("b'", 'b"'):
        found: str | bytes = ast.literal_eval(text)
        return found
    return text


def says(name: str) -> Callable[[str | bytes], str]:
    """Return the function that says something of each line of a table."""
    found: Callable[[str | bytes], str] = getattr(import_module(SAYS[name]), name.replace("-", "_"))
    return found


def row(line: str) -> Row:
    """Return a line in its two parts."""
    before, _, after = line.partition(ARROW)
    return Row(before.rstrip(), after)


def tables(file: Path) -> list[tuple[str, list[Row]]]:
    """Return the tables of a file, each with its sentence."""
    _about, *rest = paragraphs(file)
    return [(title.removeprefix("# "), [row(line) for line in lines]) for title, *lines in rest]


def cases(*names: str) -> list[Any]:
    """Return the tables of some files, as cases of a test: the name of the file, and the rows."""
    return [
        pytest.param(name, rows, id=f"{name}: {title}")
        for name in names
        for title, rows in tables(FOLDER / f"{name}.txt")
    ]


def accept(file: Path) -> bool:
    """Write a file anew, with what is said today. Return whether it has changed."""
    say, (about, *_rest) = says(file.stem), paragraphs(file)
    said = (
        [f"# {title}", *(f"{text}{ARROW}{say(given(text))}" for text, _said in rows)] for title, rows in tables(file)
    )
    return write_anew(file, [about, *said])


if __name__ == "__main__":
    accept_all(FOLDER, accept)
