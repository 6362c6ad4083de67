"""Few keys: turn to what can be pressed, and choose it. Every screen can be answered with left, right and choose.

A list is walked through; anything else is a wheel of the keys that do something now, by what they do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from .keys import Key
from .view import Heaps, Page, Rows, Stage, Typing, View

ORDER = ("#", *"1234567890", *"ABCD", "h#", "h*")
"""How keys follow each other on a wheel; stepping back has a key of its own, held choose."""

STEPS = {"<": -1, "^": -1, ">": 1, "v": 1}
SCROLL = {"<": "A", "^": "A", ">": "B", "v": "B", "o": "#"}


@dataclass(frozen=True, slots=True)
class Wheel:
    """Where the wheel stands.

    Attributes:
        at: The key pointed at, as it is written; None is the first.
    """

    at: str | None = None

    def press(self, key: Key, view: View, labels: Mapping[str, str]) -> tuple[Wheel, Key | None]:
        """Return the wheel after a key, and the key of the keypad that it comes to, if it comes to one.

        Args:
            key: One of those that boards with few keys have.
            view: What is on the panel.
            labels: What each key of the keypad does now.
        """
        if key == Key("o", held=True):
            return self, Key("*")
        if _scrolls(view, labels):
            return self, Key(SCROLL[key.name])
        spokes = _spokes(view, labels)
        at = self._place(spokes)
        if key.name != "o":
            return Wheel(spokes[(at + STEPS[key.name]) % len(spokes)]), None
        # The letters of a name are several presses of one key; any other answer begins from the first.
        after = self if isinstance(view.body, Typing) else Wheel()
        return after, Key(spokes[at][-1], held=spokes[at].startswith("h"))

    def shown(self, view: View, labels: Mapping[str, str]) -> View:
        """Show what is pointed at: the row of a list, or what the key does, at the end of the bottom line."""
        if not isinstance(view.body, Stage | Heaps):
            view = replace(view, question="")  # there it says which keys of a keypad do what
        if _scrolls(view, labels):
            return view
        spokes = _spokes(view, labels)
        at = spokes[self._place(spokes)]
        if isinstance(view.body, Rows):
            row = (int(at) - 1) % 10 if at.isdigit() else -1
            view = replace(view, body=replace(view.body, chosen=row))
            if row >= 0:
                return view
        return replace(view, hint=f"<{labels.get(at, at)}>")

    def _place(self, spokes: tuple[str, ...]) -> int:
        return spokes.index(self.at) if self.at in spokes else 0


def _spokes(view: View, labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return what can be turned to, in order; in a list its rows, then what else can be done with it."""
    keys = tuple(key for key in ORDER if key in labels)
    if isinstance(view.body, Rows):
        rows = tuple(key for key in keys if key.isdigit())
        keys = (*rows, *(key for key in keys if key not in (*rows, "A", "B")))
    return keys or ("#",)


def _scrolls(view: View, labels: Mapping[str, str]) -> bool:
    """Tell whether it is a list too long for numbers, or a text."""
    return isinstance(view.body, Page) or (isinstance(view.body, Rows) and "1" not in labels)
