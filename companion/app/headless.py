"""Runs the application without a device: keys from a script, the panel as text or picture."""

from __future__ import annotations

import hashlib
import json
from typing import IO

from companion.ui.keys import KeyLayout, UnknownKeyError, parse

from .box import Box
from .state import PANEL

LONGEST = 100_000  # maximum characters of a line of keys: longer than any game, but bounded


def answer(box: Box, written: str, board: KeyLayout | None = None) -> str:
    """Press a line of keys. Return the new state, already in the journal, as one line of JSON.

    If any part of the line is not a key, none is pressed.
    """
    try:
        keys = parse(written, board)
    except UnknownKeyError as error:
        return _state(box, str(error))
    box.upkeep.look()
    for key in keys:
        box.take(PANEL, key)
    return _state(box, box.words())


def _state(box: Box, message: str | None) -> str:
    screen = hashlib.sha256(box.picture.tobytes()).hexdigest()
    return json.dumps({"events": box.lines, "screen": screen, "message": message}, ensure_ascii=False)


def converse(box: Box, lines: IO[str], out: IO[str], board: KeyLayout | None = None) -> None:
    """Answer every line of keys with a line of JSON at once. Keys that the board lacks are refused."""
    while written := lines.readline(LONGEST + 1):
        if len(written) > LONGEST and not written.endswith("\n"):
            _skip_line(lines)
            said = _state(box, f"a line has up to {LONGEST} characters")
        else:
            said = answer(box, written, board)
        out.write(said + "\n")
        out.flush()


def _skip_line(lines: IO[str]) -> None:
    """Read the rest of a line and discard it."""
    while (more := lines.readline(LONGEST)) and not more.endswith("\n"):
        pass
