"""Runs the application without a device: keys from a script, the panel as text or picture."""

from __future__ import annotations

import hashlib
import json
from typing import IO

from companion.ui.keys import KeyLayout, UnknownKey, parse

from .controller import Controller

LONGEST = 100_000
"""Characters a line of keys may have: more than a whole game, and less than memory."""


def answer(box: Controller, written: str, board: KeyLayout | None = None) -> str:
    """Press a line of keys and say in one line of JSON where the box stands; the journal has it by then.

    A line that holds something else than keys presses none.
    """
    try:
        keys = parse(written, board)
    except UnknownKey as error:
        return _state(box, str(error))
    box.saving.look()
    for key in keys:
        box.press(key)
    return _state(box, box.words())


def _state(box: Controller, message: str | None) -> str:
    screen = hashlib.sha256(box.picture.tobytes()).hexdigest()
    return json.dumps({"events": box.lines, "screen": screen, "message": message}, ensure_ascii=False)


def converse(box: Controller, lines: IO[str], out: IO[str], board: KeyLayout | None = None) -> None:
    """Answer every line of keys with a line, at once; the keys are those of a board, if it matters."""
    while written := lines.readline(LONGEST + 1):
        if len(written) > LONGEST and not written.endswith("\n"):
            _skip_line(lines)
            said = _state(box, f"a line has up to {LONGEST} characters")
        else:
            said = answer(box, written, board)
        print(said, file=out, flush=True)


def _skip_line(lines: IO[str]) -> None:
    """Read what is left of a line, and forget it."""
    while (more := lines.readline(LONGEST)) and not more.endswith("\n"):
        pass
