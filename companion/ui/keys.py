"""Keys, the key layouts of boards, and keys written as text."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, NamedTuple

from msgspec import Struct

NAMES = "123A456B789C*0#D"
"""The keys row by row, as they lie on the keypad."""

FEW = "<o>^v"
"""The keys of boards with few: left, choose, right, and a joystick's up and down."""

HOLDABLE = "*#o"
"""The keys that mean something else when they are held."""


class Key(NamedTuple):
    """A key that was pressed, or held.

    Attributes:
        name: One of ``NAMES`` or ``FEW``.
        held: Whether it was held rather than pressed.
    """

    name: str
    held: bool = False

    def __str__(self) -> str:
        return f"h{self.name}" if self.held else self.name


POWER = Key("off", held=True)
"""The menu key held so long that the machine is to be switched off; no screen sees it, and it is never written."""


class KeyLayout(Struct, frozen=True):
    """Which keys a board has.

    Attributes:
        kind: What it looks like.
        keys: The names of its keys.
    """

    kind: Literal["keypad", "buttons", "knob", "joystick"]
    keys: str

    @classmethod
    def of(cls, names: Collection[str], knob: bool = False) -> KeyLayout:
        """Return the board that has some keys.

        Args:
            names: The keys.
            knob: Whether left, right and choose are a knob.
        """
        keys = "".join(names)
        if "o" not in keys:
            return cls("keypad", keys)
        return cls("joystick" if "^" in keys else "knob" if knob else "buttons", keys)

    @property
    def few(self) -> bool:
        """Tell whether answers are turned to, because it has no keypad."""
        return self.kind != "keypad"


KEYPAD = KeyLayout("keypad", NAMES)
BUTTONS = KeyLayout("buttons", "<o>")


class UnknownKey(ValueError):
    """A text names a key that the keypad does not have."""


def parse(written: str, board: KeyLayout | None = None) -> tuple[Key, ...]:
    """Read keys as people write them: ``A12 D7 h#``, ``>>o``; an ``h`` before a key holds it.

    Args:
        written: The keys.
        board: The board that must have them, if it matters.

    Raises:
        UnknownKey: A character is no key, or a key is held that cannot be, or the board has no such key.

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
            raise UnknownKey(f"{shown!r} is no key; keys are 0-9 A-D * # < o > ^ v, and h# h* ho held")
        if board is not None and name not in board.keys:
            raise UnknownKey(f"this board has no key {name}; it has {' '.join(board.keys)}")
        keys.append(Key(name, held))
        held = False
    if held:
        raise UnknownKey("an h stands before the key it holds")
    return tuple(keys)


def write(keys: tuple[Key, ...]) -> str:
    """Write keys down so that ``parse`` reads them.

    >>> write(parse("A12 h#"))
    'A12h#'
    """
    return "".join(map(str, keys))
