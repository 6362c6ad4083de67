"""Turning to what is wanted on boards with few keys, by the shortest way."""

from __future__ import annotations

from collections import deque

from companion.app.box import Box
from companion.app.clock import StandingClock
from companion.app.front import Front
from companion.app.panel import MemoryPanel
from companion.journal import Journal
from companion.ui.keys import FEW, Board, parse
from companion.ui.rings import Ring
from companion.ui.view import Rows
from companion.ui.wheel import Wheel
from tests.app.boxes import press

JOYSTICK = Board.of("<>^vo#*")
KNOB = Board.of("<o>", knob=True)


def on(board: Board, journal: Journal | None = None) -> Box:
    """A box with the keys of a board."""
    clock = StandingClock()
    return Box(journal or Journal(), Front(MemoryPanel(), clock), clock, board=board)


def way(ring: Ring, wanted: str, wheel: Wheel) -> str | None:
    """Return the fewest turns that come to some keys of the keypad, None if none do."""
    names = "<>^v" if wheel.joystick else "<>"
    ways: deque[tuple[Wheel, str]] = deque([(wheel, "")])
    seen = {wheel}
    while ways:
        here, path = ways.popleft()
        for name in f"o{names}":
            (key,) = parse(name)
            after, keys = here.press(key, ring)
            if keys == wanted and name == "o":
                return path + name
            if not keys and after not in seen:
                seen.add(after)
                ways.append((after, path + name))
    return None


def turn_to(box: Box, wanted: str) -> int:
    """Turn to what comes to some keys of the keypad, choose it, and return how many presses that took."""
    assert box.wheel is not None
    if wanted == "*":
        keys = "ho" if box.ring.aside is None else "ho o"
    else:
        found = way(box.ring, wanted, box.wheel)
        assert found is not None, (wanted, box.frame.words)
        keys = found
    for key in parse(keys):
        box.press(key)
    return len(parse(keys))


def turn_to_row(box: Box, row: int) -> int:
    """Turn to a row of a list, however long, choose it, and return how many presses that took."""
    for presses in range(200):
        body = box.view().body
        assert isinstance(body, Rows)
        if body.chosen == row:
            box.press(*parse("o"))
            return presses + 1
        box.press(*parse(">" if body.chosen < row else "<"))
    raise AssertionError(f"row {row} cannot be turned to: {box.frame.words}")


def does(box: Box, keys: str) -> None:
    """Do what some keys of the keypad do, with the keys the board has."""
    if box.wheel is None:
        press(box, keys)
    else:
        turn_to(box, keys)


def key_of(box: Box, label: str) -> str:
    """Return the key of the keypad that does something."""
    return next(key for key, does in box.frame.labels.items() if does == label and key not in FEW)
