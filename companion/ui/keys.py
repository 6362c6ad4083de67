"""Keys, the key layouts of boards, and the text notation of keys."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

from msgspec import Struct

from companion.core.errors import SentenceError

NAMES = "123A456B789C*0#D"
"""The names of the keypad's keys, row by row."""

FEW = "<o>^v"
"""The keys of boards without a keypad: left, choose, right, and a joystick's up and down."""

HOLDABLE = "*#o"
"""The keys that have a second meaning when held."""

Labels = Mapping[str, str]
"""Short labels, by the key in text notation."""


class Key(NamedTuple):
    """A key that was pressed, or held."""

    name: str  # one of ``NAMES`` or ``FEW``
    held: bool = False  # whether it was held rather than pressed

    def __str__(self) -> str:
        return f"h{self.name}" if self.held else self.name


class QuickSecondPress(Key):
    """A key pressed again within `TWICE` of its last press, at the same place. It equals a `Key`."""

    __slots__ = ()


TWICE = 0.15  # seconds; a finger that presses twice on purpose is slower


HOME = Key("*", held=True)
"""The held back key: it leads home, except at the table, where it opens the list of entries."""

POWER = Key("off", held=True)
"""The menu key held long enough to switch the machine off. No screen receives it, and it has no text notation."""

MISSED = Key("missed")
"""A press of which only the column of the keypad is known. No screen receives it, and it has no text notation."""


class KeyLayout(Struct, frozen=True):
    """The keys of a board."""

    kind: Literal["keypad", "buttons", "knob", "joystick"]
    keys: str

    @classmethod
    def of(cls, names: Collection[str], knob: bool = False) -> KeyLayout:
        """Return the layout of a board with these keys; left, right and choose may be a rotary knob."""
        keys = "".join(names)
        if "o" not in keys:
            return cls("keypad", keys)
        return cls("joystick" if "^" in keys else "knob" if knob else "buttons", keys)

    @property
    def few(self) -> bool:
        """Return whether the board has no keypad, so that answers are selected from a ring."""
        return self.kind != "keypad"


KEYPAD = KeyLayout("keypad", NAMES)
BUTTONS = KeyLayout("buttons", "<o>")


class UnknownKeyError(SentenceError):
    """A text names a key that does not exist or that the board lacks."""


def parse(written: str, board: KeyLayout | None = None) -> tuple[Key, ...]:
    """Parse keys in text notation: ``A12 D7 h#``, ``>>o``. An ``h`` before a key means that it is held.

    Args:
        board: If given, every key must exist on this board.

    Raises:
        UnknownKeyError: A character is not a key, the key cannot be held, or the board lacks it.

    >>> parse("A12 h#")[-1]
    Key(name='#', held=True)
    """
    keys: list[Key] = []
    held = False
    for character in written:
        if character.isspace():
            continue
        if character == "h" and not held:
            held = True
            continue
        name = character.upper() if character.upper() in NAMES else character.lower()
        if name not in NAMES + FEW or (held and name not in HOLDABLE):
            shown = f"h{character}" if held else character
            raise UnknownKeyError(f"{shown!r} is no key; keys are 0-9 A-D * # < o > ^ v, and h# h* ho held")
        if board is not None and name not in board.keys:
            raise UnknownKeyError(f"this board has no key {name}; it has {' '.join(board.keys)}")
        keys.append(Key(name, held))
        held = False
    if held:
        raise UnknownKeyError("an h stands before the key it holds")
    return tuple(keys)
