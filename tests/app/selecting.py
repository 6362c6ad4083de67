"""Uses the selector of boards with few keys, on the shortest way."""

from __future__ import annotations

from collections import deque

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.state import PANEL
from companion.journal import Journal
from companion.ui.few_keys import OptionCursor, SelectableOptions
from companion.ui.keys import AnswerCodes, KeyLayout, answer_name, parse
from companion.ui.screens.list_selection import NUMBERED, row_name
from companion.ui.view import ListBody
from tests.app.boxes import press
from tests.fakes.clock import FixedClock

JOYSTICK = KeyLayout.of("<>^vo#*")
KNOB = KeyLayout.of("<o>", knob=True)


def on(board: KeyLayout, journal: Journal | None = None) -> Box:
    """Return an application with the keys of a board."""
    clock = FixedClock()
    return Box(journal or Journal(), Outputs(MemoryPanel(), clock), clock, board=board)


def way(ring: SelectableOptions, wanted: str, selector: OptionCursor) -> str | None:
    """Return the shortest key presses that choose an option with a name, or an answer with these keypad keys."""
    if ring.asked is not None:
        codes = AnswerCodes(ring.asked)
        named = (answer_name(answer) for answer in ring.asked.answers if codes.spell(answer) == wanted)
        wanted = next(named, wanted)
    names = "<>^v" if selector.joystick else "<>"
    ways: deque[tuple[OptionCursor, str]] = deque([(selector, "")])
    seen = {selector}
    while ways:
        here, path = ways.popleft()
        for name in f"o{names}":
            (key,) = parse(name)
            after, chosen = here.press(key, ring)
            if chosen == wanted and name == "o":
                return path + name
            if not chosen and after not in seen:
                seen.add(after)
                ways.append((after, path + name))
    return None


def name_of(box: Box, key: str) -> str:
    """Return the name of what a key of the keypad chooses on the screen; the key itself if it chooses an answer."""
    contents = box._known.contents(box.state, PANEL)
    if contents.codes is not None and key in map(contents.codes.spell, contents.codes.prompt.answers):
        return key
    body = contents.view.body
    if isinstance(body, ListBody) and key.isdigit() and contents.rows:
        return row_name((int(key) - body.start) % NUMBERED)
    chosen = (choice.name for choice in contents.choices if choice.key == key)
    return next(chosen, key)


def turn_to(box: Box, wanted: str) -> int:
    """Choose the option with a name, or the answer with these keypad keys. Return the number of presses."""
    assert box.state.panel.selector is not None
    if wanted == "*":
        keys = "ho" if box.ring.held_choose is None else "ho o"
    else:
        found = way(box.ring, name_of(box, wanted), box.state.panel.selector)
        assert found is not None, (wanted, box.frame.words)
        keys = found
    for key in parse(keys):
        box.take(PANEL, key)
    return len(parse(keys))


def does(box: Box, keys: str) -> None:
    """Enter keys of the keypad, with the keys that the board has."""
    if box.state.panel.selector is None:
        press(box, keys)
    else:
        turn_to(box, keys)
