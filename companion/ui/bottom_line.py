"""Fits the question into the bottom line: names are shortened and hints dropped, never the question's words."""

from __future__ import annotations

from collections.abc import Iterator

from .fonts import BitmapFont, face
from .view import View

LEAST = 18
"""The room in pixels that a name keeps."""
APART = 6
"""Pixels between what stands at the left and what stands at the right."""


def hinted(view: View, room: int) -> tuple[str, str]:
    """Return the question and the hint as there is room for both, and for what is typed.

    Args:
        view: What is to be shown.
        room: The pixels there are.
    """
    text, small = face("text"), face("small")
    room -= typing(view)
    for least in (view.question, squeezed(text, view.question, view.names, 0)):
        for hint in _hints(view):
            if text.width(least) + small.width(hint) + APART * bool(hint) <= room:
                return squeezed(text, view.question, view.names, room - small.width(hint) - APART), hint
    return text.fit(squeezed(text, view.question, view.names, room), room), ""


def _hints(view: View) -> Iterator[str]:
    """Yield what can stand at the end, the best first; of what was given the last matters most."""
    hint = view.hint
    yield hint
    if view.brief is not None:
        yield (hint := view.brief)
    while hint and not hint.startswith(("#", "D ", "9 ")):  # a key and its word stay together
        hint = hint.partition(" ")[2]
        yield hint


def turned(view: View, room: int) -> tuple[str, str]:
    """Return the question and what is turned to as there is room for both; no question where there is none.

    Args:
        view: What is to be shown.
        room: The pixels there are.
    """
    text = face("text")
    room -= typing(view)
    least = text.width(squeezed(text, view.question, view.names, 0))
    for choice in (view.choice, view.short or view.choice):
        shown = squeezed(text, choice, view.names, room - least)
        if least + text.width(shown) <= room:
            return squeezed(text, view.question, view.names, room - text.width(shown)), shown
    return "", text.fit(squeezed(text, view.choice, view.names, room), room)


def typing(view: View) -> int:
    """Return the pixels that what is typed takes, with the mark after it."""
    return face("text").width(view.typed) + 8 if view.typed else 0


def squeezed(setting: BitmapFont, line: str, names: tuple[str, ...], room: int) -> str:
    """Return a line that is too long with its longest name shortened, as far as names are."""
    there = [name for name in names if name and name in line]
    if not there or setting.width(line) <= room:
        return line
    name = max(there, key=setting.width)
    left = room - setting.width(line) + setting.width(name)
    return line.replace(name, setting.fit(name, max(LEAST, left)), 1)
