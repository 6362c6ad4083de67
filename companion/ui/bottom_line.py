"""Fits the question and hint into the bottom line. Names are shortened and hints dropped; the question's words stay."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .fonts import BitmapFont, face
from .panel_layout import fit_with_names
from .view import View

LEAST = 18
"""Minimum width of a shortened name, in pixels."""
APART_BY = "  "
"""The blanks between two parts of a hint; each part is a key and its word."""
INITIAL = re.compile(r"(?:^| )(\d+)(\S)")
"""A key and the first letter of what it chooses."""
APART = 6
"""Gap in pixels between the question and the hint."""


def hinted(view: View, room: int) -> tuple[str, str]:
    """Return the question and the longest hint that fit beside the typed keys."""
    text, small = face("text"), face("small")
    room -= typing(view)
    for least in (view.question, squeezed(text, view.question, view.names, 0)):
        for hint in _hints(view):
            if text.width(least) + small.width(hint) + APART * bool(hint) <= room:
                return squeezed(text, view.question, view.names, room - small.width(hint) - APART * bool(hint)), hint
    return text.fit(squeezed(text, view.question, view.names, room), room), ""


def _hints(view: View) -> Iterator[str]:
    """Yield the possible hints, longest first. A list of answers loses its first ones: the last matters most."""
    hint = view.hint
    yield hint
    if view.brief is not None:
        yield (hint := view.brief)
    if view.choices:  # some of them would look like all
        if view.ahead:  # the round that is over has the room in which they are listed
            yield initials(hint)
        yield (hint := "")
    if APART_BY in hint:  # the sign of numbers below zero comes first: without its key they cannot be typed
        yield (hint := hint.partition(APART_BY)[0])
    while hint and not hint.startswith(("#", "A −", "C ", "D ", "9 ")):  # keep a key together with its word
        hint = hint.partition(" ")[2]
        yield hint


def initials(hint: str) -> str:
    """Return what can be chosen with the first letter of each alone; nothing where two begin alike.

    >>> initials("0non 1sma 2gra")
    '0n 1s 2g'
    """
    found = dict(INITIAL.findall(hint))
    return " ".join(map("".join, found.items())) if len({*found.values()}) == len(hint.split()) else ""


def turned(view: View, room: int) -> tuple[str, str]:
    """Return the question and the selected option, shortened to fit; the question is empty if only the option fits."""
    text = face("text")
    room -= typing(view)
    least = text.width(squeezed(text, view.question, view.names, 0))
    for choice in (view.choice, view.short or view.choice):
        shown = squeezed(text, choice, view.names, room - least)
        if least + text.width(shown) <= room:
            return squeezed(text, view.question, view.names, room - text.width(shown)), shown
    return "", fit_with_names(text, view.choice, view.names, room)


def typing(view: View) -> int:
    """Return the width in pixels of the typed keys and the cursor."""
    return face("text").width(view.typed) + 8 if view.typed else 0


def squeezed(setting: BitmapFont, line: str, names: tuple[str, ...], room: int) -> str:
    """Return a line with its longest name shortened if the line is too wide. A name keeps at least `LEAST` pixels."""
    there = [name for name in names if name and name in line]
    if not there or setting.width(line) <= room:
        return line
    name = max(there, key=setting.width)
    left = room - setting.width(line) + setting.width(name)
    return line.replace(name, setting.fit(name, max(LEAST, left)), 1)
