"""Files of what the program says, as it was accepted: transcripts and tables, which `make accept` writes anew.

A file has paragraphs; the first says what it is about. After an arrow stands what is said.
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from difflib import unified_diff
from pathlib import Path

import pytest

ARROW = " → "


def paragraphs(file: Path) -> list[list[str]]:
    """Return the paragraphs of a file, line by line."""
    return [paragraph.splitlines() for paragraph in file.read_text().strip("\n").split("\n\n")]


def answered(line: str, said: str) -> list[str]:
    """Return a line with what is said of it; where that is long, it goes on below, indented."""
    whole = f"{line:<23}{ARROW}{said}" if said else line
    return textwrap.wrap(whole, 120, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def write_anew(file: Path, parts: Iterable[Sequence[str]]) -> bool:
    """Write a file, a paragraph for each part. Return whether it has changed."""
    before, after = file.read_text(), "\n\n".join("\n".join(part) for part in parts) + "\n"
    file.write_text(after)
    return after != before


def fail_unless_accepted(accepted: Sequence[str], now: Sequence[str]) -> None:
    """Fail a test with what differs from what was accepted, if anything does."""
    differs = [*unified_diff(accepted, now, "accepted", "now", lineterm="", n=1)]
    if differs:
        pytest.fail("\n".join((*differs, "If that is meant: make accept, and read git diff.")), pytrace=False)


def accept_all(folder: Path, accept: Callable[[Path], bool]) -> None:
    """Write the files that the command line names anew, or all of a folder, and say which have changed."""
    for file in [Path(name) for name in sys.argv[1:]] or sorted(folder.glob("*.txt")):
        if accept(file):
            print(f"{file.name} has changed: git diff says how")
